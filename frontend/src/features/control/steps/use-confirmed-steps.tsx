import { type ReactNode, useState } from 'react';
import type { LiveState } from '../../../shared/live/live-events';
import { EndingGuard } from '../question/ending-guard';
import type { VoteTrail } from '../question/recent-votes';
import type { OpeningObstacle } from '../quorum/opening-obstacle';
import { QuorumGuard } from '../quorum/quorum-guard';
import type { StepOrder } from './step-commands';

interface ConfirmedStepsOptions {
  live: LiveState | null;
  /** The state that the organizer sees. */
  step: number;
  trail: VoteTrail;
  /** The reason not to open the panel's question now. */
  obstacle: OpeningObstacle | null;
  /** The votes on the panel's question are counted, so that starting it begins a re-vote. */
  needsRevote: boolean;
  onRevote: () => void;
  onConfirmed: (order: StepOrder, seenStep: number) => void;
}

interface ConfirmedSteps {
  attempt: (order: StepOrder) => void;
  /** The dialog that asks for confirmation. Null without a waiting step. */
  guard: ReactNode;
  cancel: () => void;
}

/**
 * Asks for confirmation before a step that ends a round while votes still arrive, or opens one without a quorum. All
 * other steps are sent at once.
 */
export function useConfirmedSteps(options: ConfirmedStepsOptions): ConfirmedSteps {
  const { live, step, trail, obstacle, needsRevote, onRevote, onConfirmed } = options;
  /** The step that waits for confirmation, and the state it was decided on. */
  const [asked, setAsked] = useState<{ order: StepOrder; step: number } | null>(null);

  function attempt(order: StepOrder) {
    if (order.kind === 'start' && needsRevote) {
      onRevote();
    } else if (
      (order.ending && isVotingAlive(live, trail)) ||
      (order.kind === 'start' && obstacle?.kind === 'warn')
    ) {
      setAsked({ order, step });
    } else {
      confirm(order, step);
    }
  }

  function confirm(order: StepOrder, seenStep: number) {
    setAsked(null);
    onConfirmed(order, seenStep);
  }

  function cancel() {
    setAsked(null);
  }

  function guardOf(state: LiveState, order: StepOrder, seenStep: number) {
    const handlers = { onConfirm: () => confirm(order, seenStep), onCancel: cancel };
    return order.ending ? (
      <EndingGuard {...handlers} ending={order.ending} live={state} trail={trail} />
    ) : (
      <QuorumGuard {...handlers} obstacle={obstacle} />
    );
  }

  return { attempt, cancel, guard: asked && live ? guardOf(live, asked.order, asked.step) : null };
}

/** Whether votes still arrive and some are missing. */
function isVotingAlive(live: LiveState | null, trail: VoteTrail): boolean {
  return (
    live?.currentQuestion?.isActive === true && live.registerSize - live.voteCount > 0 && trail.recent() > 0
  );
}
