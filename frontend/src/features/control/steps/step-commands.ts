import { api, fetchWithSession, stepApi, unwrap } from '../../../api/client';
import { within } from '../../../api/time-limit';
import type { Question, Round } from '../../../api/types';
import { countOf } from '../../../shared/format';

export type StepKind =
  | 'begin'
  | 'finish'
  | 'start'
  | 'end'
  | 'previous'
  | 'next'
  | 'show'
  | 'countdown'
  | 'extend'
  | 'stop-countdown'
  | 'count'
  | 'declare'
  | 'revote';

export interface StepOptions {
  /** The organizer has read that votes could be inferred from the totals, and goes on. The minutes contain it. */
  acceptRisk?: boolean;
}

/** A step of the meeting by an organizer, and the messages of its outcome. */
export interface StepOrder {
  kind: StepKind;
  /** The question that the step opens or counts. */
  questionId?: string;
  /** `step` is the number of the state that the organizer saw. The server refuses a decision on an older state. */
  send: (step: number, options?: StepOptions) => Promise<{ step: number }>;
  success: string;
  /** The message of a failure without a reason from the server. */
  failure: string;
  /** For a step that ends an open round: the consequence, and the name of the confirming button. */
  ending?: { consequence: string; confirmLabel: string };
}

/** All possible steps in a meeting. */
export function stepOrders(meetingId: string) {
  return {
    ...meetingOrders(meetingId),
    ...questionOrders(meetingId),
    ...countdownOrders(meetingId),
    ...roundOrders(meetingId),
  };
}

function meetingOrders(meetingId: string) {
  const path = { meetingId };
  return {
    /** `confirmRestart` only after the organizer has read the consequences. */
    begin: (confirmRestart = false): StepOrder => ({
      kind: 'begin',
      send: (step) =>
        unwrap(
          stepApi.PUT('/client/meetings/{meetingId}', {
            params: { path, query: { step } },
            body: { status: 'ACTIVE', ...(confirmRestart ? { confirmRestart } : {}) },
          }),
        ),
      success: 'Meeting started successfully',
      failure: 'Failed to start meeting',
    }),
    finish: (): StepOrder => ({
      kind: 'finish',
      send: (step) =>
        unwrap(stepApi.POST('/client/meetings/{meetingId}/end', { params: { path, query: { step } } })),
      success: 'Meeting ended successfully',
      failure: 'Failed to end meeting',
    }),
  };
}

function questionOrders(meetingId: string) {
  const path = { meetingId };
  const setQuestion = (
    step: number,
    body: { questionId: string | null; open?: boolean },
    options?: StepOptions,
  ) =>
    unwrap(
      stepApi.PUT('/client/meetings/{meetingId}/current-question', {
        params: { path, query: { step, ...options } },
        body,
      }),
    );

  return {
    start: ({ id: questionId }: Pick<Question, 'id'>): StepOrder => ({
      kind: 'start',
      questionId,
      send: (step, options) => setQuestion(step, { questionId }, options),
      success: 'Question activated and broadcast to participants',
      failure: 'Failed to start question',
    }),
    end: (): StepOrder => ({
      kind: 'end',
      send: (step) => setQuestion(step, { questionId: null }),
      success: 'Question ended and participants notified',
      failure: 'Failed to end question',
      ending: {
        consequence: 'Ending the question closes its voting for everyone.',
        confirmLabel: 'End Question Now',
      },
    }),
    move: (to: Question, direction: 'previous' | 'next'): StepOrder => ({
      kind: direction,
      send: (step) => setQuestion(step, { questionId: to.id, open: false }),
      success: `Moved to ${direction} question`,
      failure: `Failed to navigate to ${direction} question`,
      ending: {
        consequence: `Moving on closes the voting for everyone and shows question ${to.orderIndex}.`,
        confirmLabel: `Close Voting, Go to Question ${to.orderIndex}`,
      },
    }),
    show: (question: Question): StepOrder => ({
      kind: 'show',
      send: (step) => setQuestion(step, { questionId: question.id, open: false }),
      success: `Question ${question.orderIndex} is on the presentation`,
      failure: 'Failed to show question',
      ending: {
        consequence: `Showing question ${question.orderIndex} closes the voting for everyone.`,
        confirmLabel: `Close Voting, Show Question ${question.orderIndex}`,
      },
    }),
  };
}

function countdownOrders(meetingId: string) {
  const path = { meetingId };
  const setCountdown = (step: number, seconds: number) =>
    unwrap(
      stepApi.PUT('/client/meetings/{meetingId}/countdown', {
        params: { path, query: { step } },
        body: { seconds },
      }),
    );

  return {
    countdown: (seconds: number): StepOrder => ({
      kind: 'countdown',
      send: (step) => setCountdown(step, seconds),
      success: `Countdown of ${countOf(seconds, 'second')} started`,
      failure: 'Failed to start countdown',
    }),
    extend: (secondsFromNow: number): StepOrder => ({
      kind: 'extend',
      send: (step) => setCountdown(step, secondsFromNow),
      success: 'Countdown extended',
      failure: 'Failed to extend countdown',
    }),
    stopCountdown: (): StepOrder => ({
      kind: 'stop-countdown',
      send: (step) =>
        unwrap(
          stepApi.DELETE('/client/meetings/{meetingId}/countdown', { params: { path, query: { step } } }),
        ),
      success: 'Countdown cancelled. Voting stays open',
      failure: 'Failed to cancel countdown',
    }),
  };
}

/** Opening a secret urn or counting an election takes long. Both can be repeated: the round is counted and declared once. */
const LONG_STEP_LIMIT_MS = 120_000;

function roundOrders(meetingId: string) {
  const path = { meetingId };
  const patient = within(LONG_STEP_LIMIT_MS, fetchWithSession);
  return {
    count: ({ id: roundId }: Pick<Round, 'id'>, { id: questionId, orderIndex }: Question): StepOrder => ({
      kind: 'count',
      questionId,
      send: async (step, options) => {
        await unwrap(
          api.POST('/client/meetings/{meetingId}/rounds/{roundId}/count', {
            params: { path: { ...path, roundId }, query: { step, ...options } },
            fetch: patient,
          }),
        );
        // The response is the result, without the step number. Counting is one step.
        return { step: step + 1 };
      },
      success: `Votes on question ${orderIndex} counted`,
      failure: 'Failed to count votes',
    }),
    declare: ({ id: roundId }: Pick<Round, 'id'>, { orderIndex }: Question): StepOrder => ({
      kind: 'declare',
      send: async (step, options) => {
        await unwrap(
          api.POST('/client/meetings/{meetingId}/rounds/{roundId}/declare', {
            params: { path: { ...path, roundId }, query: { step, ...options } },
            fetch: patient,
          }),
        );
        // The response is the result, without the step number. Declaring is one step.
        return { step: step + 1 };
      },
      success: `Result of question ${orderIndex} declared`,
      failure: 'Failed to declare result',
    }),
    revote: ({ id: questionId }: Pick<Question, 'id'>, reason: string): StepOrder => ({
      kind: 'revote',
      questionId,
      send: (step, options) =>
        unwrap(
          stepApi.POST('/client/meetings/{meetingId}/rounds', {
            params: { path, query: { step, ...options } },
            body: { questionId, reason },
          }),
        ),
      success: 'Re-vote opened and broadcast to participants',
      failure: 'Failed to open the re-vote',
    }),
  };
}
