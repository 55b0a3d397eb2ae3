import type { Result } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { secondRows } from '../../../shared/result/second-rows';
import { weightHead } from '../../../shared/result/weight-names';
import classes from './result-totals.module.css';

interface SecondTotalsProps {
  second: NonNullable<Result['secondWeight']>;
  options: Result['options'];
}

/** The sums by the second weight. */
export function SecondTotals({ second, options }: SecondTotalsProps) {
  return (
    <table className={classes.root} aria-label={`Votes, in ${second.kind.name}`}>
      <thead>
        <tr>
          <th scope="col">Second weight</th>
          <th scope="col">{weightHead(second.kind)}</th>
        </tr>
      </thead>
      <tbody>
        {secondRows(second, options).map(({ key, label, weight }) => (
          <tr key={key}>
            <th scope="row" className={classes.option} dir="auto">
              {label}
            </th>
            <td>{formatNumber(weight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
