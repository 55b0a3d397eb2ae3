import type { VoterMeeting, VoterResult } from '../../../api/types';
import { formatTime } from '../../../shared/format';
import { OutcomeBadge } from '../../../shared/result/outcome-badge';
import { ownVoteWords, summaryOf } from './declared-results';
import classes from './listed-result.module.css';
import { Reasons } from './reasons';
import { RecordLine } from './record-line';
import { ResultFigures } from './result-numbers';

interface ListedResultProps {
  vote: VoterResult;
  meeting: VoterMeeting | undefined;
  /** The question was voted on more than once. */
  isOneOfSeveral: boolean;
}

/** The verdict in a line, which unfolds the figures. */
export function ListedResult({ vote, meeting, isOneOfSeveral }: ListedResultProps) {
  const { result } = vote;
  const summary = result.decision.outcome === 'undecided' ? summaryOf(result) : null;
  return (
    <details className={classes.root}>
      <summary className={classes.summary}>
        {summary === null ? <OutcomeBadge outcome={result.decision.outcome} /> : <strong>{summary}</strong>}
        <span className={classes.label}>
          {isOneOfSeveral ? `Result of round ${result.number}` : 'Result'}
        </span>
      </summary>
      <div className={classes.body}>
        <p className={classes.own}>{ownVoteWords(vote, meeting)}</p>
        <Reasons result={result} />
        <ResultFigures result={result} />
        {result.declared ? (
          <p className={classes.declared}>Declared at {formatTime(result.declared.at)}.</p>
        ) : null}
        {result.record ? (
          <RecordLine record={result.record} roundId={result.roundId} className={classes.declared} />
        ) : null}
      </div>
    </details>
  );
}
