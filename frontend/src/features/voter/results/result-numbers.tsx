import type { Result } from '../../../api/types';
import { summaryOf } from './declared-results';
import { NumberTotals } from './number-totals';
import { OptionFigures } from './option-totals';
import classes from './result-numbers.module.css';
import { ResultTotals } from './result-totals';

/** The counts of a declared round, in the form that its question asks for. */
export function ResultFigures({ result }: { result: Result }) {
  return (
    <div className={classes.root}>
      <Answers result={result} />
      <ResultTotals result={result} />
    </div>
  );
}

function Answers({ result }: { result: Result }) {
  if (result.options.length > 0) {
    return <OptionFigures result={result} />;
  }
  return result.numbers ? (
    <NumberTotals numbers={result.numbers} isPercentage={result.questionType === 'PERCENTAGE'} />
  ) : (
    <p className={classes.count}>{summaryOf(result)}</p>
  );
}
