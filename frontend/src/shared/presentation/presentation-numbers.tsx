import { VisuallyHidden } from '@mantine/core';
import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import { distributionBars, isGathered } from '../result/distribution';
import classes from './presentation-numbers.module.css';

interface PresentationNumbersProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** The mean, large, and beside it how the answers are spread. */
export function PresentationNumbers({ numbers, isPercentage }: PresentationNumbersProps) {
  const sign = isPercentage ? PERCENT_SIGN : '';
  const others = [
    { label: 'Mean by weight', value: numbers.weightedMean },
    { label: 'Median', value: numbers.median },
    { label: 'Median by weight', value: numbers.weightedMedian },
  ];
  return (
    <div className={classes.root}>
      <dl className={classes.averages}>
        <div className={classes.mean}>
          <dt>Mean</dt>
          <dd>{averageWords(numbers.mean, sign)}</dd>
        </div>
        {others.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{averageWords(value, sign)}</dd>
          </div>
        ))}
      </dl>
      <Distribution numbers={numbers} sign={sign} />
    </div>
  );
}

function averageWords(value: number | null, sign: string): string {
  return value === null ? '–' : `${formatNumber(value)}${sign}`;
}

function Distribution({ numbers, sign }: { numbers: PresentationNumbersProps['numbers']; sign: string }) {
  const bars = distributionBars(numbers.distribution);
  const most = Math.max(1, ...bars.map(({ heads }) => heads));
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
