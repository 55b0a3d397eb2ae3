import type { ReactNode } from 'react';
import classes from './vote-ring.module.css';

interface VoteRingProps {
  /** The share of the register. It may be over 1 if the register is unknown. */
  share: number;
  children?: ReactNode;
}

const RADIUS = 44;
const LENGTH = 2 * Math.PI * RADIUS;

/** The share of votes received as a ring; the numbers are next to it in words. */
export function VoteRing({ share, children }: VoteRingProps) {
  const filled = Math.min(Math.max(share, 0), 1) * LENGTH;
  return (
    <span className={classes.root}>
      <svg className={classes.drawing} viewBox="0 0 100 100" aria-hidden="true">
        <circle className={classes.track} cx="50" cy="50" r={RADIUS} />
        <circle
          className={classes.arc}
          cx="50"
          cy="50"
          r={RADIUS}
          strokeDasharray={`${filled} ${LENGTH}`}
          transform="rotate(-90 50 50)"
        />
      </svg>
      {children ? <span className={classes.middle}>{children}</span> : null}
    </span>
  );
}

export function voteShare(voteCount: number, registerSize: number): number {
  return registerSize > 0 ? voteCount / registerSize : 0;
}
