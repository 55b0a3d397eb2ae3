import type { Result } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { DistributionColumns } from '../../../shared/result/distribution-columns';
import { MeanHeadline } from '../../../shared/result/mean-headline';
import { OptionBars } from './option-bars';
import classes from './result-numbers.module.css';

/** The counts of a declared round at a glance, in the form that its question asks for. */
export function ResultFigures({ result }: { result: Result }) {
  const { numbers } = result;
  if (result.options.length > 0) {
    return <OptionBars result={result} />;
  }
  return numbers ? (
    <div className={classes.root}>
      <MeanHeadline result={{ ...result, numbers }} />
      <DistributionColumns result={{ ...result, numbers }} />
    </div>
  ) : (
    <p className={classes.count}>{countOf(result.votesCast.heads, 'answer')}</p>
  );
}
