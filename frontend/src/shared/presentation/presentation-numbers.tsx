import { VisuallyHidden } from '@mantine/core';
import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import { distributionBars, highestBar, isGathered } from '../result/distribution';
import { averagesOf } from '../result/figures';
import classes from './presentation-numbers.module.css';

interface PresentationNumbersProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** The mean, large, and next to it the distribution of the answers. */
export function PresentationNumbers({ numbers, isPercentage }: PresentationNumbersProps) {
  const averages = averagesOf(numbers, isPercentage);
  return (
    <div className={classes.root}>
      <dl className={classes.averages}>
        {averages.map(({ label, text }, index) => (
          <div key={label} className={index === 0 ? classes.mean : undefined}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Distribution numbers={numbers} sign={isPercentage ? PERCENT_SIGN : ''} />
    </div>
  );
}

function Distribution({ numbers, sign }: { numbers: PresentationNumbersProps['numbers']; sign: string }) {
  const bars = distributionBars(numbers.distribution);
  const most = highestBar(bars);
  return (
    <>
      <VisuallyHidden component="table">
        <caption>Votes per answer, by heads</caption>
        <thead>
          <tr>
            <th scope="col">Answer</th>
            <th scope="col">Votes</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, heads }) => (
            <tr key={label}>
              <th scope="row">
                {label}
                {sign}
              </th>
              <td>{formatNumber(heads)}</td>
            </tr>
          ))}
        </tbody>
      </VisuallyHidden>
      <div className={classes.columns} data-gathered={isGathered(numbers.distribution)} aria-hidden="true">
        {bars.map(({ label, heads }) => (
          <div key={label} className={classes.column}>
            <span className={classes.upright}>
              <span className={classes.votes}>{formatNumber(heads)}</span>
              <span className={classes.bar} style={{ height: `${(heads / most) * 80}%` }} />
            </span>
            <span className={classes.label}>{label}</span>
          </div>
        ))}
      </div>
    </>
  );
}
