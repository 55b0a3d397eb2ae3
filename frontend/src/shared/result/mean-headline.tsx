import type { NumbersResult } from './distribution';
import { highestRating } from './distribution';
import { meanText } from './figures';
import classes from './mean-headline.module.css';
import { Stars } from './stars';

/** The mean, large: "3.8 of 5" with its stars, or "61.4 %". */
export function MeanHeadline({ result }: { result: NumbersResult }) {
  const { mean } = result.numbers;
  if (mean === null) {
    return <p className={classes.root}>No votes</p>;
  }
  const max = highestRating(result);
  return (
    <div className={classes.root}>
      <p className={classes.words}>
        <span className={classes.label}>Mean</span> <strong className={classes.mean}>{meanText(mean)}</strong>{' '}
        <span className={classes.of}>{result.questionType === 'PERCENTAGE' ? '%' : `of ${max}`}</span>
      </p>
      {result.questionType === 'RATING' ? <Stars mean={mean} max={max} /> : null}
    </div>
  );
}
