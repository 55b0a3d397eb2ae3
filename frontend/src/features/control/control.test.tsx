import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Meeting, Question, Result, Round } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState, timed } from '../../test/live-samples';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleResult } from '../../test/result-samples';
import { sampleMeeting, sampleQuestion } from '../../test/samples';
import { http, server } from '../../test/server';

installFakeEventSource();

let meeting: Meeting;
let questions: Question[];
let rounds: Round[];
let results: Record<string, Result>;
let live: LiveState;
/** What was asked of the server, in order. */
let asked: unknown[];
/** On which state each step was decided. */
let decidedOn: (string | null)[];

function round(change: Partial<Round> = {}): Round {
  return {
    id: 'r1',
    questionId: 'q1',
    number: 1,
    status: 'ENDED',
    questionText: 'Is the agenda adopted?',
    questionType: 'YES_NO',
    openedAt: '2026-11-21T13:00:00Z',
    endedAt: '2026-11-21T13:05:00Z',
    registerSize: 180,
    registerWeight: 200.5,
    voteCount: 171,
    reason: null,
    countedAt: null,
    declaredAt: null,
    declaredBy: null,
    ...change,
  };
}

function option(text: 'Yes' | 'No', heads: number, weight: number): Result['options'][number] {
  const role = text === 'Yes' ? 'yes' : 'no';
  return { id: role, text, role, heads, headsPercent: 50, weight, weightPercent: 50 };
}

function result(of: Round, change: Partial<Result> = {}): Result {
  return sampleResult({
    roundId: of.id,
    questionId: of.questionId,
    number: of.number,
    questionText: of.questionText,
    questionType: of.questionType,
    endedAt: of.endedAt ?? '',
    votesCast: { heads: 171, weight: 190.25 },
    notVoted: { heads: 9, weight: 10.25 },
    register: { heads: 180, weight: 200.5 },
    options: [option('Yes', 132, 150.5), option('No', 39, 39.75)],
    ...change,
  });
}

const shown = (question: Question) =>
  liveQuestion({
    id: question.id,
    text: question.questionText,
    orderIndex: question.orderIndex,
    isActive: false,
    roundId: null,
    openedAt: null,
  });

beforeEach(() => {
  asked = [];
  decidedOn = [];
  meeting = sampleMeeting({ status: 'ACTIVE' });
  questions = [
    sampleQuestion({ id: 'q1', orderIndex: 1, questionText: 'Is the agenda adopted?' }),
    sampleQuestion({ id: 'q2', orderIndex: 2, questionText: 'Are the accounts approved?' }),
  ];
  rounds = [];
  results = {};
  live = liveState({ meetingId: meeting.id });
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json(questions)),
    http.get('/client/meetings/{meetingId}/rounds', ({ response }) => response(200).json(rounds)),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/result', ({ params, response }) => {
      const found = results[params.roundId];
      return found
        ? response(200).json(found)
        : response.untyped(HttpResponse.json({ error: 'x', code: 'round_still_open' }, { status: 409 }));
    }),
    http.get('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
      response(200).json([]),
    ),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(live))),
    http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
      const body = await request.json();
      asked.push(body);
      decidedOn.push(new URL(request.url).searchParams.get('step'));
      const question = questions.find(({ id }) => id === body.questionId);
      live = {
        ...live,
        version: live.version + 1,
        step: live.step + 1,
        currentQuestion: question
          ? body.open === false
            ? shown(question)
            : { ...shown(question), isActive: true, roundId: 'r1', openedAt: new Date().toISOString() }
          : null,
        voteCount: 0,
        registerSize: body.questionId && body.open !== false ? 180 : 0,
      };
      return response(200).json({
        success: true,
        currentQuestion: null,
        step: live.step,
        serverTime: new Date().toISOString(),
      });
    }),
  );
});

async function control(state: Partial<LiveState> = {}) {
  const app = await renderApp(`/client/meetings/${meeting.id}/control`, { as: clientAdmin });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  live = { ...live, ...state };
  act(() => FakeEventSource.latest.send('connected', live, live.version));
  await screen.findByRole('heading', { level: 1, name: meeting.title });
  return app;
}

describe('before it is known what is on the screens', () => {
  it('nothing can be started, because it would be the question of before', async () => {
    rounds = [round()];
    const { user } = await renderApp(`/client/meetings/${meeting.id}/control`, { as: clientAdmin });
    expect(await screen.findByText('Finding out where the meeting stands…')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Start Question' })).not.toBeInTheDocument();
    await user.keyboard(' ');
    expect(asked).toEqual([]);

    const [, second] = questions as [Question, Question];
    act(() =>
      FakeEventSource.latest.send('connected', { ...live, currentQuestion: shown(second) }, live.version),
    );
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start Question' }));
    await waitFor(() => expect(asked).toEqual([{ questionId: 'q2' }]));
  });
});

describe('questions', () => {
  it('are started, counted and ended', async () => {
    const { user } = await control({ participantCount: 164 });
    expect(await screen.findByRole('heading', { name: 'Question Control - 1 of 2' })).toBeInTheDocument();
    expect(screen.getByText('164 Active Participants')).toBeInTheDocument();
    expect(screen.getByText('Connected via live stream')).toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Start Question' }));
    expect(await screen.findByText('Question activated and broadcast to participants')).toBeInTheDocument();
    expect(asked).toEqual([{ questionId: 'q1' }]);
    expect(await screen.findByRole('timer')).toHaveTextContent(/^Elapsed 0:0/);
    act(() =>
      FakeEventSource.latest.send(
        'vote_count',
        { voteCount: 45, registerSize: 180, quorum: null },
        live.version + 1,
      ),
    );
    const figures = within(screen.getByRole('region', { name: 'Live Statistics' }));
    expect(figures.getByText('45 of 180')).toBeInTheDocument();
    expect(figures.getByText('25 %')).toBeInTheDocument();
    expect(screen.getByText('The tally is shown when the question has ended.')).toBeInTheDocument();

    rounds = [round()];
    results = { r1: result(round()) };
    live.version += 1;
    await user.click(screen.getByRole('button', { name: 'End Question' }));
    await user.click(await screen.findByRole('button', { name: 'End Question Now' }));
    expect(await screen.findByText('Question ended and participants notified')).toBeInTheDocument();
    expect(asked.at(-1)).toEqual({ questionId: null });
    expect(await screen.findByText('1 / 2')).toBeInTheDocument();
    expect(screen.getByText('50%')).toBeInTheDocument();

    const yes = await screen.findByRole('row', { name: /Yes/ });
    expect(yes).toHaveTextContent('132');
    expect(yes).toHaveTextContent('150.5');
    expect(screen.getByText(/171 of 180 voted, weight 190.25 of 200.5/)).toBeInTheDocument();
  });

  it('are moved through, without opening them', async () => {
    const { user } = await control();
    expect(await screen.findByRole('button', { name: 'Previous' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Moved to next question')).toBeInTheDocument();
    expect(asked).toEqual([{ questionId: 'q2', open: false }]);
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Start Question' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(await screen.findByText('Moved to previous question')).toBeInTheDocument();
    expect(asked.at(-1)).toEqual({ questionId: 'q1', open: false });
  });

  it('follow another screen that moved on', async () => {
    await control();
    const second = questions[1] as Question;
    live = { ...live, version: 11, currentQuestion: { ...shown(second), isActive: true, roundId: 'r2' } };
    act(() => FakeEventSource.latest.send('meeting_update', live, 11));
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'End Question' })).toBeInTheDocument();
  });

  it('stand where the meeting was last after a reload', async () => {
    rounds = [round(), round({ id: 'r2', questionId: 'q2', openedAt: '2026-11-21T13:10:00Z' })];
    results = { r2: result(round({ id: 'r2', questionId: 'q2' })) };
    await control();
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
  });

  it('say why they could not be started', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    expect(await screen.findAllByText(/^Failed to start question/)).not.toHaveLength(0);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start Question' })).toBeEnabled());
  });
});

describe('results', () => {
  it('of a question that is opened again are not asked for', async () => {
    rounds = [round()];
    results = { r1: result(round()) };
    const { user } = await control();
    await screen.findByRole('row', { name: /Yes/ });
    rounds = [round({ status: 'OPEN', endedAt: null })];
    results = {};
    await user.click(screen.getByRole('button', { name: 'Start Question' }));
    expect(await screen.findByText('The tally is shown when the question has ended.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('row', { name: /Yes/ })).not.toBeInTheDocument());
    expect(screen.queryByText(/out of date/)).not.toBeInTheDocument();
  });

  it('of earlier questions and rounds are seen from the agenda, and move nothing in the hall', async () => {
    const second = round({ id: 'r2', number: 2, endedAt: '2026-11-21T13:20:00Z' });
    rounds = [round(), second];
    results = {
      r1: result(round()),
      r2: result(second, {
        options: [option('Yes', 99, 99)],
      }),
    };
    const { user } = await control({ currentQuestion: shown(questions[1] as Question) });
    expect(await screen.findByText('This question has not been voted on yet.')).toBeInTheDocument();
    await user.click(within(screen.getByRole('navigation', { name: 'Agenda' })).getByText(/agenda adopted/));
    expect(await screen.findByRole('heading', { name: 'Result of question 1' })).toBeInTheDocument();
    expect(await screen.findByRole('row', { name: /Yes/ })).toHaveTextContent('99');
    await user.click(screen.getByRole('radio', { name: 'Round 1' }));
    await waitFor(() => expect(screen.getByRole('row', { name: /Yes/ })).toHaveTextContent('132'));
    expect(asked).toEqual([]);
    expect(screen.getByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
  });

  it('of numbers are averages and a distribution', async () => {
    const rating = round({ questionType: 'RATING' });
    rounds = [rating];
    results = {
      r1: result(rating, {
        options: [],
        numbers: {
          mean: 3.842,
          weightedMean: 3.9,
          median: 4,
          weightedMedian: 4,
          distribution: [
            { value: 3, heads: 40, weight: 41 },
            { value: 5, heads: 35, weight: 40.75 },
          ],
        },
      }),
    };
    await control();
    expect(await screen.findByText('3.842')).toBeInTheDocument();
    expect(screen.getByText('3.9')).toBeInTheDocument();
    const table = screen.getByRole('table', { name: /^Votes per answer/ });
    const rows = within(table).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['AnswerHeadsWeight', '34041', '53540.75']);
  });

  it('of texts are the list', async () => {
    const text = round({ questionType: 'OPEN_TEXT' });
    rounds = [text];
    results = { r1: result(text, { options: [], differentTexts: 1 }) };
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/answers', ({ response }) =>
        response(200).json({
          data: [{ text: 'More bicycle stands', heads: 3, weight: 3.5 }],
          meta: { page: 1, pageSize: 50, total: 1 },
        }),
      ),
    );
    await control();
    expect(await screen.findByText('More bicycle stands')).toBeInTheDocument();
    expect(screen.getByText('3 voters, weight 3.5')).toBeInTheDocument();
  });
});

describe('the meeting', () => {
  it('is started by its status', async () => {
    meeting = sampleMeeting({ status: 'SCHEDULED' });
    server.use(
      http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
        asked.push(await request.json());
        meeting = sampleMeeting({ status: 'ACTIVE' });
        live = { ...live, version: 11, status: 'ACTIVE' };
        return response(200).json(meeting);
      }),
    );
    const { user } = await control({ status: 'SCHEDULED' });
    expect(await screen.findByRole('heading', { name: 'The meeting has not started' })).toBeInTheDocument();
    expect(screen.queryByText(/Question Control/)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start Meeting' }));
    expect(await screen.findByText('Meeting started successfully')).toBeInTheDocument();
    expect(asked).toEqual([{ status: 'ACTIVE' }]);
    expect(await screen.findByRole('heading', { name: 'Question Control - 1 of 2' })).toBeInTheDocument();
  });

  it('is not started without questions', async () => {
    meeting = sampleMeeting({ status: 'SCHEDULED', questionCount: 0 });
    questions = [];
    await control({ status: 'SCHEDULED' });
    expect(await screen.findByRole('button', { name: 'Start Meeting' })).toBeDisabled();
    expect(screen.getByRole('heading', { name: 'No questions available' })).toBeInTheDocument();
    expect(screen.getByText('No participants yet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Manage Questions' })).toHaveAttribute(
      'href',
      `/client/meetings/${meeting.id}/questions`,
    );
  });

  it('is ended only after asking', async () => {
    server.use(
      http.post('/client/meetings/{meetingId}/end', ({ response }) => {
        asked.push('end');
        meeting = sampleMeeting({ status: 'COMPLETED' });
        live = { ...live, version: 11, status: 'COMPLETED' };
        return response(200).json(meeting);
      }),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'End Meeting' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(asked).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'End Meeting' }));
    expect(await screen.findByText('Meeting ended successfully')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'The meeting has ended' })).toBeInTheDocument();
  });

  it('is missing where the server does not know it', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) =>
        response.untyped(HttpResponse.json({ error: 'x', code: 'meeting_not_found' }, { status: 404 })),
      ),
    );
    await renderApp(`/client/meetings/${meeting.id}/control`, { as: clientAdmin });
    expect(await screen.findByText('Meeting not found')).toBeInTheDocument();
  });

  it('can be tried again where it could not be loaded', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) => response.untyped(HttpResponse.error())),
    );
    const { user } = await renderApp(`/client/meetings/${meeting.id}/control`, { as: clientAdmin });
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getAllByText('Failed to load meeting data').length).toBeGreaterThan(0);
    server.use(http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: meeting.title })).toBeInTheDocument();
  });
});

describe('links', () => {
  it('are copied', async () => {
    server.use(
      http.post('/client/meetings/{meetingId}/generate-link', ({ response }) =>
        response(200).json({ invitationLink: 'abc' }),
      ),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'Copy Presentation Link' }));
    expect(await screen.findByText('Presentation link copied to clipboard')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(
      `http://plenum.test/presentation/meeting/${meeting.id}`,
    );
    await user.click(screen.getByRole('button', { name: 'Copy Invitation Link' }));
    expect(await screen.findByText('Meeting invitation link copied to clipboard')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('http://plenum.test/vote/abc');
  });

  it('open the presentation in a window of its own', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(window);
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'Open Presentation' }));
    expect(open).toHaveBeenCalledWith(
      `http://plenum.test/presentation/meeting/${meeting.id}`,
      'plenum-presentation',
      'popup,width=1920,height=1080',
    );
    open.mockRestore();
  });
});

/** Voting on the first question is open, and nobody has voted. */
const openFirst = () => ({
  currentQuestion: { ...shown(questions[0] as Question), isActive: true, roundId: 'r1' },
  registerSize: 180,
});

function hearVotes(voteCount: number) {
  live = { ...live, voteCount, version: live.version + 1 };
  act(() =>
    FakeEventSource.latest.send('vote_count', { voteCount, registerSize: 180, quorum: null }, live.version),
  );
}

describe('a step', () => {
  const stale = {
    error:
      'Another organizer made a change first: voting on “Are the accounts approved?” is open now. Your change was not made.',
    code: 'stale_step',
    step: 8,
    currentQuestion: null,
  };

  it('names the state that it was decided on', async () => {
    const { user } = await control({ step: 7 });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    await screen.findByRole('button', { name: 'End Question' });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('heading', { name: 'Question Control - 2 of 2' });
    expect(decidedOn).toEqual(['7', '8']);
  });

  it('on an old state is refused with what changed, which is shown then', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) => {
        const second = questions[1] as Question;
        live = {
          ...live,
          version: 12,
          step: 8,
          currentQuestion: { ...shown(second), isActive: true, roundId: 'r2' },
        };
        return response.untyped(HttpResponse.json(stale, { status: 409 }));
      }),
    );
    const { user } = await control({ step: 7 });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    const panel = within(await screen.findByRole('region', { name: /^Question Control/ }));
    expect(await panel.findByText(stale.error)).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'End Question' })).toBeInTheDocument();
    expect(screen.getByText(stale.error, { selector: '[role="alert"] *' })).toBeInTheDocument();
    // Gone as soon as the hall goes on.
    live = { ...live, version: 13, step: 9, currentQuestion: null };
    act(() => FakeEventSource.latest.send('meeting_update', live, 13));
    expect(panel.queryByText(stale.error)).not.toBeInTheDocument();
    expect(panel.getByText('Changed on another screen: the question was ended.')).toBeInTheDocument();
  });

  it('answers in its place until it is made, and is sent once', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
        asked.push(await request.json());
        await held;
        return response.untyped(HttpResponse.error());
      }),
    );
    const { user } = await control();
    const start = await screen.findByRole('button', { name: 'Start Question' });
    await user.dblClick(start);
    expect(start).toHaveTextContent('Starting…');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.keyboard('{ArrowRight}');
    release();
    expect(await screen.findByRole('button', { name: 'Start Question' })).toBeInTheDocument();
    expect(asked).toEqual([{ questionId: 'q1' }]);
  });
});

describe('ending a round', () => {
  it('while votes come in is asked for, with the choice that ends nothing at hand', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    const guard = await screen.findByRole('alertdialog', {
      name: 'Votes are still coming in: 12 in the last 10 seconds, 168 have not voted.',
    });
    expect(guard).toHaveTextContent('Ending the question closes its voting for everyone.');
    expect(screen.getByRole('button', { name: 'Keep Voting Open' })).toHaveFocus();
    await user.keyboard('{ArrowRight} ');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await user.dblClick(screen.getByRole('button', { name: 'End Question' }));
    expect(screen.getByRole('button', { name: 'Keep Voting Open' })).toHaveFocus();
    await user.keyboard('{ArrowRight}{Escape}');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(asked).toEqual([]);

    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent('shows question 2');
    await user.click(screen.getByRole('button', { name: 'Close Voting, Go to Question 2' }));
    await screen.findByRole('heading', { name: 'Question Control - 2 of 2' });
    expect(asked).toEqual([{ questionId: 'q2', open: false }]);
  });

  it('is not asked for where everybody has voted, or nobody is voting', async () => {
    const { user } = await control({ ...openFirst(), voteCount: 40 });
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    await screen.findByRole('button', { name: 'Start Question' });
    expect(asked).toEqual([{ questionId: null }]);

    live = { ...live, ...openFirst(), voteCount: 0, version: live.version + 1, step: live.step + 1 };
    act(() => FakeEventSource.latest.send('meeting_update', live, live.version));
    hearVotes(180);
    await user.click(screen.getByRole('button', { name: 'End Question' }));
    await screen.findByRole('button', { name: 'Start Question' });
    expect(asked).toHaveLength(2);
  });

  it('is not confirmed on a state that somebody else has changed meanwhile', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    await screen.findByRole('alertdialog');
    live = {
      ...live,
      ...openFirst(),
      voteCount: 12,
      version: live.version + 1,
      step: live.step + 1,
      currentQuestion: { ...openFirst().currentQuestion, closesAt: '2099-01-01T00:00:00Z' },
    };
    act(() => FakeEventSource.latest.send('meeting_update', live, live.version));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.getByText('Changed on another screen: a countdown was set.')).toBeInTheDocument();
    expect(asked).toEqual([]);
  });

  it('with the meeting tells who is missing', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Meeting' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'Votes are still coming in: 12 in the last 10 seconds, 168 have not voted.',
    );
  });
});

/** At a time of its own, however slow this machine is. */
function pressSpace(at: number) {
  const press = new KeyboardEvent('keydown', { key: ' ', bubbles: true });
  Object.defineProperty(press, 'timeStamp', { value: at });
  act(() => {
    document.body.dispatchEvent(press);
  });
}

describe('the keys', () => {
  it('move and start, except while one types or is in a dialog', async () => {
    const { user } = await control();
    await screen.findByRole('button', { name: 'Start Question' });
    expect(screen.getByRole('list', { name: 'Keyboard' })).toHaveTextContent('Space Start / End');
    await user.keyboard('{ArrowLeft}');
    await user.keyboard('{ArrowRight}');
    await screen.findByRole('heading', { name: 'Question Control - 2 of 2' });
    await screen.findByRole('button', { name: 'Previous' });
    await user.keyboard(' ');
    await screen.findByRole('button', { name: 'End Question' });
    expect(asked).toEqual([{ questionId: 'q2', open: false }, { questionId: 'q2' }]);

    await user.click(screen.getByRole('radio', { name: 'Own' }));
    await user.click(screen.getByLabelText('Length in seconds'));
    await user.keyboard('{ArrowLeft} ');
    await user.click(screen.getByRole('button', { name: 'End Meeting' }));
    await screen.findByRole('dialog');
    await user.keyboard('{ArrowLeft}');
    expect(asked).toHaveLength(2);
  });

  it('leave an open menu its own keys', async () => {
    const { user } = await control();
    await screen.findByRole('button', { name: 'Start Question' });
    await user.click(screen.getByRole('button', { name: 'Export Results' }));
    act(() => screen.getByRole('menuitem', { name: 'CSV' }).focus());
    await user.keyboard('{ArrowRight}m');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(asked).toEqual([]);
  });

  it('do nothing more when held down', async () => {
    const { user } = await control();
    await screen.findByRole('button', { name: 'Start Question' });
    await user.keyboard('{ >3/}');
    await screen.findByRole('button', { name: 'End Question' });
    expect(asked).toEqual([{ questionId: 'q1' }]);
  });

  it('end nothing by a slip of Space', async () => {
    await control();
    await screen.findByRole('button', { name: 'Start Question' });
    pressSpace(1_000_000);
    await screen.findByRole('button', { name: 'End Question' });
    pressSpace(1_000_500);
    expect(screen.getByRole('button', { name: 'End Question' })).toBeInTheDocument();
    pressSpace(1_001_200);
    await screen.findByRole('button', { name: 'Start Question' });
    expect(asked).toEqual([{ questionId: 'q1' }, { questionId: null }]);
  });
});

describe('a countdown', () => {
  it('is set, extended and canceled', async () => {
    const countdown = (closesAt: string | null) => {
      live = {
        ...live,
        version: live.version + 1,
        step: live.step + 1,
        currentQuestion: live.currentQuestion && { ...live.currentQuestion, closesAt },
      };
      return {
        success: true,
        currentQuestion: null,
        step: live.step,
        serverTime: new Date().toISOString(),
      };
    };
    server.use(
      http.put('/client/meetings/{meetingId}/countdown', async ({ request, response }) => {
        const body = await request.json();
        asked.push(body);
        return response(200).json(countdown(new Date(Date.now() + body.seconds * 1_000).toISOString()));
      }),
      http.delete('/client/meetings/{meetingId}/countdown', ({ response }) => {
        asked.push('canceled');
        return response(200).json(countdown(null));
      }),
    );
    const { user } = await control(openFirst());
    const region = within(await screen.findByRole('region', { name: 'Countdown' }));
    await user.click(region.getByRole('radio', { name: '2 min' }));
    await user.click(region.getByRole('button', { name: 'Start Countdown' }));
    expect(await region.findByRole('timer', { name: 'Time left' })).toHaveTextContent(/^(2:00|1:59)$/);
    await user.click(region.getByRole('button', { name: '+30 s' }));
    await waitFor(() => expect(region.getByRole('timer')).toHaveTextContent(/^2:/));
    await waitFor(() => expect(region.getByRole('button', { name: '+30 s' })).toBeEnabled());
    await user.click(await region.findByRole('button', { name: 'Cancel Countdown' }));
    expect(await region.findByRole('button', { name: 'Start Countdown' })).toBeInTheDocument();
    expect(asked[0]).toEqual({ seconds: 120 });
    expect((asked[1] as { seconds: number }).seconds).toBeGreaterThanOrEqual(145);
    expect(asked[2]).toBe('canceled');
  });

  it('of an impossible length is not set', async () => {
    const { user } = await control(openFirst());
    await user.click(await screen.findByRole('radio', { name: 'Own' }));
    const length = screen.getByLabelText('Length in seconds');
    await user.clear(length);
    await user.type(length, '3');
    expect(screen.getByText('From 5 to 3600 seconds')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start Countdown' }));
    expect(asked).toEqual([]);
  });

  it('that is over closes the voting by itself, and the screen says so', async () => {
    const closesAt = new Date(Date.now() - 100).toISOString();
    const open = openFirst().currentQuestion;
    await control({ ...openFirst(), currentQuestion: { ...open, closesAt } });
    expect(await screen.findByRole('timer', { name: 'Time left' })).toHaveTextContent('Closing…');
    live = {
      ...live,
      version: live.version + 2,
      step: live.step + 1,
      currentQuestion: { ...open, isActive: false, closesAt: null },
    };
    act(() => {
      FakeEventSource.latest.send('question_deactivated', { id: 'q1', step: live.step }, live.version - 1);
      FakeEventSource.latest.send('meeting_update', live, live.version);
    });
    expect(screen.getByText('The countdown is over: voting has closed by itself.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Start Question' })).toBeInTheDocument();
  });
});

describe('the agenda', () => {
  it('says what each question is at', async () => {
    rounds = [round({ questionId: 'q2', id: 'r2' })];
    results = { r2: result(round({ questionId: 'q2', id: 'r2' })) };
    await control(openFirst());
    hearVotes(45);
    const agenda = within(await screen.findByRole('navigation', { name: 'Agenda' }));
    expect(agenda.getByText('Voting open, 45 of 180 voted')).toBeInTheDocument();
    expect(agenda.getByText('Ended, 171 of 180 voted')).toBeInTheDocument();
  });

  it('says of a question on the screen whether it was asked, and whether its result is declared', async () => {
    rounds = [round({ questionId: 'q2', id: 'r2', status: 'DECLARED' })];
    results = { r2: result(round({ questionId: 'q2', id: 'r2' })) };
    const { user } = await control({ currentQuestion: shown(questions[0] as Question) });
    const agenda = within(await screen.findByRole('navigation', { name: 'Agenda' }));
    expect(screen.getByText('On screen, not opened yet')).toBeInTheDocument();
    expect(screen.queryByText(/voting closed/)).not.toBeInTheDocument();
    expect(agenda.getByText('On screen, not asked yet')).toBeInTheDocument();

    await user.click(await agenda.findByText('Declared, 171 of 180 voted'));
    await user.click(await screen.findByRole('button', { name: 'Show Result on Screen' }));
    expect(await screen.findByText('On screen, result declared')).toBeInTheDocument();
    expect(agenda.getByText('On screen, declared, 171 of 180 voted')).toBeInTheDocument();
  });

  it('previews a question, which is shown in the hall only when that is asked for', async () => {
    const { user } = await control({ currentQuestion: shown(questions[0] as Question) });
    await user.click(
      within(await screen.findByRole('navigation', { name: 'Agenda' })).getByText(/accounts approved/),
    );
    const preview = within(await screen.findByRole('region', { name: 'Preview of question 2' }));
    expect(preview.getByText('Only you see this. Nothing has changed in the hall.')).toBeInTheDocument();
    await user.click(preview.getByRole('button', { name: 'Close Preview' }));
    expect(screen.queryByRole('region', { name: /^Preview/ })).not.toBeInTheDocument();
    expect(asked).toEqual([]);

    await user.click(within(screen.getByRole('navigation', { name: 'Agenda' })).getByText(/accounts/));
    await user.click(screen.getByRole('button', { name: 'Show on Screen' }));
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: /^Preview/ })).not.toBeInTheDocument();
    expect(asked).toEqual([{ questionId: 'q2', open: false }]);
  });
});

describe('who has not voted', () => {
  it('is counted, named, searched and followed', async () => {
    let names = ['Ada Byron', 'Bo Nilsen'];
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ query, response }) => {
        const found = names.filter((name) => name.includes(query.get('search') ?? ''));
        expect(query.get('voted')).toBe('false');
        return response(200).json({
          data: found.map((name) => ({
            endUserId: name,
            name,
            username: name.slice(0, 2),
            weight: 1.5,
            hasVoted: false,
          })),
          meta: { page: 1, pageSize: 50, total: found.length },
        });
      }),
    );
    const { user } = await control(openFirst());
    hearVotes(178);
    await user.click(await screen.findByRole('button', { name: '2 not voted yet' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Not voted yet' }));
    expect(await panel.findByText('Ada Byron')).toBeInTheDocument();
    expect(panel.getByText('2 people have not voted yet')).toBeInTheDocument();
    names = ['Bo Nilsen'];
    hearVotes(179);
    await waitFor(() => expect(panel.queryByText('Ada Byron')).not.toBeInTheDocument());
    expect(panel.getByText('1 person has not voted yet')).toBeInTheDocument();
    await user.type(panel.getByLabelText('Search by name or username'), 'Ada');
    expect(await panel.findByText('Nobody of this name is missing')).toBeInTheDocument();
  });

  it('is still known after the end', async () => {
    rounds = [round()];
    results = { r1: result(round()) };
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ response }) =>
        response(200).json({ data: [], meta: { page: 1, pageSize: 50, total: 9 } }),
      ),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: '9 people did not vote' }));
    expect(await screen.findByRole('dialog', { name: 'Who did not vote' })).toHaveTextContent(
      '9 people did not vote',
    );
  });
});

describe('without a stream', () => {
  it('the screen says that it asks', async () => {
    await control();
    expect(await screen.findByText('Connected')).toBeInTheDocument();
    act(() => FakeEventSource.latest.break());
    expect(
      await screen.findByText('The live stream cannot be held: this screen asks the server every 5 seconds.'),
    ).toBeInTheDocument();
  });
});
