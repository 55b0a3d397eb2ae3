import { formatNumber } from '../format';
import { VoteRing, voteShare } from '../live/vote-ring';
import classes from './presentation-votes.module.css';
import { VotesReceived } from './votes-received';

interface PresentationVotesProps {
  voteCount: number;
  registerSize: number;
  /** With a large ring above the numbers. */
  isLarge?: boolean;
}

/** Votes received of those possible, as a ring and as a number, and the number of those that are missing. */
export function PresentationVotes({ voteCount, registerSize, isLarge = false }: PresentationVotesProps) {
  return (
    <div className={classes.root} data-large={isLarge}>
      <span className={classes.ring}>
        <VoteRing share={voteShare(voteCount, registerSize)} />
      </span>
      <div>
        <VotesReceived className={classes.received} voteCount={voteCount} registerSize={registerSize} />
        {registerSize > voteCount ? (
          <p className={classes.missing}>
            <strong>{formatNumber(registerSize - voteCount)}</strong> missing
          </p>
        ) : null}
      </div>
    </div>
  );
}
