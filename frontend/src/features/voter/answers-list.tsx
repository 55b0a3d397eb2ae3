import { StatusBadge } from '../../shared/ui/status-badge';
import { AnswerLines } from './answer-lines';
import classes from './answers-list.module.css';
import type { GivenAnswer } from './given-answers';

/** What this voter answered so far. */
export function AnswersList({ answers }: { answers: GivenAnswer[] }) {
  return (
    <section className={classes.root} aria-labelledby="your-answers">
      <h2 id="your-answers" className={classes.title}>
        Your Answers
      </h2>
      <ol className={classes.list}>
        {answers.map((answer) => (
          <li key={answer.questionId} className={classes.entry}>
            <div className={classes.head}>
              <span className={classes.number}>
                {answer.orderIndex === null ? 'Question' : `Question ${answer.orderIndex}`}
              </span>
              <StatusBadge tone="good">Answered</StatusBadge>
            </div>
            <p className={classes.question}>{answer.text}</p>
            <AnswerLines type={answer.type} answers={answer.answers} />
          </li>
        ))}
      </ol>
    </section>
  );
}
