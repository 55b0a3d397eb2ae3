import type { NumbersResult } from '../result/distribution';
import { DistributionColumns } from '../result/distribution-columns';
import { averagesOf } from '../result/figures';
import { MeanHeadline } from '../result/mean-headline';
import type { CountedKinds } from '../result/weight-names';
import classes from './presentation-numbers.module.css';

/** The mean, large, with its stars, and next to it the distribution of the answers. */
export function PresentationNumbers({ result }: { result: NumbersResult & CountedKinds }) {
  const [, ...others] = averagesOf(result.numbers, result.questionType === 'PERCENTAGE', result.weightKind);
  return (
    <div className={classes.root}>
      <div>
        <div className={classes.mean}>
          <MeanHeadline result={result} />
        </div>
        <dl className={classes.averages}>
          {others.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={classes.columns}>
        <DistributionColumns result={result} />
      </div>
    </div>
  );
}
