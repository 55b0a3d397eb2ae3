import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach } from 'vitest';
import type { Meeting, Question, Result, Round } from '../api/types';
import type { ElectionOutcome } from '../shared/elections/election-types';
import type { LiveQuestion, LiveState } from '../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from './fake-event-source';
import { liveQuestion, liveState, timed } from './live-samples';
import { clientAdmin } from './people';
import { renderApp } from './render-app';
import { sampleResult } from './result-samples';
import { sampleMeeting, sampleQuestion, sampleRound } from './samples';
import { http, server } from './server';

/** The data of the fake server behind the control view, and the steps it received. */
interface Given {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
  results: Record<string, Result>;
  elections: ElectionOutcome[];
  live: LiveState;
  /** The bodies of steps, in order. */
  asked: unknown[];
  /** The state that each step was decided on. */
  decidedOn: (string | null)[];
}

export const given = {} as Given;

/** Call this at the top of a test file about meeting control. */
export function installControl(): void {
  installFakeEventSource();
  beforeEach(() => {
    const meeting = sampleMeeting({ status: 'ACTIVE' });
    Object.assign(given, {
      meeting,
      questions: [
        sampleQuestion({ id: 'q1', orderIndex: 1, questionText: 'Is the agenda adopted?' }),
        sampleQuestion({ id: 'q2', orderIndex: 2, questionText: 'Are the accounts approved?' }),
      ],
      rounds: [],
      results: {},
      elections: [],
      live: liveState({ meetingId: meeting.id }),
      asked: [],
      decidedOn: [],
    });
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(given.meeting)),
      http.get('/client/questions/meeting/{meetingId}', ({ response }) =>
        response(200).json(given.questions),
      ),
      http.get('/client/meetings/{meetingId}/rounds', ({ response }) => response(200).json(given.rounds)),
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', ({ response }) =>
        response(200).json({ data: [] }),
      ),
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/result', ({ params, response }) => {
        const found = given.results[params.roundId];
        return found ? response(200).json(found) : response.untyped(refused('round_still_open', 'x'));
      }),
      http.get('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
        response(200).json([]),
      ),
      http.get('/client/meetings/{meetingId}/elections', ({ response }) =>
        response(200).json(given.elections),
      ),
      http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(given.live))),
      http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
        const body = await request.json();
        noteStep(request, body);
        const question = given.questions.find(({ id }) => id === body.questionId);
        const isOpen = body.open !== false;
        return response(200).json(
          stepTo(
            question && {
              ...onScreen(question),
              ...(isOpen ? { isActive: true, roundId: 'r1', openedAt: new Date().toISOString() } : {}),
            },
          ),
        );
      }),
    );
  });
}

export function noteStep(request: Request, body: unknown): void {
  given.asked.push(body);
  given.decidedOn.push(new URL(request.url).searchParams.get('step'));
}

/** Makes a step on the server, which changes the state. Returns the response. */
export function stepTo(currentQuestion: LiveQuestion | undefined) {
  given.live = {
    ...given.live,
    version: given.live.version + 1,
    step: given.live.step + 1,
    currentQuestion: currentQuestion ?? null,
    voteCount: 0,
    registerSize: currentQuestion?.isActive ? 180 : 0,
  };
  return {
    success: true,
    currentQuestion: null,
    step: given.live.step,
    serverTime: new Date().toISOString(),
  };
}

/** A refusal by the server. */
export function refused(code: string, error: string, status = 409) {
  return HttpResponse.json({ error, message: error, code }, { status });
}

/** The question on the screen, not open. */
export function onScreen(question: Question | undefined): LiveQuestion {
  const last = given.rounds.filter(({ questionId }) => questionId === question?.id).at(-1);
  return liveQuestion({
    id: question?.id ?? '',
    text: question?.questionText ?? '',
    orderIndex: question?.orderIndex ?? 0,
    isActive: false,
    roundId: null,
    openedAt: null,
    declaredRoundId: last?.status === 'DECLARED' ? last.id : null,
  });
}

/** An open question without votes. */
export function opened(question: Question | undefined, roundId = 'r1'): Partial<LiveState> {
  return {
    currentQuestion: { ...onScreen(question), isActive: true, roundId, openedAt: '2026-11-21T13:00:00Z' },
    registerSize: 180,
  };
}

/** A round of the first question that has ended. */
export function endedRound(change: Partial<Round> = {}): Round {
  return sampleRound({ registerWeight: 201.5, voteCount: 164, ...change });
}

export function resultOf(round: Round, change: Partial<Result> = {}): Result {
  return sampleResult({
    roundId: round.id,
    questionId: round.questionId,
    number: round.number,
    reason: round.reason,
    questionText: round.questionText,
    endedAt: round.endedAt ?? '',
    declared: round.declaredAt ? { at: round.declaredAt, by: round.declaredBy ?? '' } : null,
    status: round.status === 'DECLARED' ? 'DECLARED' : 'COUNTED',
    ...change,
  });
}

/** Rounds that have ended, with their results. */
export function haveRounds(...rounds: Round[]): void {
  given.rounds = rounds;
  given.results = Object.fromEntries(rounds.map((round) => [round.id, resultOf(round)]));
}

/** The control screen, connected. */
export async function openControl(state: Partial<LiveState> = {}): Promise<{ user: UserEvent }> {
  const app = await renderApp(`/client/meetings/${given.meeting.id}/control`, { as: clientAdmin });
  await waitFor(() => {
    if (FakeEventSource.all.length === 0) {
      throw new Error('No stream was opened yet.');
    }
  });
  given.live = { ...given.live, ...state };
  act(() => FakeEventSource.latest.send('connected', given.live, given.live.version));
  await screen.findByRole('heading', { level: 1, name: given.meeting.title });
  return app;
}

/** Sends a change that this screen did not request. */
export function hear(change: Partial<LiveState>): void {
  given.live = { ...given.live, ...change, version: given.live.version + 1 };
  act(() => FakeEventSource.latest.send('meeting_update', given.live, given.live.version));
}
