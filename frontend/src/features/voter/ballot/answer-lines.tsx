import classes from './answer-lines.module.css';
import type { Ballot } from './ballot';
import { answerText } from './ballot';

/** The answers of one ballot, in full. */
export function AnswerLines({ type, answers }: { type: Ballot['type']; answers: string[] }) {
  return (
    <ul className={classes.root}>
      {answers.map((answer) => (
        <li key={answer}>{answerText(type, answer)}</li>
      ))}
    </ul>
  );
}
