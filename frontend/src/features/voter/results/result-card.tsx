import type { VoterMeeting, VoterResult } from '../../../api/types';
import { QuestionHead } from '../../../shared/ballot/question-header';
import { isSurvey } from '../../../shared/result/figures';
import { OutcomeBadge } from '../../../shared/result/outcome-badge';
import { ballotTypeOf, ownVoteWords } from './own-vote';
import { Reasons } from './reasons';
import { RecordWarning } from './record-warning';
import classes from './result-card.module.css';
import { ResultDetails } from './result-details';
import { ResultFigures } from './result-numbers';

export interface ResultCardProps {
  vote: VoterResult;
  meeting: VoterMeeting | undefined;
}

/** The result that was declared a moment ago, next to this voter's answer. */
export function ResultCard({ vote, meeting }: ResultCardProps) {
  const { result } = vote;
  const { position, questionText, record, roundId } = result;
  return (
    <section className={classes.root} aria-label={`Result of question ${position}`}>
      <QuestionHead
        question={{ text: questionText, type: ballotTypeOf(result), orderIndex: position }}
        label="Result"
      />
      {isSurvey(result) ? null : (
        <div>
          <OutcomeBadge outcome={result.decision.outcome} />
        </div>
      )}
      <Reasons result={result} />
      <p className={classes.own}>{ownVoteWords(vote, meeting)}</p>
      <ResultFigures result={result} />
      <RecordWarning record={record} roundId={roundId} />
      <ResultDetails result={result} />
    </section>
  );
}
