import { type BallotQuestion, typeLabel } from './ballot';
import classes from './question-header.module.css';

/** The number, the type and the text of the question. */
export function QuestionHead({
  question,
  headingId,
  label,
}: {
  question: Pick<BallotQuestion, 'text' | 'type' | 'orderIndex'>;
  headingId?: string;
  /** The label of a question that cannot be answered. */
  label?: string;
}) {
  return (
    <div className={classes.root}>
      <p className={classes.meta}>
        <span>Question {question.orderIndex}</span>
        <span className={classes.badge}>{label ?? typeLabel(question.type)}</span>
      </p>
      <h2 id={headingId} className={classes.text}>
        {question.text}
      </h2>
    </div>
  );
}
