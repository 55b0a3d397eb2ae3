import type { BallotCandidate } from '../../elections/election-types';
import classes from './election.module.css';

/** The name and the line of a candidate. The name of a withdrawn one is struck through. */
export function CandidateText({ candidate }: { candidate: BallotCandidate }) {
  const { name, line, isWithdrawn } = candidate;
  return (
    <span className={classes.texts} dir="auto">
      {isWithdrawn ? <s>{name}</s> : <span>{name}</span>}
      {isWithdrawn ? <span className={classes.withdrawn}>withdrawn</span> : null}
      {line ? <span className={classes.line}>{line}</span> : null}
    </span>
  );
}

/** The text about a candidate, folded until the voter asks for it. */
export function CandidateAbout({ candidate }: { candidate: BallotCandidate }) {
  return candidate.about ? (
    <details className={classes.about}>
      <summary>About {candidate.name}</summary>
      <p dir="auto">{candidate.about}</p>
    </details>
  ) : null;
}
