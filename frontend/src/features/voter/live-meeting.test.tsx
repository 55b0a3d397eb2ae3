import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { undeliveredBallotNote } from '../../shared/storage';
import { FakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState, MEETING_ID } from '../../test/live-samples';
import { arrangeVoting, given, join, send, submitButton, VOTE } from '../../test/live-voting-fixture';
import { voter } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';
import { voterQuestion } from '../../test/voter-samples';

beforeEach(arrangeVoting);

describe('a refused vote', () => {
  function refuse(status: 403 | 409 | 422, code: string, error: string) {
    server.use(
      http.post(VOTE, ({ request, response }) => {
        // Without it the server answers in plain text.
        expect(request.headers.get('Accept')).toBe('application/json');
        return response.untyped(HttpResponse.json({ error, message: error, code }, { status }));
      }),
    );
  }

  async function vote(meanwhile = () => {}) {
    const app = await join({ currentQuestion: liveQuestion() });
    await app.user.click(await screen.findByRole('radio', { name: 'Yes' }));
    given.live = liveState({ version: 12 });
    meanwhile();
    await app.user.click(await submitButton());
    return app;
  }

  it('after the round has ended says that nothing was counted', async () => {
    refuse(409, 'round_not_open', 'Voting is not open');
    await vote();
    expect(await screen.findByRole('alert')).toHaveTextContent(/Your vote was not counted/);
    expect(screen.getByText('Voting on this question ended before your vote arrived.')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Waiting for Next Question' })).toBeInTheDocument();
  });

  it('with another answer than before says what holds', async () => {
    refuse(409, 'already_voted', 'You have already voted');
    given.meeting.questions = [voterQuestion()];
    await vote(() => {
      given.meeting = {
        ...given.meeting,
        questions: [voterQuestion({ hasVoted: true, userVote: ['No'], votedAt: '2026-11-21T13:00:05Z' })],
      };
    });
    const notice = within(await screen.findByRole('alert'));
    expect(notice.getByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(notice.getByText(/This answer was not counted/)).toBeInTheDocument();
    expect(notice.getByText(/^Your counted vote, stored at/)).toBeInTheDocument();
    expect(notice.getByText('No')).toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('after a vote in another session says that it counts, and claims nothing of the answer', async () => {
    refuse(409, 'already_voted', 'You have already voted');
    given.meeting.questions = [voterQuestion()];
    await vote(() => {
      given.meeting = {
        ...given.meeting,
        questions: [voterQuestion({ hasVoted: true, userVote: null, votedAt: '2026-11-21T13:00:05Z' })],
      };
    });
    expect(
      await screen.findByText(/and it counts\. Only the device and session that you voted with/),
    ).toBeInTheDocument();
    expect(screen.queryByText(/was not counted/i)).not.toBeInTheDocument();
    expect(screen.queryByText('Not counted:')).not.toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('whose round gave way to another one says so, and is not in the new one', async () => {
    refuse(409, 'round_over', 'The vote is over');
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    given.live = liveState({ version: 12, currentQuestion: liveQuestion({ roundId: 'r2' }) });
    await user.click(await submitButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(/put to a new vote/);
    expect(await screen.findByRole('radio', { name: 'Yes' })).not.toBeChecked();
  });

  it('that does not fit the question comes back to be changed', async () => {
    refuse(422, 'invalid_ballot', 'Choose one of the options');
    const app = await join({ currentQuestion: liveQuestion() });
    await app.user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await app.user.click(await submitButton());
    expect(await screen.findByText('Choose one of the options')).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yes' })).toBeChecked();
  });
});

describe('the meeting', () => {
  it('ends with thanks', async () => {
    await join();
    send('meeting_status', { status: 'COMPLETED', step: 2 }, 11);
    expect(
      await screen.findByText('Meeting has ended. Thank you for your participation!'),
    ).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Meeting Completed' })).toBeInTheDocument();
  });

  it('pauses where it is not active any more', async () => {
    await join();
    send('meeting_status', { status: 'SCHEDULED', step: 2 }, 11);
    expect(await screen.findByRole('heading', { name: 'Meeting Paused' })).toBeInTheDocument();
    expect(screen.getByText('Please wait for the meeting to resume.')).toBeInTheDocument();
  });

  it('that does not exist is said to be missing', async () => {
    server.use(
      http.get('/voting/meetings/{meetingId}', ({ response }) =>
        response.untyped(
          HttpResponse.json({ error: 'x', message: 'x', code: 'meeting_not_found' }, { status: 404 }),
        ),
      ),
    );
    await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
    expect(await screen.findByRole('heading', { name: 'Meeting Not Found' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/voting');
  });

  it('is not for those who were not invited', async () => {
    server.use(
      http.get('/voting/meetings/{meetingId}', ({ response }) =>
        response.untyped(
          HttpResponse.json(
            { error: 'You are not on the list of this meeting', code: 'not_invited' },
            { status: 403 },
          ),
        ),
      ),
    );
    await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
    expect(await screen.findByText('You are not on the list of this meeting')).toBeInTheDocument();
  });

  it('from which a voter is removed says so in the words of the server', async () => {
    await join({ currentQuestion: liveQuestion() });
    await screen.findByRole('radio', { name: 'Yes' });
    const message = 'You are not invited to this meeting.';
    send('error', { code: 'meeting_gone', message }, 11);
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.queryByText(/does not exist|Not Found/)).not.toBeInTheDocument();
  });

  it('that cannot be loaded sends back to the list', async () => {
    server.use(
      http.get('/voting/meetings/{meetingId}', ({ response }) => response.untyped(HttpResponse.error())),
      http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    );
    const { location } = await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
    expect(await screen.findByText('Failed to load meeting')).toBeInTheDocument();
    await waitFor(() => expect(location()).toBe('/voting'));
  });

  it('can be rehearsed where the server allows to take a vote back', async () => {
    given.meeting.canResetVote = true;
    given.meeting.questions = [
      voterQuestion({ hasVoted: true, userVote: ['No'], votedAt: '2026-11-21T13:00:05Z' }),
    ];
    server.use(
      http.delete(VOTE, ({ response }) => {
        given.meeting = { ...given.meeting, questions: [voterQuestion()] };
        given.live = liveState({ version: 12, currentQuestion: liveQuestion() });
        return response(200).json({ success: true });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    await user.click(await screen.findByRole('button', { name: 'Reset for Testing' }));
    expect(await screen.findByRole('radio', { name: 'No' })).not.toBeChecked();
  });

  it('offers no way to take a vote back otherwise', async () => {
    given.meeting.questions = [voterQuestion({ hasVoted: true, userVote: ['No'] })];
    await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    await screen.findByRole('heading', { name: 'You have already voted' });
    expect(screen.queryByRole('button', { name: 'Reset for Testing' })).not.toBeInTheDocument();
  });

  it('says so when the connection is lost', async () => {
    server.use(
      http.get('/sse/meetings/{meetingId}/state', ({ response }) => response.untyped(HttpResponse.error())),
    );
    await join({ currentQuestion: liveQuestion() });
    await screen.findByRole('radio', { name: 'Yes' });
    act(() => FakeEventSource.latest.break());
    expect(
      await screen.findByRole('heading', { name: 'No connection' }, { timeout: 3_000 }),
    ).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yes' })).toBeEnabled();
  });
});
