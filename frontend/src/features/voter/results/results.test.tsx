import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VoterMeeting, VoterResult, VoterResultAnswer } from '../../../api/types';
import { formatTime } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { forgetVoter } from '../../../shared/storage';
import { FakeEventSource, installFakeEventSource } from '../../../test/fake-event-source';
import { liveQuestion, liveState, MEETING_ID, timed } from '../../../test/live-samples';
import { voter } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleResult } from '../../../test/result-samples';
import { http, server } from '../../../test/server';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';

installFakeEventSource();

const DECLARED_AT = '2026-11-21T18:10:02Z';
let meeting: VoterMeeting;
let live: LiveState;
let results: VoterResultAnswer[];
let asked: { meeting: number; results: number };

function declared(
  change: Partial<VoterResult['result']> = {},
  ownVote: string[] | null = ['Yes'],
): VoterResult {
  return {
    result: sampleResult({
      status: 'DECLARED',
      log: [],
      declared: { at: DECLARED_AT, by: 'Maria Keller' },
      ...change,
    }),
    damaged: null,
    hasVoted: ownVote !== null,
    ownVote,
  };
}

beforeEach(() => {
  // Phones request at a random moment; here it is the first one.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  meeting = voterMeeting();
  live = liveState();
  results = [];
  asked = { meeting: 0, results: 0 };
  server.use(
    http.get('/voting/meetings/{meetingId}', ({ response }) => {
      asked.meeting += 1;
      return response(200).json({ success: true, meeting });
    }),
    http.get('/voting/meetings/{meetingId}/results', ({ response }) => {
      asked.results += 1;
      return response(200).json(results);
    }),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(live))),
  );
});

afterEach(() => vi.restoreAllMocks());

async function join(state: Partial<LiveState> = {}) {
  const app = await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  live = liveState(state);
  send('connected', live, live.version);
  // Once with the page, once when the connection is open.
  await waitFor(() => expect(asked.results).toBe(2));
  return app;
}

function send(type: string, data: unknown, version: number) {
  act(() => FakeEventSource.latest.send(type, data, version));
}

/** As the server does for voters: it does not send a question whose voting has ended. */
function sendDeclared() {
  send('meeting_update', liveState({ version: 11, step: 2 }), 11);
  send('result_declared', { roundId: 'r1', questionId: 'q1' }, 12);
}

const LATE = 'Your vote was not counted: it arrived after the end';

const card = () => screen.findByRole('region', { name: 'Result of question 1' });

describe('a declared result', () => {
  it('appears by itself, beside what the voter had answered, and is asked for once', async () => {
    meeting.questions = [voterQuestion({ isActive: false, hasVoted: true, userVote: ['Yes'] })];
    const { user } = await join();
    expect(screen.queryByRole('region', { name: /^Result/ })).not.toBeInTheDocument();
    results = [declared()];
    sendDeclared();
    const shown = within(await card());
    expect(shown.getByRole('heading', { name: 'Do you approve the budget?' })).toBeInTheDocument();
    expect(shown.getByText('Accepted')).toBeInTheDocument();
    expect(
      shown.getByText('120 of 164 votes were yes; more than half was needed. Accepted.'),
    ).toBeInTheDocument();
    expect(shown.getByText('You voted: Yes')).toBeInTheDocument();
    const bars = within(shown.getByRole('list', { name: 'Votes per option' }));
    expect(bars.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Yes: more than half120,  73\u00a0%',
      'No: 44,  27\u00a0%',
    ]);
    expect(shown.queryByRole('table', { hidden: true })).not.toBeInTheDocument();
    await user.click(shown.getByText('Details'));
    const all = await shown.findByRole('table', { name: 'Votes, in heads and in weight' });
    expect(within(all).getByRole('row', { name: 'Not voted 16 18.25' })).toBeVisible();
    expect(shown.getByText(`Declared at ${formatTime(DECLARED_AT)}.`)).toBeVisible();
    expect(asked.results).toBe(3);
  });

  it('that is damaged is named, and nothing of it is shown', async () => {
    const damage = 'its content was changed: the hash does not match';
    const damaged = { roundId: 'r1', position: 1, number: 0, damage };
    results = [{ result: null, damaged, hasVoted: true, ownVote: null }];
    await join();
    const notice = await screen.findByRole('alert');
    expect(within(notice).getByRole('heading', { name: 'A result is damaged' })).toBeInTheDocument();
    expect(notice).toHaveTextContent('Ask the organizer what was declared.');
    expect(screen.queryByRole('region', { name: /^Result/ })).not.toBeInTheDocument();
  });

  it('is announced', async () => {
    await join();
    results = [declared()];
    sendDeclared();
    await card();
    const sentence = 'Result of question 1. 120 of 164 votes were yes; more than half was needed. Accepted.';
    const spoken = screen.getAllByRole('status').filter(({ textContent }) => textContent === sentence);
    expect(spoken).toHaveLength(1);
  });

  it.each([
    [{}, 'You did not vote'],
    [{ isInRegister: false }, 'You had no vote on this question'],
  ])('says that there was no vote: %o', async (change, words) => {
    meeting.questions = [voterQuestion({ isActive: false, ...change })];
    results = [declared({}, null)];
    await join();
    expect(within(await card()).getByText(words)).toBeInTheDocument();
  });

  it('takes the place of what was said of the vote when it closed', async () => {
    meeting.questions = [voterQuestion()];
    await join({ currentQuestion: liveQuestion() });
    await screen.findByRole('radio', { name: 'Yes' });
    meeting = { ...meeting, questions: [voterQuestion({ isActive: false })] };
    send('question_deactivated', { id: 'q1', step: 2 }, 11);
    expect(
      await screen.findByRole('heading', { name: 'Voting on this question has ended' }),
    ).toBeInTheDocument();
    results = [declared({}, null)];
    send('meeting_update', liveState({ version: 12, step: 3 }), 12);
    await card();
    expect(screen.queryByText('Voting on this question has ended')).not.toBeInTheDocument();
  });

  it('says also after a reload that the vote arrived after the end', async () => {
    server.use(
      http.post('/voting/meetings/{meetingId}/questions/{questionId}/vote', ({ response }) =>
        response.untyped(HttpResponse.json({ error: 'x', code: 'round_not_open' }, { status: 409 })),
      ),
    );
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    live = liveState({ version: 12 });
    await user.click(await screen.findByRole('button', { name: /^Submit Vote/ }));
    await screen.findByRole('heading', { name: 'Your vote was not counted' });
    cleanup();

    results = [declared({}, null)];
    asked.results = 0;
    await join();
    expect(within(await card()).getByText(LATE)).toBeInTheDocument();
    const list = within(await screen.findByRole('region', { name: 'Your Answers' }));
    expect(await list.findByText(LATE)).toBeInTheDocument();
    forgetVoter();
    expect(Object.keys(window.localStorage).filter((key) => key.startsWith('late_'))).toEqual([]);
  });

  it('gives way to the next question, and stands in the list then', async () => {
    meeting.questions = [voterQuestion({ isActive: false, hasVoted: true, userVote: ['Yes'] })];
    results = [declared()];
    const { user } = await join();
    await card();
    const next = liveQuestion({ id: 'q2', roundId: 'r2', orderIndex: 2, openedAt: '2026-11-21T18:20:00Z' });
    meeting.questions.push(voterQuestion({ id: 'q2', roundId: 'r2', orderIndex: 2, isActive: true }));
    send('question_activated', { ...next, voteCount: 0, registerSize: 9, step: 2 }, 11);
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: /^Result/ })).not.toBeInTheDocument();
    send('question_deactivated', { id: 'q2', step: 3 }, 12);
    const list = within(await screen.findByRole('region', { name: 'Your Answers' }));
    expect(screen.queryByRole('region', { name: /^Result/ })).not.toBeInTheDocument();
    expect(list.getByText('You voted: Yes')).not.toBeVisible();
    await user.click(list.getByText('Accepted'));
    expect(list.getByText('You voted: Yes')).toBeVisible();
    expect(list.getAllByText('120')[0]).toBeVisible();
  });

  it('of a question that was not answered stands in the list as well, an earlier round too', async () => {
    results = [
      declared({ decision: { outcome: 'rejected', elected: [], tie: null } }, null),
      declared({ roundId: 'r2', number: 2, reason: 'Miscounted' }, null),
    ];
    await join();
    const list = within(await screen.findByRole('region', { name: 'Your Answers' }));
    expect(list.getByText('Not answered')).toBeInTheDocument();
    expect(list.getByText('Rejected')).toBeInTheDocument();
    expect(list.getByText('Result of round 1')).toBeInTheDocument();
    expect(list.getByText('Result of round 2')).toBeInTheDocument();
  });

  it('of numbers shows the mean and how often each was given', async () => {
    const numbers = {
      mean: 37.1234,
      weightedMean: 41.5,
      median: 40,
      weightedMedian: 42,
      distribution: [{ value: 37.5, heads: 3, weight: 4.5 }],
    };
    results = [
      declared(
        {
          questionType: 'PERCENTAGE',
          options: [],
          numbers,
          decisionRule: null,
          decision: { outcome: 'undecided', elected: [], tie: null },
        },
        ['37.5'],
      ),
    ];
    await join();
    const shown = within(await card());
    expect(shown.getByText('You voted: 37.5 %')).toBeInTheDocument();
    expect(shown.getByText('37.1')).toBeInTheDocument();
    expect(shown.queryByText('Not decided')).not.toBeInTheDocument();
    expect(shown.getByRole('row', { name: '30 to under 40\u00a0% 3' })).toBeInTheDocument();
    expect(shown.getByRole('row', { name: '90 to 100\u00a0% 0' })).toBeInTheDocument();
    const list = within(screen.getByRole('region', { name: 'Your Answers' }));
    expect(list.getByText('Mean 37.1 %')).toBeInTheDocument();
  });

  it('is found after a break in the connection', async () => {
    await join();
    results = [declared()];
    act(() => FakeEventSource.latest.break());
    await waitFor(() => expect(FakeEventSource.all).toHaveLength(2), { timeout: 5_000 });
    send('connected', liveState({ version: 30, step: 9 }), 30);
    expect(await card()).toBeInTheDocument();
  });

  it('is found after a break also where the server does not hear the others', async () => {
    server.use(
      http.get('/sse/meetings/{meetingId}/state', ({ response }) => response.untyped(HttpResponse.error())),
    );
    await join();
    const before = { ...asked };
    results = [declared()];
    act(() => FakeEventSource.latest.break());
    await waitFor(() => expect(FakeEventSource.all).toHaveLength(2), { timeout: 5_000 });
    expect(asked).toEqual(before);
    send('connected', { ...live, isDelayed: true }, live.version);
    expect(await card()).toBeInTheDocument();
    await waitFor(() => expect(asked.meeting).toBe(before.meeting + 1));
  });
});

describe('a named vote', () => {
  const WORDS = 'This is a named vote. The results will show your choice with your name.';

  it('says so before anything is handed in', async () => {
    const { user } = await join({ currentQuestion: liveQuestion({ secrecy: 'named' }) });
    expect(await screen.findByText(WORDS)).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Yes' }));
    expect(screen.getByRole('button', { name: /^Submit Vote/ })).toHaveAccessibleDescription(WORDS);
  });

  it('is not said to be one where it is none', async () => {
    await join({ currentQuestion: liveQuestion() });
    await screen.findByRole('radio', { name: 'Yes' });
    expect(screen.queryByText(WORDS)).not.toBeInTheDocument();
  });
});

describe('the register of an open vote', () => {
  const OUTSIDE = 'You cannot vote on this question';

  it('lets a latecomer in who is admitted, without a reload', async () => {
    meeting.questions = [voterQuestion({ isInRegister: false })];
    await join({ currentQuestion: liveQuestion(), registerSize: 9 });
    await screen.findByRole('heading', { name: OUTSIDE });
    meeting = { ...meeting, questions: [voterQuestion()] };
    send('vote_count', { voteCount: 0, registerSize: 10 }, 11);
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeEnabled();
    expect(screen.queryByText(OUTSIDE)).not.toBeInTheDocument();
  });

  it('says that a voter was excluded, though the ballot was there already', async () => {
    meeting.questions = [voterQuestion()];
    await join({ currentQuestion: liveQuestion(), registerSize: 9 });
    await screen.findByRole('radio', { name: 'Yes' });
    meeting = { ...meeting, questions: [voterQuestion({ isInRegister: false })] };
    send('vote_count', { voteCount: 0, registerSize: 8 }, 11);
    expect(await screen.findByText(/^You do not take part in this question\./)).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('of an earlier round says nothing of the new one', async () => {
    meeting.questions = [voterQuestion({ roundId: 'r0', isInRegister: false })];
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
  });
});
