import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect } from 'vitest';
import type { Meeting, Question, Result, Round } from '../api/types';
import type { LiveState } from '../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from './fake-event-source';
import { liveQuestion, liveState, timed } from './live-samples';
import { clientAdmin } from './people';
import { renderApp } from './render-app';
import { sampleResult } from './result-samples';
import { sampleMeeting, sampleQuestion, sampleRound } from './samples';
import { http, server } from './server';

/** The initial data of each test, reset before each one. */
export const given = {} as {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
  results: Record<string, Result>;
  live: LiveState;
  /** The requests to the server, in order. */
  asked: unknown[];
  /** The state that each step was decided on. */
  decidedOn: (string | null)[];
};

installFakeEventSource();

export function round(change: Partial<Round> = {}): Round {
  return sampleRound(change);
}

export function option(text: 'Yes' | 'No', heads: number, weight: number): Result['options'][number] {
  const role = text === 'Yes' ? 'yes' : 'no';
  return { id: role, text, role, heads, headsPercent: 50, weight, weightPercent: 50 };
}

export function result(of: Round, change: Partial<Result> = {}): Result {
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

export const shown = (question: Question) =>
  liveQuestion({
    id: question.id,
    text: question.questionText,
    orderIndex: question.orderIndex,
    isActive: false,
    roundId: null,
    openedAt: null,
  });

export async function control(state: Partial<LiveState> = {}) {
  const app = await renderApp(`/client/meetings/${given.meeting.id}/control`, { as: clientAdmin });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  given.live = { ...given.live, ...state };
  act(() => FakeEventSource.latest.send('connected', given.live, given.live.version));
  await screen.findByRole('heading', { level: 1, name: given.meeting.title });
  return app;
}

/** Voting on the first question is open, without votes. */
export const openFirst = () => ({
  currentQuestion: { ...shown(given.questions[0] as Question), isActive: true, roundId: 'r1' },
  registerSize: 180,
});

export function hearVotes(voteCount: number) {
  given.live = { ...given.live, voteCount, version: given.live.version + 1 };
  act(() =>
    FakeEventSource.latest.send(
      'vote_count',
      { voteCount, registerSize: 180, quorum: null },
      given.live.version,
    ),
  );
}

/** Presses Space at this time, on slow machines too. */
export function pressSpace(at: number) {
  const press = new KeyboardEvent('keydown', { key: ' ', bubbles: true });
  Object.defineProperty(press, 'timeStamp', { value: at });
  act(() => {
    document.body.dispatchEvent(press);
  });
}

export function arrangeControl() {
  given.asked = [];
  given.decidedOn = [];
  given.meeting = sampleMeeting({ status: 'ACTIVE' });
  given.questions = [
    sampleQuestion({ id: 'q1', orderIndex: 1, questionText: 'Is the agenda adopted?' }),
    sampleQuestion({ id: 'q2', orderIndex: 2, questionText: 'Are the accounts approved?' }),
  ];
  given.rounds = [];
  given.results = {};
  given.live = liveState({ meetingId: given.meeting.id });
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(given.meeting)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json(given.questions)),
    http.get('/client/meetings/{meetingId}/rounds', ({ response }) => response(200).json(given.rounds)),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', ({ response }) =>
      response(200).json({ data: [] }),
    ),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/result', ({ params, response }) => {
      const found = given.results[params.roundId];
      return found
        ? response(200).json(found)
        : response.untyped(HttpResponse.json({ error: 'x', code: 'round_still_open' }, { status: 409 }));
    }),
    http.get('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
      response(200).json([]),
    ),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(given.live))),
    http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
      const body = await request.json();
      given.asked.push(body);
      given.decidedOn.push(new URL(request.url).searchParams.get('step'));
      const question = given.questions.find(({ id }) => id === body.questionId);
      given.live = {
        ...given.live,
        version: given.live.version + 1,
        step: given.live.step + 1,
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
        step: given.live.step,
        serverTime: new Date().toISOString(),
      });
    }),
  );
}
