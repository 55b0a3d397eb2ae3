import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { VoterMeeting, VoterQuestion, VoterResult } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { ballotDraftNote, undeliveredBallotNote, voteNotes } from '../../shared/storage';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState, MEETING_ID, timed } from '../../test/live-samples';
import { voter } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

installFakeEventSource();

const VOTE = '/voting/meetings/{meetingId}/questions/{questionId}/vote';
let meeting: VoterMeeting;
let live: LiveState;
let results: VoterResult[];

function voterQuestion(change: Partial<VoterQuestion> = {}): VoterQuestion {
  const { id, text, type, options, orderIndex } = liveQuestion();
  return {
    id,
    text,
    type,
    options,
    orderIndex,
    ratingMax: null,
    maxChoices: null,
    isActive: true,
    roundId: 'r1',
    closesAt: null,
    isInRegister: true,
    hasVoted: false,
    userVote: null,
    votedAt: null,
    isNamed: false,
    ...change,
  };
}

beforeEach(() => {
  meeting = {
    id: MEETING_ID,
    title: 'Annual General Meeting',
    description: null,
    status: 'ACTIVE',
    startTime: '2026-11-21T13:00:00Z',
    endTime: '2026-11-21T16:00:00Z',
    organization: 'Riverside Housing Cooperative',
    canResetVote: false,
    questions: [],
  };
  live = liveState();
  results = [];
  server.use(
    http.get('/voting/meetings/{meetingId}', ({ response }) =>
      response(200).json({ success: true, meeting }),
    ),
    http.get('/voting/meetings/{meetingId}/results', ({ response }) => response(200).json(results)),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(live))),
  );
});

/** The answers of each ballot that arrived. */
function acceptVotes(): string[][] {
  const received: string[][] = [];
  server.use(
    http.post(VOTE, async ({ request, response }) => {
      const { answers } = await request.json();
      received.push(answers);
      meeting = {
        ...meeting,
        questions: [voterQuestion({ hasVoted: true, userVote: answers, votedAt: '2026-11-21T13:00:05Z' })],
      };
      return response(201).json({
        success: true,
        vote: { id: 'v1', answers, castAt: '2026-11-21T13:00:05Z' },
      });
    }),
  );
  return received;
}

async function join(state: Partial<LiveState> = {}) {
  const app = await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  live = liveState(state);
  send('connected', live, live.version);
  return app;
}

function send(type: string, data: unknown, version: number) {
  act(() => FakeEventSource.latest.send(type, data, version));
}

function activate(question: ReturnType<typeof liveQuestion>, version: number) {
  live = { ...live, version, currentQuestion: question };
  send('question_activated', { ...question, voteCount: 0, registerSize: 10, step: version }, version);
}

const submitButton = () => screen.findByRole('button', { name: /^Submit Vote/ });

describe('voting', () => {
  it('waits, takes the question that opens, and stores the vote', async () => {
    const received = acceptVotes();
    const { user } = await join();
    expect(await screen.findByRole('heading', { name: 'Waiting for Next Question' })).toBeInTheDocument();

    activate(liveQuestion(), 11);
    expect(await screen.findByText('New question is now active!')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Submit Vote/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());

    expect(await screen.findByText('Vote submitted successfully!')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Your vote is stored' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Waiting for Next Question' })).toBeInTheDocument();
    expect(received).toEqual([['Yes']]);
    const answers = within(await screen.findByRole('region', { name: 'Your Answers' }));
    expect(answers.getByText('Question 1')).toBeInTheDocument();
    expect(answers.getByText('Answered')).toBeInTheDocument();
    expect(voteNotes.voted(MEETING_ID)).toEqual(['q1']);
    expect(JSON.parse(localStorage.getItem(`answeredQuestions_${MEETING_ID}`) ?? '')).toMatchObject([
      { id: 'q1', type: 'SINGLE_CHOICE', userAnswers: ['Yes'] },
    ]);
  });

  it('shows in the head whose session this is', async () => {
    await join();
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Annual General Meeting' }),
    ).toBeInTheDocument();
    expect(screen.getByText('Live Voting Session · vera.lind')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/voting');
    expect(screen.getByText('Connected')).toBeInTheDocument();
  });

  it.each([
    [
      'MULTIPLE_CHOICE',
      { options: ['Roof', 'Lifts', 'Garden'], maxChoices: 2 },
      async (user: Awaited<ReturnType<typeof join>>['user']) => {
        await user.click(screen.getByRole('checkbox', { name: 'Garden' }));
        await user.click(screen.getByRole('checkbox', { name: 'Roof' }));
        expect(screen.getByRole('checkbox', { name: 'Lifts' })).toBeDisabled();
        expect(screen.getByText(/^2 of 2 chosen/)).toBeInTheDocument();
      },
      ['Roof', 'Garden'],
    ],
    [
      'RATING',
      { options: [], ratingMax: 10 },
      async (user: Awaited<ReturnType<typeof join>>['user']) => {
        expect(screen.getAllByRole('radio')).toHaveLength(10);
        await user.click(screen.getByRole('radio', { name: '7 of 10' }));
      },
      ['7'],
    ],
    [
      'TEXT',
      { options: [] },
      async (user: Awaited<ReturnType<typeof join>>['user']) => {
        await user.type(screen.getByRole('textbox'), '  More bicycle stands ');
      },
      ['More bicycle stands'],
    ],
    [
      'PERCENTAGE',
      { options: [] },
      async (user: Awaited<ReturnType<typeof join>>['user']) => {
        await user.type(screen.getByRole('textbox', { name: 'Percentage' }), '37.5');
        expect(screen.getByRole('slider')).toHaveValue('37.5');
      },
      ['37.5'],
    ],
  ] as const)('offers the right control for %s', async (type, change, choose, answers) => {
    const received = acceptVotes();
    const { user } = await join({
      currentQuestion: liveQuestion({ type, ...change, options: [...change.options] }),
    });
    await screen.findByRole('heading', { level: 2 });
    await choose(user);
    await user.click(await submitButton());
    await waitFor(() => expect(received).toEqual([[...answers]]));
  });

  it('asks for an answer where there is only white space', async () => {
    const { user } = await join({ currentQuestion: liveQuestion({ type: 'TEXT', options: [] }) });
    await user.type(await screen.findByRole('textbox'), '   ');
    await user.click(await submitButton());
    expect(screen.getByRole('alert')).toHaveTextContent('Please select an answer');
  });

  it('is not offered again for a question that the server knows as voted', async () => {
    meeting.questions = [
      voterQuestion({ hasVoted: true, userVote: ['No'], votedAt: '2026-11-21T13:00:05Z' }),
    ];
    await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    expect(await screen.findByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.getByText('Your answer:')).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('is offered where this device remembers a vote that the server does not have', async () => {
    voteNotes.add(MEETING_ID, {
      id: 'q1',
      text: 'x',
      type: 'SINGLE_CHOICE',
      userAnswers: ['Yes'],
      answeredAt: 'now',
    });
    meeting.questions = [voterQuestion()];
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeEnabled();
  });

  it('tells those outside the register why they have nothing to answer', async () => {
    meeting.questions = [voterQuestion({ isInRegister: false })];
    await join({ currentQuestion: liveQuestion() });
    expect(
      await screen.findByRole('heading', { name: 'You have no vote on this question' }),
    ).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('clears what was chosen when the question closes, and says that nothing was counted', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    meeting = { ...meeting, questions: [voterQuestion({ isActive: false })] };
    send('question_deactivated', { id: 'q1', step: 2 }, 11);
    expect(
      await screen.findByRole('heading', { name: 'Voting on this question has ended' }),
    ).toBeInTheDocument();
    expect(
      await screen.findByText('You had not submitted a vote on it, so none was counted.'),
    ).toBeInTheDocument();
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toBeNull();
    activate(liveQuestion(), 12);
    expect(await screen.findByRole('radio', { name: 'Yes' })).not.toBeChecked();
  });
});

describe('a half-filled ballot', () => {
  const draft = {
    userId: voter.id,
    questionId: 'q1',
    roundId: 'r1',
    text: 'Shall the accounts be approved?',
    answers: ['No'],
  };

  it('is kept through other votes, a countdown, a new connection and a changed register', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    send('vote_count', { voteCount: 3, registerSize: 10 }, 11);
    const closesAt = new Date(Date.now() + 45_000).toISOString();
    live = liveState({ version: 12, registerSize: 11, currentQuestion: liveQuestion({ closesAt }) });
    send('meeting_update', live, 12);
    expect(screen.getByRole('timer')).toHaveTextContent(/^Voting closes in 0:4/);
    send('connected', { ...live, version: 40 }, 40);
    expect(screen.getByRole('radio', { name: 'No' })).toBeChecked();
    expect(await submitButton()).toBeInTheDocument();
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toEqual(draft);
  });

  it('is there again after a reload', async () => {
    ballotDraftNote.save(MEETING_ID, draft);
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'No' })).toBeChecked();
  });

  it('does not get into another round, nor to somebody else', async () => {
    ballotDraftNote.save(MEETING_ID, { ...draft, userId: 'somebody-else' });
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'No' })).not.toBeChecked();
  });

  it('is told after a reload that voting has closed meanwhile', async () => {
    ballotDraftNote.save(MEETING_ID, draft);
    meeting.questions = [voterQuestion({ isActive: false })];
    await join();
    expect(
      await screen.findByText('You had not submitted a vote on it, so none was counted.'),
    ).toBeInTheDocument();
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('of which another device had handed in a vote is not said to have counted for nothing', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    meeting = {
      ...meeting,
      questions: [voterQuestion({ isActive: false, hasVoted: true, userVote: ['Yes'] })],
    };
    send('question_deactivated', { id: 'q1', step: 2 }, 11);
    expect(await screen.findByRole('region', { name: 'Your Answers' })).toHaveTextContent('Yes');
    expect(screen.queryByText(/none was counted/)).not.toBeInTheDocument();
  });

  it('gives way to the vote of another tab', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    meeting = { ...meeting, questions: [voterQuestion({ hasVoted: true, userVote: ['Yes'] })] };
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: `votedQuestions_${MEETING_ID}` }));
    });
    expect(await screen.findByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });
});

describe('a vote on a bad line', () => {
  it('is kept and repeated with the same content until the server confirms it', async () => {
    const received: string[][] = [];
    let isDown = true;
    server.use(
      http.post(VOTE, async ({ request, response }) => {
        const { answers } = await request.json();
        received.push(answers);
        return isDown
          ? response.untyped(HttpResponse.error())
          : response(201).json({
              success: true,
              vote: { id: 'v1', answers, castAt: '2026-11-21T13:00:05Z' },
            });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());

    expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
    expect(screen.queryByText('Vote submitted successfully!')).not.toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toMatchObject({ answers: ['No'] });

    // The next question does not take over the ballot that is being sent.
    activate(liveQuestion({ id: 'q2', roundId: 'r2', text: 'Who shall chair?', options: ['Ada', 'Bo'] }), 11);
    expect(await screen.findByText(/The next question is open/)).toBeInTheDocument();
    expect(screen.queryByRole('radio', { name: 'Ada' })).not.toBeInTheDocument();

    isDown = false;
    expect(
      await screen.findByText('Vote submitted successfully!', {}, { timeout: 8_000 }),
    ).toBeInTheDocument();
    expect(received.length).toBeGreaterThan(1);
    expect(new Set(received.map(String))).toEqual(new Set(['No']));
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
    expect(await screen.findByRole('radio', { name: 'Ada' })).toBeInTheDocument();
  });

  it('can be set aside for the next question, and is not said to be stored', async () => {
    server.use(http.post(VOTE, ({ response }) => response.untyped(HttpResponse.error())));
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    await screen.findByRole('heading', { name: 'Not yet delivered' });
    activate(liveQuestion({ id: 'q2', roundId: 'r2', text: 'Who shall chair?', options: ['Ada', 'Bo'] }), 11);
    await user.click(await screen.findByRole('button', { name: 'Go on to the next question' }));
    expect(await screen.findByRole('radio', { name: 'Ada' })).not.toBeChecked();
    expect(
      screen.getByRole('heading', { name: 'Your vote on question 1 was not confirmed' }),
    ).toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('names the round that it is meant for', async () => {
    const rounds: unknown[] = [];
    server.use(
      http.post(VOTE, async ({ request, response }) => {
        const { answers, roundId } = await request.json();
        rounds.push(roundId);
        return response(201).json({
          success: true,
          vote: { id: 'v1', answers, castAt: '2026-11-21T13:00:05Z' },
        });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    await waitFor(() => expect(rounds).toEqual(['r1']));
  });

  it('repeats by itself when the server is busy', async () => {
    let tries = 0;
    server.use(
      http.post(VOTE, ({ response }) => {
        tries += 1;
        return tries === 1
          ? response.untyped(
              HttpResponse.json(
                { error: 'Busy', message: 'Busy', code: 'queue_full' },
                { status: 503, headers: { 'Retry-After': '1' } },
              ),
            )
          : response(201).json({
              success: true,
              vote: { id: 'v1', answers: ['Yes'], castAt: '2026-11-21T13:00:05Z' },
            });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
    expect(
      await screen.findByText('Vote submitted successfully!', {}, { timeout: 8_000 }),
    ).toBeInTheDocument();
    expect(tries).toBe(2);
  });

  it('is taken up again after a reload', async () => {
    const received = acceptVotes();
    undeliveredBallotNote.save(MEETING_ID, {
      userId: voter.id,
      questionId: 'q1',
      roundId: 'r1',
      text: 'Shall the accounts be approved?',
      type: 'SINGLE_CHOICE',
      orderIndex: 1,
      answers: ['No'],
    });
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByText('Vote submitted successfully!')).toBeInTheDocument();
    expect(received).toEqual([['No']]);
  });

  it('of somebody else on the same phone is left alone', async () => {
    const received = acceptVotes();
    undeliveredBallotNote.save(MEETING_ID, {
      userId: 'somebody-else',
      questionId: 'q1',
      roundId: 'r1',
      text: 'x',
      type: 'SINGLE_CHOICE',
      orderIndex: 1,
      answers: ['No'],
    });
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
    expect(received).toEqual([]);
  });
});

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
    live = liveState({ version: 12 });
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
    meeting.questions = [voterQuestion()];
    await vote(() => {
      meeting = {
        ...meeting,
        questions: [voterQuestion({ hasVoted: true, userVote: ['No'], votedAt: '2026-11-21T13:00:05Z' })],
      };
    });
    const notice = within(await screen.findByRole('alert'));
    expect(notice.getByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(notice.getByText(/This answer was not counted/)).toBeInTheDocument();
    expect(notice.getByText(/^What counts, stored at/)).toBeInTheDocument();
    expect(notice.getByText('No')).toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('whose round gave way to another one says so, and is not in the new one', async () => {
    refuse(409, 'round_over', 'The vote is over');
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    live = liveState({ version: 12, currentQuestion: liveQuestion({ roundId: 'r2' }) });
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
    meeting.canResetVote = true;
    meeting.questions = [
      voterQuestion({ hasVoted: true, userVote: ['No'], votedAt: '2026-11-21T13:00:05Z' }),
    ];
    server.use(
      http.delete(VOTE, ({ response }) => {
        meeting = { ...meeting, questions: [voterQuestion()] };
        live = liveState({ version: 12, currentQuestion: liveQuestion() });
        return response(200).json({ success: true });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    await user.click(await screen.findByRole('button', { name: 'Reset for Testing' }));
    expect(await screen.findByRole('radio', { name: 'No' })).not.toBeChecked();
  });

  it('offers no way to take a vote back otherwise', async () => {
    meeting.questions = [voterQuestion({ hasVoted: true, userVote: ['No'] })];
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
