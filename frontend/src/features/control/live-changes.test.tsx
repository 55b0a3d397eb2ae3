import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../api/types';
import { arrangeControl, control, given, hearVotes, shown } from '../../test/control-page-fixture';
import { FakeEventSource } from '../../test/fake-event-source';
import { http, server } from '../../test/server';

let requests: number;

beforeEach(() => {
  arrangeControl();
  requests = 0;
  server.use(
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => {
      requests += 1;
      return response(200).json(given.questions);
    }),
  );
});

afterEach(() => void vi.useRealTimers());

function hear(change: Partial<typeof given.live>) {
  given.live = { ...given.live, ...change, version: given.live.version + 1 };
  act(() => FakeEventSource.latest.send('meeting_update', given.live, given.live.version));
}

/** A request that the test does not expect would arrive within this time. */
const requestsWouldArrive = () => new Promise((resolve) => setTimeout(resolve, 100));

const agenda = () =>
  screen.getAllByRole('listitem').flatMap(({ textContent }) => /^\d.*\?/.exec(textContent ?? '')?.[0] ?? []);

describe('the meeting', () => {
  let loads: number;

  beforeEach(() => {
    loads = 0;
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) => {
        loads += 1;
        return response(200).json(given.meeting);
      }),
    );
  });

  it('is loaded again after a change that no state contains', async () => {
    await control();
    expect(screen.getByText(/^Scheduled start/)).not.toHaveTextContent('31 Dec');
    given.meeting = { ...given.meeting, scheduledStartTime: '2026-12-31T12:00:00Z' };
    hear({});
    await waitFor(() => expect(screen.getByText(/^Scheduled start/)).toHaveTextContent('31 Dec'));
  });

  it('is not loaded again with every vote and every arrival', async () => {
    const [first] = given.questions as [Question];
    await control({
      currentQuestion: { ...shown(first), isActive: true, roundId: 'r1' },
      registerSize: 180,
    });
    await screen.findByRole('button', { name: 'End Question' });
    const before = loads;
    hearVotes(1);
    hearVotes(2);
    given.live = { ...given.live, version: given.live.version + 1 };
    act(() =>
      FakeEventSource.latest.send(
        'participant_count',
        { participantCount: given.live.participantCount + 1 },
        given.live.version,
      ),
    );
    await screen.findAllByText('2 of 180');
    await requestsWouldArrive();
    expect(loads).toBe(before);
  });
});

describe('questions that another organizer has changed', () => {
  it('are in their new order after the next step', async () => {
    await control();
    const [first, second] = given.questions as [Question, Question];
    await waitFor(() => expect(agenda()).toEqual(['1Is the agenda adopted?', '2Are the accounts approved?']));
    given.questions = [
      { ...second, orderIndex: 1 },
      { ...first, orderIndex: 2 },
    ];
    hear({ step: given.live.step + 1 });
    await waitFor(() => expect(agenda()).toEqual(['1Are the accounts approved?', '2Is the agenda adopted?']));
  });

  it.each<[string, Partial<Question>]>([
    ['text', { questionText: 'Is the new agenda adopted?' }],
    ['place', { orderIndex: 3 }],
    [
      'options',
      {
        optionsList: [
          { id: 'a', text: 'For', position: 1, role: 'yes' },
          { id: 'b', text: 'Against', position: 2, role: 'no' },
        ],
      },
    ],
  ])('are loaded as soon as the one on the screen has another %s', async (_, change) => {
    const [first, second] = given.questions as [Question, Question];
    await control({ currentQuestion: shown(first) });
    await screen.findByRole('heading', { name: 'Question Control - 1 of 2' });
    const before = requests;
    const changed = { ...first, ...change };
    given.questions = [changed, second];
    const options = changed.optionsList.map(({ text }) => text);
    hear({ currentQuestion: { ...shown(changed), options } });
    await waitFor(() => expect(requests).toBe(before + 1));
  });

  it('do not leave the steps of another one in the panel while the one that is open is loaded', async () => {
    const [first] = given.questions as [Question];
    await control();
    await screen.findByRole('button', { name: 'Start Question' });
    let load = () => {};
    const isReady = new Promise<void>((resolve) => {
      load = resolve;
    });
    const added = { ...first, id: 'q9', questionText: 'Shall the fee rise?', orderIndex: 3 };
    given.questions = [...given.questions, added];
    server.use(
      http.get('/client/questions/meeting/{meetingId}', async ({ response }) => {
        await isReady;
        return response(200).json(given.questions);
      }),
    );
    hear({ currentQuestion: { ...shown(added), isActive: true, roundId: 'r9' }, registerSize: 180 });
    expect(await screen.findByText('Loading the state of the meeting…')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Start Question' })).not.toBeInTheDocument();
    load();
    expect(await screen.findByRole('button', { name: 'End Question' })).toBeInTheDocument();
  });

  it('are not asked for with every vote while an open round keeps its earlier wording', async () => {
    const [first] = given.questions as [Question];
    const open = { ...shown(first), isActive: true, roundId: 'r1', text: 'Is the first agenda adopted?' };
    await control({ currentQuestion: open, registerSize: 180 });
    await screen.findByRole('button', { name: 'End Question' });
    await waitFor(() => expect(requests).toBe(2));
    hearVotes(1);
    hearVotes(2);
    await screen.findAllByText('2 of 180');
    await requestsWouldArrive();
    expect(requests).toBe(2);
  });

  it('are shown within half a minute, also those that are not on the screen', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await control();
    await screen.findByText('Are the accounts approved?');
    const [first, second] = given.questions as [Question, Question];
    given.questions = [first, { ...second, questionText: 'Are the accounts of 2026 approved?' }];
    act(() => void vi.advanceTimersByTime(30_000));
    expect(await screen.findByText('Are the accounts of 2026 approved?')).toBeInTheDocument();
  });
});
