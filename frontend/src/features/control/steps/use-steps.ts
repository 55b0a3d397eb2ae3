import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, fieldErrorsOf, messageOf } from '../../../api/api-error';
import { settledSoon } from '../../../shared/reload';
import { resultQueries } from '../../../shared/result/queries';
import { toast } from '../../../shared/ui/toast';
import { meetingQueries } from '../../meetings/queries';
import { questionQueries } from '../../questions/queries';
import { roundQueries } from '../queries';
import type { StepKind, StepOptions, StepOrder } from './step-commands';
import { useAwaitedStep } from './use-awaited-step';

/**
 * `refused`: another screen was faster, and a second try changes nothing. `moved`: no response came, and the meeting is
 * in another state now, probably by this step. `final`: the votes are counted, and only a re-vote can open voting again.
 * `busy`: another step is running, so nothing was sent. `risk`: votes could be inferred from the totals, and the
 * organizer is asked. `void`: the key of the round is lost.
 */
export type StepOutcome = 'done' | 'refused' | 'moved' | 'final' | 'failed' | 'busy' | 'risk' | 'void';

export interface Refusal {
  kind: StepKind;
  message: string;
  /** The errors of the submitted fields. */
  fields: Record<string, string>;
}

/** A step that was refused, because votes could be inferred from the totals. */
export interface Risk {
  order: StepOrder;
  step: number;
  /** The server's sentence: "The votes of 3 people could be inferred from the totals (weights 37.5; 50)". */
  words: string;
}

export interface Steps {
  /** The running step. */
  underWay: StepKind | null;
  /** The reason of the last refused step. */
  refusal: Refusal | null;
  run: (order: StepOrder, seenStep: number, options?: StepOptions) => Promise<StepOutcome>;
  /** The step that waits for an answer, because votes could be inferred from the totals. */
  risk: Risk | null;
  forgetRisk: () => void;
  /** Receives each new step number, and removes an outdated refusal. Returns whether this screen made the step. */
  followStep: (step: number) => boolean;
  /** Removes the refusal when the organizer tries again or gives up. */
  forgetRefusal: () => void;
}

const RISK = 'Votes could be inferred from the totals';
const MOVED_ON = 'No response came from the server. This is the state of the meeting now.';

/**
 * The keys of the lists that a step changes beside the live state. That does not contain the details of a count, a
 * declaration or a re-vote: the list of rounds and the results do.
 */
function listsChangedBy(kind: StepKind, meetingId: string): QueryKey[] {
  switch (kind) {
    case 'begin':
    case 'finish':
      return [meetingQueries.all()];
    case 'count':
    case 'declare':
    case 'revote':
      return [roundQueries.ofMeeting(meetingId).queryKey, resultQueries.all(meetingId)];
    default:
      return [];
  }
}

/** Makes one step at a time, each based on the state that the organizer saw. */
export function useSteps(meetingId: string, refresh: () => Promise<void>): Steps {
  const queryClient = useQueryClient();
  const [underWay, setUnderWay] = useState<StepKind | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [risk, setRisk] = useState<Risk | null>(null);
  /** Set at once; the state is rendered a moment later. */
  const isUnderWay = useRef(false);
  const ownStep = useRef(-1);
  const awaited = useAwaitedStep();

  async function run(order: StepOrder, seenStep: number, options?: StepOptions): Promise<StepOutcome> {
    if (isUnderWay.current) {
      return 'busy';
    }
    isUnderWay.current = true;
    setUnderWay(order.kind);
    setRefusal(null);
    setRisk(null);
    try {
      return await make(order, seenStep, options);
    } finally {
      isUnderWay.current = false;
      setUnderWay(null);
    }
  }

  async function make(order: StepOrder, seenStep: number, options?: StepOptions): Promise<StepOutcome> {
    let failure: unknown = null;
    try {
      const response = order.send(seenStep, options);
      const { step } = await awaited.unlessPassed(response, seenStep, latenessOf(order.kind));
      ownStep.current = step;
      toast.success(order.success);
    } catch (error) {
      failure = error;
      void queryClient.invalidateQueries({ queryKey: questionQueries.ofMeeting(meetingId).queryKey });
    }
    const outcome = failure === null ? 'done' : outcomeOf(failure, order);
    const isUnknown = isUnanswered(failure);
    if (failure !== null && !isUnknown) {
      report(failure, order, seenStep);
    }
    // The button is busy until the new state is loaded. After a refusal, that state shows the other organizer's change.
    const changed = listsChangedBy(order.kind, meetingId);
    const reloaded = changed.map((queryKey) => queryClient.invalidateQueries({ queryKey }));
    await Promise.all([refresh(), ...reloaded.map(settledSoon)]);
    if (isUnknown && awaited.hasPassed(seenStep)) {
      toast.info(MOVED_ON);
      return 'moved';
    }
    if (isUnknown) {
      report(failure, order, seenStep);
    }
    return outcome;
  }

  function report(error: unknown, order: StepOrder, step: number): void {
    const outcome = outcomeOf(error, order);
    const message = messageOf(error, order.failure);
    if (outcome === 'risk') {
      setRisk({ order, step, words: messageOf(error, RISK) });
    } else if (outcome !== 'final') {
      toast.failure(error, order.failure);
      setRefusal({ kind: order.kind, message, fields: fieldErrorsOf(error) });
    }
  }

  function followStep(step: number): boolean {
    awaited.follow(step);
    if (!isUnderWay.current) {
      setRefusal(null);
    }
    return isUnderWay.current || step === ownStep.current;
  }

  const forgetRisk = () => setRisk(null);
  const forgetRefusal = () => setRefusal(null);
  return { underWay, refusal, risk, forgetRisk, run, followStep, forgetRefusal };
}

/**
 * How long a response may come later than the new state, which the stream shows. After that, it was lost. The response to
 * a count or a declaration contains the whole result.
 */
function latenessOf(kind: StepKind): number {
  return kind === 'count' || kind === 'declare' ? 30_000 : 3_000;
}

/** Whether the server may have made the step all the same: then the meeting's new state tells. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.isTemporary;
}

function outcomeOf(error: unknown, { kind }: StepOrder): StepOutcome {
  const code = error instanceof ApiError ? error.code : null;
  if ((code === 'result_declared' || code === 'round_counted') && kind === 'start') {
    return 'final';
  }
  if (code === 'secrecy_at_risk') {
    return 'risk';
  }
  if (code === 'round_void') {
    return 'void';
  }
  return code === 'stale_step' || code === 'round_still_open' ? 'refused' : 'failed';
}
