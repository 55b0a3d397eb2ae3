import type { CSSProperties } from 'react';
import type { PresentationState } from '../live/live-events';
import classes from './presentation-question.module.css';

interface PresentationCandidatesProps {
  question: Pick<NonNullable<PresentationState['currentQuestion']>, 'options' | 'election'>;
}

/** The candidates of an election with their lines. The name of a withdrawn one is struck through. */
export function PresentationCandidates({ question: { options, election } }: PresentationCandidatesProps) {
  const candidates =
    election?.candidates ?? options.map((name, index) => ({ ...NOTHING_MORE, number: index + 1, name }));
  const columns = candidates.length > 16 ? 3 : candidates.length > 4 ? 2 : 1;
  return (
    <ol
      className={classes.options}
      data-columns={columns}
      style={{ '--rows': Math.ceil(candidates.length / columns) } as CSSProperties}
    >
      {candidates.map(({ number, name, line, isWithdrawn }) => (
        <li key={number} className={classes.option} dir="auto">
          <span className={classes.optionText}>
            {isWithdrawn ? <s>{name}</s> : name}
            {isWithdrawn ? <span className={classes.candidateLine}> withdrawn</span> : null}
            {line ? <span className={classes.candidateLine}> {line}</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

const NOTHING_MORE = { line: null, isWithdrawn: false };
