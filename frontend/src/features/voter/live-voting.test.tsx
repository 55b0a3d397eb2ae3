import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ballotDraftNote,
  type UndeliveredBallot,
  undeliveredBallotNote,
  voteNotes,
} from '../../shared/storage';
import { liveQuestion, liveState, MEETING_ID } from '../../test/live-samples';
import {
  acceptVotes,
  activate,
  arrangeVoting,
  given,
  join,
  send,
  submitButton,
  VOTE,
} from '../../test/live-voting-fixture';
import { voter } from '../../test/people';
import { http, server } from '../../test/server';
import { voterQuestion } from '../../test/voter-samples';

beforeEach(arrangeVoting);
afterEach(() => vi.useRealTimers());

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

  it('hands the focus of the keyboard to what became of the vote', async () => {
    acceptVotes();
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    expect(await screen.findByRole('heading', { name: 'Your vote is stored' })).toHaveFocus();
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
    given.meeting.questions = [
      voterQuestion({ hasVoted: true, userVote: ['No'], votedAt: '2026-11-21T13:00:05Z' }),
    ];
    await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    expect(await screen.findByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.getByText('Your answer:')).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('of a question that was voted on elsewhere does not pass for the one before, whose vote was just stored', async () => {
    acceptVotes();
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    expect(await screen.findByRole('heading', { name: 'Your vote is stored' })).toBeInTheDocument();
    activate(
      liveQuestion({ id: 'q2', roundId: 'r2', orderIndex: 2, text: 'Shall the fee rise?', hasVoted: true }),
      11,
    );
    expect(await screen.findByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.getByText('Shall the fee rise?')).toBeInTheDocument();
  });

  it('is open again after the test vote was taken back elsewhere', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    acceptVotes();
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    expect(await screen.findByRole('heading', { name: 'Your vote is stored' })).toBeInTheDocument();
    send('vote_count', { voteCount: 1, registerSize: 10, quorum: null }, 11);
    given.meeting = { ...given.meeting, questions: [voterQuestion()] };
    given.live = { ...given.live, version: 12 };
    send('vote_count', { voteCount: 0, registerSize: 10, quorum: null }, 12);
    expect(await screen.findByRole('radio', { name: 'Yes' }, { timeout: 6_000 })).toBeEnabled();
    expect(screen.queryByText(/is stored/)).not.toBeInTheDocument();
  });

  it('is offered where this device remembers a vote that the server does not have', async () => {
    voteNotes.add(MEETING_ID, {
      id: 'q1',
      text: 'x',
      type: 'SINGLE_CHOICE',
      userAnswers: ['Yes'],
      answeredAt: 'now',
    });
    given.meeting.questions = [voterQuestion()];
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeEnabled();
  });

  it('says to people outside the register why they have nothing to answer', async () => {
    given.meeting.questions = [voterQuestion({ isInRegister: false })];
    await join({ currentQuestion: liveQuestion() });
    expect(
      await screen.findByRole('heading', { name: 'You cannot vote on this question' }),
    ).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('clears what was chosen when the question closes, and says that nothing was counted', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    given.meeting = { ...given.meeting, questions: [voterQuestion({ isActive: false })] };
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
    given.live = liveState({ version: 12, registerSize: 11, currentQuestion: liveQuestion({ closesAt }) });
    send('meeting_update', given.live, 12);
    expect(screen.getByRole('timer')).toHaveTextContent(/^Voting closes in 0:4/);
    send('connected', { ...given.live, version: 40 }, 40);
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

  it('learns after a reload that voting has closed meanwhile', async () => {
    ballotDraftNote.save(MEETING_ID, draft);
    given.meeting.questions = [voterQuestion({ isActive: false })];
    await join();
    expect(
      await screen.findByText('You had not submitted a vote on it, so none was counted.'),
    ).toBeInTheDocument();
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('of which another device had handed in a vote is not said to have counted for nothing', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    given.meeting = {
      ...given.meeting,
      questions: [voterQuestion({ isActive: false, hasVoted: true, userVote: ['Yes'] })],
    };
    send('question_deactivated', { id: 'q1', step: 2 }, 11);
    expect(await screen.findByRole('region', { name: 'Your Answers' })).toHaveTextContent('Yes');
    expect(screen.queryByText(/none was counted/)).not.toBeInTheDocument();
  });

  it('gives way to the vote of another tab', async () => {
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    given.meeting = { ...given.meeting, questions: [voterQuestion({ hasVoted: true, userVote: ['Yes'] })] };
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: `votedQuestions_${MEETING_ID}` }));
    });
    expect(await screen.findByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });
});

/** A ballot without a response of the server, from before a reload. */
function keptBallot(userId: string): UndeliveredBallot {
  return {
    userId,
    questionId: 'q1',
    roundId: 'r1',
    text: 'Shall the accounts be approved?',
    type: 'SINGLE_CHOICE',
    orderIndex: 1,
    answers: ['No'],
  };
}

describe('a vote on a bad line', () => {
  it('is kept and repeated with the same content until the server confirms it', async () => {
    const received: string[][] = [];
    let isDown = true;
    server.use(
      http.post(VOTE, async ({ request, response }) => {
        const { answers: sent } = await request.json();
        const answers = sent ?? [];
        received.push(answers);
        return isDown
          ? response.untyped(HttpResponse.error())
          : response(201).json({
              success: true,
              vote: { id: 'v1', answers, castAt: '2026-11-21T13:00:05Z', receipt: null },
            });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());

    expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
    expect(screen.queryByText('Vote submitted successfully!')).not.toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toMatchObject({ answers: ['No'] });

    // The next question does not replace the ballot that is being sent.
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

  it('is said to be stored if the next question opens before that can be read, and not later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    acceptVotes();
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    await screen.findByRole('heading', { name: 'Your vote is stored' });
    activate(liveQuestion({ id: 'q2', roundId: 'r2', text: 'Roof?' }), 11);
    await screen.findByRole('heading', { name: /Roof\?/ });
    expect(screen.getByRole('heading', { name: 'Your vote on question 1 is stored.' })).toBeInTheDocument();

    vi.setSystemTime(Date.now() + 6_000);
    activate(liveQuestion({ id: 'q3', roundId: 'r3', text: 'Lift?' }), 12);
    await screen.findByRole('heading', { name: /Lift\?/ });
    expect(screen.queryByText('Your vote on question 1 is stored.')).not.toBeInTheDocument();
  });

  it('gives way to a later question that the voter missed', async () => {
    acceptVotes();
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    await screen.findByRole('heading', { name: 'Your vote is stored' });
    activate(liveQuestion({ id: 'q2', roundId: 'r2', text: 'Roof?' }), 11);
    await screen.findByRole('heading', { name: 'Your vote on question 1 is stored.' });
    send('question_deactivated', { id: 'q2', step: 12 }, 12);
    expect(
      await screen.findByRole('heading', { name: 'Voting on this question has ended' }),
    ).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Your vote is stored' })).not.toBeInTheDocument();
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
        const { answers: sent, roundId } = await request.json();
        const answers = sent ?? [];
        rounds.push(roundId);
        return response(201).json({
          success: true,
          vote: { id: 'v1', answers, castAt: '2026-11-21T13:00:05Z', receipt: null },
        });
      }),
    );
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    await waitFor(() => expect(rounds).toEqual(['r1']));
  });

  it('repeats by itself when the server is busy', async () => {
    let attempts = 0;
    server.use(
      http.post(VOTE, ({ response }) => {
        attempts += 1;
        return attempts === 1
          ? response.untyped(
              HttpResponse.json(
                { error: 'Busy', message: 'Busy', code: 'queue_full' },
                { status: 503, headers: { 'Retry-After': '1' } },
              ),
            )
          : response(201).json({
              success: true,
              vote: { id: 'v1', answers: ['Yes'], castAt: '2026-11-21T13:00:05Z', receipt: null },
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
    expect(attempts).toBe(2);
  });

  it('is taken up again after a reload', async () => {
    const received = acceptVotes();
    undeliveredBallotNote.save(MEETING_ID, keptBallot(voter.id));
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByText('Vote submitted successfully!')).toBeInTheDocument();
    expect(received).toEqual([['No']]);
  });

  it('goes on being sent while the meeting cannot be fetched, and its outcome stays', async () => {
    const received = acceptVotes();
    let isDown = true;
    let requests = 0;
    let endSecond = () => {};
    const second = new Promise<void>((resolve) => {
      endSecond = resolve;
    });
    server.use(
      http.get('/voting/meetings/{meetingId}', async ({ response }) => {
        requests += 1;
        await (requests === 2 ? second : null);
        return response.untyped(HttpResponse.error());
      }),
      http.post(VOTE, ({ response }) => (isDown ? response.untyped(HttpResponse.error()) : undefined)),
    );
    undeliveredBallotNote.save(MEETING_ID, keptBallot(voter.id));
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
    await waitFor(() => expect(requests).toBe(1));
    act(() => {
      window.dispatchEvent(new Event('visibilitychange'));
    });
    await waitFor(() => expect(requests).toBe(2));
    expect(screen.getByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
    isDown = false;
    expect(await screen.findByRole('heading', { name: 'Your vote is stored' })).toBeInTheDocument();
    expect(received).toEqual([['No']]);
    await act(async () => {
      endSecond();
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(screen.getByRole('heading', { name: 'Your vote is stored' })).toBeInTheDocument();
  });

  it('of somebody else on the same phone is left alone', async () => {
    const received = acceptVotes();
    undeliveredBallotNote.save(MEETING_ID, keptBallot('somebody-else'));
    await join({ currentQuestion: liveQuestion() });
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
    expect(received).toEqual([]);
  });
});
