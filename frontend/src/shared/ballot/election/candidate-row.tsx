import { IconCheck } from '@tabler/icons-react';
import type { BallotCandidate } from '../../elections/election-types';
import ballot from '../ballot-controls.module.css';
import { CandidateAbout, CandidateText } from './candidate-text';
import classes from './election.module.css';

interface CandidateRowProps {
  candidate: BallotCandidate;
  isChosen: boolean;
  isDisabled: boolean;
  /** The rank in the place of the tick. */
  rank?: number | undefined;
  onToggle: () => void;
}

/** A candidate as a target of the full width that is chosen or not. A withdrawn one cannot be chosen. */
export function CandidateRow({ candidate, isChosen, isDisabled, rank, onToggle }: CandidateRowProps) {
  const isOff = isDisabled || candidate.isWithdrawn;
  return (
    <li className={classes.candidate}>
      <label className={ballot.option} data-chosen={isChosen} data-disabled={isOff}>
        <input
          className={ballot.input}
          type="checkbox"
          aria-label={labelOf(candidate, rank)}
          checked={isChosen}
          disabled={isOff}
          onChange={onToggle}
        />
        <span className={ballot.mark} data-shape="square" data-numbered={rank !== undefined}>
          {rank === undefined ? (
            <IconCheck size={16} stroke={3} aria-hidden="true" />
          ) : (
            <span className={classes.rank}>{rank}</span>
          )}
        </span>
        <CandidateText candidate={candidate} />
        <span className={ballot.ring} aria-hidden="true" />
      </label>
      <CandidateAbout candidate={candidate} />
    </li>
  );
}

/** "Nadia Brandt, Flat 12, choice 2": the line tells apart persons of one name. */
function labelOf({ name, line, isWithdrawn }: BallotCandidate, rank: number | undefined): string {
  return [
    name,
    ...(line ? [line] : []),
    ...(isWithdrawn ? ['withdrawn'] : []),
    ...(rank === undefined ? [] : [`choice ${rank}`]),
  ].join(', ');
}
