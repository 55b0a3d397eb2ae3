import type { NamedWeightKind, Result } from '../../api/types';
import { formatNumber } from '../format';
import { type SecondCounts, secondRows } from './second-rows';
import classes from './tally.module.css';
import { weightHead } from './weight-names';

interface SecondTallyProps {
  kind: NamedWeightKind;
  counts: SecondCounts;
  options: Pick<Result['options'][number], 'id' | 'text'>[];
  /** The name of a group, for the counts among its members. */
  group?: string;
}

/** The sums by the second weight. A table of its own, because a third column would be too narrow on a phone. */
export function SecondTally({ kind, counts, options, group }: SecondTallyProps) {
  return (
    <table className={`${classes.table} ${classes.second}`}>
      <caption className={classes.caption}>
        {group === undefined ? 'Votes' : <bdi>{group}</bdi>}, in <bdi>{kind.name}</bdi>
      </caption>
      <thead>
        <tr>
          <th scope="col" dir="auto">
            {group ?? 'Second weight'}
          </th>
          <th scope="col" className={classes.figure} data-named dir="auto">
            {weightHead(kind)}
          </th>
        </tr>
      </thead>
      <tbody>
        {secondRows(counts, options).map(({ key, label, weight }) => (
          <tr key={key} className={classes.total}>
            <th scope="row" dir="auto">
              {label}
            </th>
            <td className={classes.figure}>{formatNumber(weight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
