import type { LiveState } from '../../../shared/live/live-events';
import { useNow } from '../../../shared/live/use-now';
import { countdownWords, turnoutWords } from './ending-guard';
import type { VoteTrail } from './recent-votes';

export interface OpenRound {
  live: LiveState;
  trail: VoteTrail;
}

/** A warning that a step also closes the open voting. */
export function OpenRoundWarning({ live, trail }: OpenRound) {
  useNow(1_000);
  const countdown = countdownWords(live);
  return (
    <>
      Voting is still open. It will close with the votes received so far.{' '}
      <strong>
        {countdown === null ? '' : `${countdown} `}
        {turnoutWords(trail.recent(), live.registerSize - live.voteCount)}
      </strong>
    </>
  );
}
