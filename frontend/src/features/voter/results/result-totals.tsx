import type { Result } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { castAndInvalid, type Figures } from '../../../shared/result/cast-and-invalid';
import { weightHead, weightName } from '../../../shared/result/weight-names';
import classes from './result-totals.module.css';

/** The number of people who could vote, and of those who did. */
export function ResultTotals({ result }: { result: Result }) {
  const { weightKind } = result;
  const [cast, invalid] = castAndInvalid(result);
  const rows: { label: string; count: Figures }[] = [
    { label: 'Votes cast', count: cast },
    { label: 'Invalid', count: invalid },
    { label: 'Not voted', count: result.notVoted },
    { label: 'Register', count: result.register },
  ];
  return (
    <table className={classes.root} aria-label={`Votes, in heads and in ${weightName(weightKind)}`}>
      <thead>
        <tr>
          <th scope="col">Votes</th>
          <th scope="col">Heads</th>
          <th scope="col">{weightHead(weightKind)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, count }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{formatNumber(count.heads)}</td>
            <td>{count.weight === null ? '–' : formatNumber(count.weight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
