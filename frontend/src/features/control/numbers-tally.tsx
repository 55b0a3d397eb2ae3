import type { Result } from '../../api/types';
import { formatNumber } from '../../shared/format';
import { distributionRows } from './distribution';
import classes from './tally.module.css';

type Numbers = NonNullable<Result['numbers']>;

/** Averages and how the answers are spread. */
export function NumbersTally({ numbers, isPercentage }: { numbers: Numbers; isPercentage: boolean }) {
  const unit = isPercentage ? ' %' : '';
  const rows = distributionRows(numbers.distribution);
  const most = Math.max(1, ...rows.map(({ heads }) => heads));

  return (
    <>
      <dl className={classes.averages}>
        <Average label="Mean" value={numbers.mean} unit={unit} />
        <Average label="Mean by weight" value={numbers.weightedMean} unit={unit} />
        <Average label="Median" value={numbers.median} unit={unit} />
      </dl>
      <table className={classes.table}>
        <caption className={classes.caption}>Votes per answer, in heads and in weight</caption>
        <thead>
          <tr>
            <th scope="col">Answer</th>
            <th scope="col" className={classes.figure}>
              Heads
            </th>
            <th scope="col" className={classes.figure}>
              Weight
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, heads, weight }) => (
            <tr key={label} data-role="choice">
              <th scope="row" className={classes.label}>
                <span className={classes.name}>
                  {label}
                  {unit}
                </span>
                <span className={classes.track} aria-hidden="true">
                  <span className={classes.bar} style={{ width: `${(heads / most) * 100}%` }} />
                </span>
              </th>
              <td className={classes.figure}>{formatNumber(heads)}</td>
              <td className={classes.figure}>{formatNumber(weight)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Average({ label, value, unit }: { label: string; value: number | null; unit: string }) {
  return (
    <div className={classes.average}>
      <dt>{label}</dt>
      <dd>{value === null ? '–' : `${formatNumber(Math.round(value * 100) / 100)}${unit}`}</dd>
    </div>
  );
}
