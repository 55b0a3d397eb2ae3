import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  endedRound,
  given,
  haveRounds,
  installControl,
  noteStep,
  openControl,
  refused,
  resultOf,
  stepTo,
} from '../../../test/control-fixture';
import { http, server } from '../../../test/server';

installControl();

afterEach(() => void vi.useRealTimers());

const uncounted = () => endedRound({ status: 'ENDED', countedAt: null });

/** A server that counts any round. */
function answerCount() {
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/count', ({ request, params, response }) => {
      noteStep(request, `count ${params.roundId}`);
      haveRounds(endedRound());
      given.results = { r1: resultOf(endedRound()) };
      stepTo(undefined);
      return response(200).json(resultOf(endedRound()));
    }),
  );
}

describe('the votes of a round that has ended', () => {
  it('are seen by nobody before they are counted, and only when it is asked for', async () => {
    haveRounds(uncounted());
    given.results = {};
    answerCount();
    const { user } = await openControl();
    expect(await screen.findByText(/The votes are not counted yet/)).toHaveTextContent('164 of 180 voted.');
    expect(screen.queryByText('Accepted')).not.toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Count Votes' })).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Reopen' })).toBeEnabled();
    await user.click(screen.getByRole('button', { name: 'Count Votes' }));
    expect(await screen.findByText('Accepted')).toBeInTheDocument();
    expect(given.asked).toEqual(['count r1']);
    expect(screen.queryByRole('button', { name: 'Reopen' })).not.toBeInTheDocument();
  });

  it('can be counted again two minutes after a request without a response', async () => {
    haveRounds(uncounted());
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/count', async ({ request, response }) => {
        noteStep(request, 'lost');
        await delay('infinite');
        return response.untyped(HttpResponse.error());
      }),
    );
    const { user } = await openControl();
    const count = await screen.findByRole('button', { name: 'Count Votes' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    fireEvent.click(count);
    await waitFor(() => expect(given.asked).toEqual(['lost']));
    await act(() => vi.advanceTimersByTimeAsync(110_000));
    expect(screen.getByRole('button', { name: 'Counting…' })).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findAllByText(/^Failed to count votes/)).not.toHaveLength(0);
    vi.useRealTimers();
    answerCount();
    await user.click(screen.getByRole('button', { name: 'Count Votes' }));
    expect(await screen.findByText('Accepted')).toBeInTheDocument();
  });

  it('are not counted by a press of Space too many', async () => {
    haveRounds(uncounted());
    answerCount();
    const { user } = await openControl();
    await screen.findByRole('button', { name: 'Count Votes' });
    expect(screen.getByRole('list', { name: 'Keyboard' })).not.toHaveTextContent('Space');
    await user.keyboard(' ');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Count Votes' })).toBeEnabled());
    expect(given.asked).toEqual([]);
  });

  it('go on in the same round where voting is opened again', async () => {
    haveRounds(uncounted());
    const { user } = await openControl();
    await user.click(await screen.findByRole('button', { name: 'Reopen' }));
    expect(await screen.findByRole('button', { name: 'End Question' })).toBeInTheDocument();
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
  });

  it('lead to a re-vote where another screen counted them a moment ago', async () => {
    haveRounds(uncounted());
    const { user } = await openControl();
    const reopen = await screen.findByRole('button', { name: 'Reopen' });
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) =>
        response.untyped(refused('round_counted', 'The votes on this question have been counted')),
      ),
    );
    await user.click(reopen);
    expect(await screen.findByRole('dialog')).toHaveTextContent(/re-vote/i);
  });
});
