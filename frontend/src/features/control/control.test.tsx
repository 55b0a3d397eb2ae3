import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Meeting, Question, Result, Round } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState } from '../../test/live-samples';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
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
    ...change,
  };
}

function result(of: Round, change: Partial<Result> = {}): Result {
  return {
    round: of,
    votesCast: { heads: 171, weight: 190.25 },
    register: { heads: 180, weight: 200.5 },
    options: [
      { id: 'o1', text: 'Yes', role: 'yes', heads: 132, weight: 150.5 },
      { id: 'o2', text: 'No', role: 'no', heads: 39, weight: 39.75 },
    ],
    numbers: null,
    texts: null,
    ...change,
  };
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
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(live)),
    http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
      const body = await request.json();
      asked.push(body);
      const question = questions.find(({ id }) => id === body.questionId);
      live = {
        ...live,
        version: live.version + 1,
        currentQuestion: question
          ? body.open === false
            ? shown(question)
            : { ...shown(question), isActive: true, roundId: 'r1', openedAt: new Date().toISOString() }
          : null,
        voteCount: 0,
        registerSize: body.questionId && body.open !== false ? 180 : 0,
      };
      return response(200).json({ success: true, currentQuestion: null });
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
      FakeEventSource.latest.send('vote_count', { voteCount: 45, registerSize: 180 }, live.version + 1),
    );
    const figures = within(screen.getByRole('region', { name: 'Live Statistics' }));
    expect(figures.getByText('45 of 180')).toBeInTheDocument();
    expect(figures.getByText('25 %')).toBeInTheDocument();
    expect(screen.getByText('The tally is shown when the question has ended.')).toBeInTheDocument();

    rounds = [round()];
    results = { r1: result(round()) };
    live.version += 1;
    await user.click(screen.getByRole('button', { name: 'End Question' }));
    expect(await screen.findByText('Question ended and participants notified')).toBeInTheDocument();
    expect(asked.at(-1)).toEqual({ questionId: null });
    expect(await screen.findByText('1 / 2')).toBeInTheDocument();
    expect(screen.getByText('50%')).toBeInTheDocument();

    const yes = await screen.findByRole('row', { name: /Yes/ });
    expect(yes).toHaveTextContent('132');
    expect(yes).toHaveTextContent('150.5');
    expect(screen.getByText(/171 of 180 voted \(95 %\), weight 190.25 of 200.5/)).toBeInTheDocument();
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
    expect(await screen.findByText(/^Failed to start question/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start Question' })).toBeEnabled());
  });
});

describe('results', () => {
  it('of earlier questions and rounds are seen from the agenda, and move nothing in the hall', async () => {
    const second = round({ id: 'r2', number: 2, endedAt: '2026-11-21T13:20:00Z' });
    rounds = [round(), second];
    results = {
      r1: result(round()),
      r2: result(second, {
        options: [{ id: 'o1', text: 'Yes', role: 'yes', heads: 99, weight: 99 }],
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
          distribution: [
            { value: 5, heads: 35, weight: 40.75 },
            { value: 3, heads: 40, weight: 41 },
          ],
        },
      }),
    };
    await control();
    expect(await screen.findByText('3.84')).toBeInTheDocument();
    expect(screen.getByText('3.9')).toBeInTheDocument();
    const rows = within(screen.getByRole('table')).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['AnswerHeadsWeight', '34041', '53540.75']);
  });

  it('of texts are the list', async () => {
    const text = round({ questionType: 'OPEN_TEXT' });
    rounds = [text];
    results = {
      r1: result(text, { options: [], texts: [{ text: 'More bicycle stands', heads: 3, weight: 3.5 }] }),
    };
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
