import type { LiveState } from '../../../shared/live/live-events';
import { serverNow } from '../../../shared/live/server-clock';

/** The age from which votes no longer indicate that others are still voting. */
export const RECENT_MS = 10_000;

interface Mark {
  at: number;
  count: number;
}

/** Records the arrival times of the open round's votes, to tell whether votes still arrive. */
export class VoteTrail {
  #roundId: string | null = null;
  #marks: Mark[] = [];

  note(previous: LiveState | null, next: LiveState, now = performance.now()): void {
    const current = next.currentQuestion;
    const roundId = current?.isActive ? current.roundId : null;
    if (roundId === null) {
      this.#roundId = null;
      this.#marks = [];
      return;
    }
    if (roundId !== this.#roundId) {
      this.#roundId = roundId;
      this.#marks = [{ at: Number.NEGATIVE_INFINITY, count: knownBefore(previous, next) }];
    }
    if (this.#marks.at(-1)?.count !== next.voteCount) {
      this.#marks.push({ at: now, count: next.voteCount });
    }
  }

  /** The number of votes in the last ten seconds. */
  recent(now = performance.now()): number {
    const first = this.#marks.filter(({ at }) => at <= now - RECENT_MS).length - 1;
    this.#marks.splice(0, Math.max(0, first));
    const [before] = this.#marks;
    const last = this.#marks.at(-1);
    return before && last ? Math.max(0, last.count - before.count) : 0;
  }
}

/** The votes that count as old. After a reload, all votes of a round opened a moment ago count as new. */
function knownBefore(previous: LiveState | null, next: LiveState): number {
  const openedAt = Date.parse(next.currentQuestion?.openedAt ?? '');
  const isFresh = previous === null && serverNow() - openedAt < RECENT_MS;
  return isFresh ? 0 : next.voteCount;
}
