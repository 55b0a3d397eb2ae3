import type { Result } from '../../../api/types';
import { formatNumber, PERCENT_SIGN } from '../../../shared/format';
import { Averages } from '../../../shared/result/averages';
import { distributionBars, highestBar } from '../../../shared/result/distribution';
import classes from './number-totals.module.css';

interface NumberTotalsProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** The averages, and the distribution of the numbers. */
export function NumberTotals({ numbers, isPercentage }: NumberTotalsProps) {
  const sign = isPercentage ? PERCENT_SIGN : '';
  return (
    <>
      <Averages numbers={numbers} isPercentage={isPercentage} isList />
      <Distribution distribution={numbers.distribution} sign={sign} />
    </>
  );
}

interface DistributionProps {
  distribution: NumberTotalsProps['numbers']['distribution'];
  sign: string;
}

function Distribution({ distribution, sign }: DistributionProps) {
  const bars = distributionBars(distribution);
  const most = highestBar(bars);
  return (
    <table className={classes.distribution}>
      <caption>How often each answer was given, by heads</caption>
      <tbody>
        {bars.map(({ label, heads }) => (
          <tr key={label}>
            <th scope="row">
              {label}
              {sign}
            </th>
            <td>
              <span className={classes.line}>
                <span className={classes.track} aria-hidden="true">
                  <span className={classes.bar} style={{ width: `${(heads / most) * 100}%` }} />
                </span>
                {formatNumber(heads)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
