import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeEventSource } from '../../../test/fake-event-source';
import { liveQuestion } from '../../../test/live-samples';
import { activate, arrangeVoting, given, join, send } from '../../../test/live-voting-fixture';
import { http, server } from '../../../test/server';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';

const HELD = '/voting/meetings/{meetingId}/questions/{questionId}/proxies';
const principal = { id: 'p0', name: 'Ada Berg', username: 'ada' };

/** The votes that the voter holds; null if requests for them fail. */
let held: { principal: typeof principal; weight: number; note: null; state: 'OPEN' }[] | null;
/** The requests for held votes so far. */
let asked: number;

beforeEach(() => {
  arrangeVoting();
  asked = 0;
  given.meeting = voterMeeting({ hasProxies: true, questions: [voterQuestion()] });
  server.use(
    http.get('/voting/meetings/{meetingId}/proxies', ({ response }) =>
      response(200).json({ isOn: true, mayGrant: true, given: [], held: [], uses: [] }),
    ),
    http.get(HELD, ({ response }) => {
      asked += 1;
      return held === null
        ? response.untyped(HttpResponse.error())
        : response(200).json({ roundId: 'r1', votes: held });
    }),
  );
});

/** Opens the page, and the question once the page knows that the voter holds no proxies. */
async function joinQuestion() {
  await join();
  await screen.findByText('Let somebody vote for you');
  activate(liveQuestion(), 11);
  await waitFor(() => expect(asked).toBe(1));
}

describe('the votes that a voter holds are asked for again', () => {
  const holdOne = () => {
    held = [{ principal, weight: 1, note: null, state: 'OPEN' }];
  };
  const also = { name: 'You also hold 1 vote' };

  it('after an admission, which may bring the first ones', async () => {
    held = [];
    await joinQuestion();
    send('vote_count', { voteCount: 1, registerSize: 10, quorum: null }, 12);
    holdOne();
    send('vote_count', { voteCount: 1, registerSize: 11, quorum: null }, 13);
    expect(await screen.findByRole('heading', also)).toBeInTheDocument();
    expect(asked).toBe(2);
  });

  it('after a break in which somebody was admitted', async () => {
    held = [];
    await joinQuestion();
    holdOne();
    given.live = { ...given.live, version: 40, registerSize: 11, step: 11 };
    act(() => FakeEventSource.latest.break());
    await waitFor(() => expect(screen.getByRole('heading', also)).toBeInTheDocument(), { timeout: 5_000 });
  });

  it('when the connection is back, if they could not be asked for', async () => {
    held = null;
    await joinQuestion();
    holdOne();
    act(() => FakeEventSource.latest.break());
    await waitFor(() => expect(screen.getByRole('heading', also)).toBeInTheDocument(), { timeout: 5_000 });
  });
});
