import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { castAndInvalid, type Figures } from './cast-and-invalid';
import classes from './tally.module.css';
import { type NamedKind, weightHead, weightName } from './weight-names';

type Totals = Pick<
  Result,
  'votesCast' | 'invalid' | 'notVoted' | 'register' | 'weightKind' | 'election' | 'countsHeads'
>;

/** The rows at the end of every result. */
export function TotalRows({ totals, isLined = false }: { totals: Totals; isLined?: boolean }) {
  const [cast, invalid] = castAndInvalid(totals);
  const rows: { label: string; count: Figures }[] = [
    { label: 'Votes cast', count: cast },
    { label: 'Invalid', count: invalid },
    { label: 'Not voted', count: totals.notVoted },
    { label: 'Register', count: totals.register },
  ];
  return rows.map(({ label, count }, index) => (
    <tr key={label} className={classes.total} data-first={isLined && index === 0}>
      <th scope="row">{label}</th>
      <td className={classes.figure}>{formatNumber(count.heads)}</td>
      <td className={classes.figure}>{count.weight === null ? '–' : formatNumber(count.weight)}</td>
    </tr>
  ));
}

/** Votes cast, invalid and not cast, for results whose answers are shown elsewhere. */
export function TotalsTable({ totals }: { totals: Totals }) {
  return (
    <table className={classes.table}>
      <caption className={classes.caption}>Votes, in heads and in {weightName(totals.weightKind)}</caption>
      <TallyHead label="Votes" weightKind={totals.weightKind} />
      <tbody>
        <TotalRows totals={totals} />
      </tbody>
    </table>
  );
}

export function TallyHead({ label, weightKind }: { label: string; weightKind: NamedKind }) {
  return (
    <thead>
      <tr>
        <th scope="col" dir="auto">
          {label}
        </th>
        <th scope="col" className={classes.figure}>
          Heads
        </th>
        <th scope="col" className={classes.figure} data-named={weightKind ? true : undefined} dir="auto">
          {weightHead(weightKind)}
        </th>
      </tr>
    </thead>
  );
}
