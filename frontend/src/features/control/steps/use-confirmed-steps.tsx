import { type ReactNode, useState } from 'react';
import type { LiveState } from '../../../shared/live/live-events';
import { countdownWords, EndingGuard } from '../question/ending-guard';
import { PlaceholderGuard } from '../question/placeholder-guard';
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
  /** The options of a question that was never open have the names of a template. Null if they do not. */
  placeholders: string | null;
  /** The votes on the panel's question are counted, so that starting it begins a re-vote. */
  needsRevote: boolean;
  onRevote: () => void;
  /** Declaring has a dialog of its own, which shows the result. */
  onDeclare: () => void;
  onConfirmed: (order: StepOrder, seenStep: number) => void;
}

interface ConfirmedSteps {
  attempt: (order: StepOrder) => void;
  /** The dialog that asks for confirmation. Null without a waiting step. */
  guard: ReactNode;
  cancel: () => void;
}

/**
 * Asks for confirmation before a step that ends a round while votes still arrive or its countdown runs, or opens one
 * without a quorum or with the names of a template. All other steps are sent at once.
 */
export function useConfirmedSteps(options: ConfirmedStepsOptions): ConfirmedSteps {
  const { live, step, trail, obstacle, placeholders, needsRevote, onConfirmed } = options;
  /** The step that waits for confirmation, and the state it was decided on. */
  const [asked, setAsked] = useState<{ order: StepOrder; step: number } | null>(null);

  function attempt(order: StepOrder) {
    if (order.kind === 'start' && needsRevote) {
      options.onRevote();
    } else if (order.kind === 'declare') {
      options.onDeclare();
    } else if (
      (order.ending && isVotingAlive(live, trail)) ||
      (order.kind === 'start' && (obstacle?.kind === 'warn' || placeholders !== null))
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
    if (order.ending) {
      return <EndingGuard {...handlers} ending={order.ending} live={state} trail={trail} />;
    }
    return placeholders === null ? (
      <QuorumGuard {...handlers} obstacle={obstacle} />
    ) : (
      <PlaceholderGuard {...handlers} words={placeholders} obstacle={obstacle} />
    );
  }

  return { attempt, cancel, guard: asked && live ? guardOf(live, asked.order, asked.step) : null };
}

/** Whether some votes are missing, and others still arrive or voters were promised more time by a countdown. */
function isVotingAlive(live: LiveState | null, trail: VoteTrail): boolean {
  return (
    live?.currentQuestion?.isActive === true &&
    live.registerSize - live.voteCount > 0 &&
    (trail.recent() > 0 || countdownWords(live) !== null)
  );
}
