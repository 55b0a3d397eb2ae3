import type { Result } from '../../api/types';
import { countOf, formatNumber } from '../../shared/format';
import classes from './tally.module.css';

type Texts = NonNullable<Result['texts']>;

/** The answers in the voters' own words; the same words stand once. */
export function TextsTally({ texts }: { texts: Texts }) {
  if (texts.length === 0) {
    return <p className={classes.empty}>No answers were given.</p>;
  }
  return (
    <ul className={classes.texts}>
      {texts.map(({ text, heads, weight }) => (
        <li key={text} className={classes.textEntry}>
          <p className={classes.words}>{text}</p>
          <p className={classes.by}>
            {countOf(heads, 'voter')}, weight {formatNumber(weight)}
          </p>
        </li>
      ))}
    </ul>
  );
}
