import type { Result } from '../../api/types';
import classes from './averages.module.css';
import { averagesOf } from './figures';

interface AveragesProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** Mean and median, by heads and by weight, digit for digit as the server gives them. */
export function Averages({ numbers, isPercentage }: AveragesProps) {
  return (
    <dl className={classes.root}>
      {averagesOf(numbers, isPercentage).map(({ label, text }) => (
        <div key={label} className={classes.average}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
