import type { VoterMeeting } from '../../../api/types';
import { StatusBadge } from '../../../shared/ui/status-badge';
import { AnswerLines } from '../ballot/answer-lines';
import { castElsewhere } from '../cast-elsewhere';
import { later } from '../later';
import type { ReceiptAnswerProps } from '../secret/receipt-answer';
import type { AgendaEntry } from './agenda-entries';
import classes from './answers-list.module.css';
import { ListedResult } from './shown-results';

const SealedAnswer = later<ReceiptAnswerProps>(
  () => import('../secret/receipt-answer').then((loaded) => loaded.ReceiptAnswer),
  () => <p>Secret ballot</p>,
);

interface AnswersListProps {
  entries: AgendaEntry[];
  meeting: VoterMeeting | undefined;
}

/** The voter's answers so far, with their results. */
export function AnswersList({ entries, meeting }: AnswersListProps) {
  return (
    <section className={classes.root} aria-labelledby="your-answers">
      <h2 id="your-answers" className={classes.title}>
        Your Answers
      </h2>
      <ol className={classes.list}>
        {entries.map(({ questionId, orderIndex, text, answer, results }) => (
          <li key={questionId} className={classes.entry}>
            <div className={classes.head}>
              <span className={classes.number}>
                {orderIndex === null ? 'Question' : `Question ${orderIndex}`}
              </span>
              {answer ? (
                <StatusBadge tone="good">Answered</StatusBadge>
              ) : (
                <StatusBadge tone="neutral">Not answered</StatusBadge>
              )}
            </div>
            <p className={classes.question}>{text}</p>
            {answer && castElsewhere(answer) ? <p>{castElsewhere(answer)}</p> : null}
            {answer?.sealed ? (
              <SealedAnswer sealed={answer.sealed} />
            ) : answer ? (
              <AnswerLines type={answer.type} answers={answer.answers} />
            ) : null}
            {results.map((vote) => (
              <ListedResult
                key={vote.result.roundId}
                vote={vote}
                meeting={meeting}
                isOneOfSeveral={results.length > 1 || vote.result.number > 1}
              />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
