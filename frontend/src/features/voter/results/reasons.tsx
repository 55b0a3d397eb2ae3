import type { Result } from '../../../api/types';
import { withWholePercents } from '../../../shared/format';
import classes from './reasons.module.css';

/** Why it was decided so, in the server's own sentences. */
export function Reasons({ arithmetic }: Pick<Result, 'arithmetic'>) {
  const { sentence } = arithmetic;
  const quorum = arithmetic.quorum?.sentence;
  return (
    <>
      <p className={classes.sentence}>{withWholePercents(sentence)}.</p>
      {/* Where the quorum was missed, that is the whole reason, and said already. */}
      {quorum && quorum !== sentence ? (
        <p className={classes.sentence}>{withWholePercents(quorum)}.</p>
      ) : null}
    </>
  );
}
