import type { VoterMeeting, VoterResult } from '../../../api/types';
import { OutcomeBadge } from '../../../shared/result/outcome-badge';
import { surveySummary } from '../../../shared/result/survey';
import disclosure from './disclosure.module.css';
import classes from './listed-result.module.css';
import { ownVoteWords } from './own-vote';
import { Reasons } from './reasons';
import { RecordWarning } from './record-warning';
import { ResultDetails } from './result-details';
import { ResultFigures } from './result-numbers';

export interface ListedResultProps {
  vote: VoterResult;
  meeting: VoterMeeting | undefined;
  /** The question was voted on more than once. */
  isOneOfSeveral: boolean;
}

/** The verdict in a line, which unfolds the figures. */
export function ListedResult({ vote, meeting, isOneOfSeveral }: ListedResultProps) {
  const { result } = vote;
  const summary = surveySummary(result);
  return (
    <details className={classes.root}>
      <summary className={`${disclosure.summary} ${classes.summary}`}>
        {summary === null ? <OutcomeBadge outcome={result.decision.outcome} /> : <strong>{summary}</strong>}
        <span className={classes.label}>
          {isOneOfSeveral ? `Result of round ${result.number}` : 'Result'}
        </span>
      </summary>
      <div className={classes.body}>
        <p className={classes.own}>{ownVoteWords(vote, meeting)}</p>
        <Reasons result={result} />
        <ResultFigures result={result} />
        <RecordWarning record={result.record} roundId={result.roundId} />
        <ResultDetails result={result} />
      </div>
    </details>
  );
}
