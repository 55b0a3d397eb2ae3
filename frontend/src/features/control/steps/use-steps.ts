import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, fieldErrorsOf, messageOf } from '../../../api/api-error';
import { resultQueries } from '../../../shared/result/queries';
import { toast } from '../../../shared/ui/toast';
import { meetingQueries } from '../../meetings/queries';
import { questionQueries } from '../../questions/queries';
import { roundQueries } from '../queries';
import type { StepKind, StepOrder } from './step-commands';

/**
 * `refused`: another screen was faster, a second try changes nothing. `final`: the votes are counted, only a re-vote can
 * open voting again. `busy`: another step is under way, nothing was sent.
 */
export type StepOutcome = 'done' | 'refused' | 'final' | 'failed' | 'busy';

export interface Refusal {
  kind: StepKind;
  message: string;
  /** The errors of the fields that were sent. */
  fields: Record<string, string>;
}

export interface Steps {
  /** The step that is under way. */
  underWay: StepKind | null;
  /** Why the last step was not made. */
  refusal: Refusal | null;
  run: (order: StepOrder, seenStep: number) => Promise<StepOutcome>;
  /** Takes each new step number, and drops a refusal that is over. Returns whether this screen made the step. */
  followStep: (step: number) => boolean;
  /** Drops the refusal: the organizer tries again, or not any more. */
  forgetRefusal: () => void;
}

/** Makes one step at a time, each on the state that the organizer saw. */
export function useSteps(meetingId: string, refresh: () => Promise<void>): Steps {
  const queryClient = useQueryClient();
  const [underWay, setUnderWay] = useState<StepKind | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** True at once, while the state is drawn a moment later. */
  const isUnderWay = useRef(false);
  const ownStep = useRef(-1);

  async function run(order: StepOrder, seenStep: number): Promise<StepOutcome> {
    if (isUnderWay.current) {
      return 'busy';
    }
    isUnderWay.current = true;
    setUnderWay(order.kind);
    setRefusal(null);
    try {
      return await make(order, seenStep);
    } finally {
      isUnderWay.current = false;
      setUnderWay(null);
    }
  }

  async function make(order: StepOrder, seenStep: number): Promise<StepOutcome> {
    let outcome: StepOutcome = 'done';
    try {
      const { step } = await order.send(seenStep);
      ownStep.current = step;
      toast.success(order.success);
    } catch (error) {
      outcome = outcomeOf(error, order);
      if (outcome !== 'final') {
        const message = messageOf(error, order.failure);
        toast.failure(error, order.failure);
        setRefusal({ kind: order.kind, message, fields: fieldErrorsOf(error) });
      }
      void queryClient.invalidateQueries({ queryKey: questionQueries.ofMeeting(meetingId).queryKey });
    }
    // The button is busy until the new state is there; after a refusal it shows what somebody else did.
    await Promise.all([refresh(), refreshMeeting(order.kind), refreshRounds(order.kind)]);
    return outcome;
  }

  async function refreshMeeting(kind: StepKind): Promise<void> {
    if (kind === 'begin' || kind === 'finish') {
      await queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
    }
  }

  /** What a new round, a count or a declaration shows of itself stands in the rounds, not in the live state. */
  async function refreshRounds(kind: StepKind): Promise<void> {
    if (kind === 'count' || kind === 'declare' || kind === 'revote') {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: roundQueries.ofMeeting(meetingId).queryKey }),
        queryClient.invalidateQueries({ queryKey: resultQueries.all(meetingId) }),
      ]);
    }
  }

  function followStep(step: number): boolean {
    if (!isUnderWay.current) {
      setRefusal(null);
    }
    return isUnderWay.current || step === ownStep.current;
  }

  return { underWay, refusal, run, followStep, forgetRefusal: () => setRefusal(null) };
}

function outcomeOf(error: unknown, { kind }: StepOrder): StepOutcome {
  const code = error instanceof ApiError ? error.code : null;
  if ((code === 'result_declared' || code === 'round_counted') && kind === 'start') {
    return 'final';
  }
  return code === 'stale_step' || code === 'round_still_open' ? 'refused' : 'failed';
}
