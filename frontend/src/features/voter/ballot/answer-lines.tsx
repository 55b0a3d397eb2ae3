import type { Ballot } from '../../../shared/ballot/ballot';
import { answerText } from '../../../shared/ballot/ballot';
import classes from './answer-lines.module.css';

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
