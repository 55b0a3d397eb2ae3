import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import classes from './averages.module.css';

interface AveragesProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** Mean and median, by heads and by weight, digit for digit as the server gives them. */
export function Averages({ numbers, isPercentage }: AveragesProps) {
  const unit = isPercentage ? PERCENT_SIGN : '';
  const averages = [
    { label: 'Mean', value: numbers.mean },
    { label: 'Mean by weight', value: numbers.weightedMean },
    { label: 'Median', value: numbers.median },
    { label: 'Median by weight', value: numbers.weightedMedian },
  ];
  return (
    <dl className={classes.root}>
      {averages.map(({ label, value }) => (
        <div key={label} className={classes.average}>
          <dt>{label}</dt>
          <dd>{value === null ? '–' : `${formatNumber(value)}${unit}`}</dd>
        </div>
      ))}
    </dl>
  );
}
