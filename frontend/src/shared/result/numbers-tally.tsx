import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import { Averages } from './averages';
import { distributionBars, highestBar, isGathered } from './distribution';
import classes from './tally.module.css';
import { ValuesTable } from './values-table';

interface NumbersTallyProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

/** Averages and the distribution of the answers: as bars, and as a table of every value. */
export function NumbersTally({ numbers, isPercentage }: NumbersTallyProps) {
  const { distribution } = numbers;
  const bars = distributionBars(distribution);
  const most = highestBar(bars);
  const unit = isPercentage ? PERCENT_SIGN : '';

  return (
    <>
      <Averages numbers={numbers} isPercentage={isPercentage} />
      <ul className={classes.bars} aria-label="Distribution by heads">
        {bars.map(({ label, heads }) => (
          <li key={label} className={classes.barRow} data-role="choice">
            <span className={classes.barLabel}>
              {label}
              {unit}
            </span>
            <span className={classes.track} aria-hidden="true">
              <span className={classes.bar} style={{ width: `${(heads / most) * 100}%` }} />
            </span>
            <span className={classes.barFigure}>{formatNumber(heads)}</span>
          </li>
        ))}
      </ul>
      {isGathered(distribution) ? (
        <details className={classes.all}>
          <summary>All values</summary>
          <ValuesTable distribution={distribution} isPercentage={isPercentage} />
        </details>
      ) : (
        <ValuesTable distribution={distribution} isPercentage={isPercentage} />
      )}
    </>
  );
}
