import type { Result } from '../../../api/types';
import { formatNumber, PERCENT_SIGN } from '../../../shared/format';
import { distributionBars } from '../../../shared/result/distribution';
import { averagesOf } from '../../../shared/result/figures';
import classes from './number-totals.module.css';

interface NumberFiguresProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** What was given on average, and how often each number was given. */
export function NumberFigures({ numbers, isPercentage }: NumberFiguresProps) {
  const sign = isPercentage ? PERCENT_SIGN : '';
  return (
    <>
      <dl className={classes.averages}>
        {averagesOf(numbers, isPercentage).map(({ label, text }) => (
          <div key={label} className={classes.average}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Distribution distribution={numbers.distribution} sign={sign} />
    </>
  );
}

interface DistributionProps {
  distribution: NumberFiguresProps['numbers']['distribution'];
  sign: string;
}

function Distribution({ distribution, sign }: DistributionProps) {
  const bars = distributionBars(distribution);
  const most = Math.max(1, ...bars.map(({ heads }) => heads));
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
