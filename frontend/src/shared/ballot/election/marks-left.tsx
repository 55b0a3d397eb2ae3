import type { ElectionPaper } from '../../elections/election-types';
import { marksLeft } from '../../elections/marks-limits';
import classes from '../ballot-form.module.css';

export interface MarksLeftProps {
  id: string;
  election: ElectionPaper;
  answers: string[];
}

/** Says what an incomplete ballot could still take, before it is submitted. */
export function MarksLeft({ id, election, answers }: MarksLeftProps) {
  const left = marksLeft(election, answers);
  return left > 0 ? (
    <p id={id} className={classes.named} data-quiet="true">
      {left} left to mark. You can submit the ballot as it is.
    </p>
  ) : null;
}
