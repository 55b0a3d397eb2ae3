import { type BallotQuestion, typeLabel } from './ballot';
import classes from './question-header.module.css';

/** Which question this is, and of what type. */
export function QuestionHead({
  question,
  headingId,
  label,
}: {
  question: Pick<BallotQuestion, 'text' | 'type' | 'orderIndex'>;
  headingId?: string;
  /** A label of the question where it cannot be answered. */
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
