import type { Result } from '../../api/types';
import classes from './reasons.module.css';

/** Why it was decided so, in the server's own sentences. */
export function Reasons({ arithmetic }: Pick<Result, 'arithmetic'>) {
  const { sentence } = arithmetic;
  const quorum = arithmetic.quorum?.sentence;
  return (
    <>
      <p className={classes.sentence}>{sentence}.</p>
      {/* Where the quorum was missed, that is the whole reason, and said already. */}
      {quorum && quorum !== sentence ? <p className={classes.sentence}>{quorum}.</p> : null}
    </>
  );
}
