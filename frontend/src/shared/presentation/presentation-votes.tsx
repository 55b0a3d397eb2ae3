import { VoteRing, voteShare } from '../live/vote-ring';
import classes from './presentation-votes.module.css';
import { VotesReceived } from './votes-received';

interface PresentationVotesProps {
  voteCount: number;
  registerSize: number;
}

/** Votes received of those possible, as a ring and as a number. */
export function PresentationVotes({ voteCount, registerSize }: PresentationVotesProps) {
  return (
    <div className={classes.root}>
      <span className={classes.ring}>
        <VoteRing share={voteShare(voteCount, registerSize)} />
      </span>
      <VotesReceived className={classes.received} voteCount={voteCount} registerSize={registerSize} />
    </div>
  );
}
