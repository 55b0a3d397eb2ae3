import { useState } from 'react';
import { PAGE_SIZE } from '../../api/page';
import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import { ListPages } from '../ui/list-pages';
import classes from './tally.module.css';
import { TallyHead } from './totals';
import { type NamedKind, weightName } from './weight-names';

/** The most rows that are shown without scrolling. */
const UNSCROLLED = 8;

interface ValuesTableProps {
  distribution: NonNullable<Result['numbers']>['distribution'];
  isPercentage: boolean;
  weightKind: NamedKind;
}

/** The number of votes for each value, in pages if there are many. */
export function ValuesTable({ distribution, isPercentage, weightKind }: ValuesTableProps) {
  const [page, setPage] = useState(1);
  const first = (page - 1) * PAGE_SIZE;
  return (
    // A section: changing the page scrolls to its top.
    <section>
      {/* A scrolling box must be reachable by keyboard. */}
      <div className={classes.values} tabIndex={distribution.length > UNSCROLLED ? 0 : undefined}>
        <table className={classes.table}>
          <caption className={classes.caption}>
            Votes per answer, in heads and in {weightName(weightKind)}
          </caption>
          <TallyHead label="Answer" weightKind={weightKind} />
          <tbody>
            {distribution.slice(first, first + PAGE_SIZE).map(({ value, heads, weight }) => (
              <tr key={value} className={classes.total}>
                <th scope="row">
                  {formatNumber(value)}
                  {isPercentage ? PERCENT_SIGN : ''}
                </th>
                <td className={classes.figure}>{formatNumber(heads)}</td>
                <td className={classes.figure}>{formatNumber(weight)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ListPages label="Votes per answer" page={page} total={distribution.length} onPage={setPage} />
    </section>
  );
}
