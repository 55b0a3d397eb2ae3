import type { ElectionResult } from '../../elections/election-types';
import { formatNumber } from '../../format';
import { type NamedKind, weightHead } from '../weight-names';
import classes from './election-report.module.css';

interface BallotsTableProps {
  election: ElectionResult;
  weightKind: NamedKind;
}

/** The ballots that were cast, by what they are, and the faults of the others. */
export function BallotsTable({ election: { ballots, unit }, weightKind }: BallotsTableProps) {
  const { cast, valid, abstentions, invalid, faults } = ballots;
  const rows = [
    ['Cast', cast],
    ['Valid', valid],
    ['Abstentions', abstentions],
    ['Invalid', invalid],
  ] as const;
  return (
    <>
      <div className={classes.wide}>
        <table className={classes.table}>
          <caption className={classes.caption}>Ballots</caption>
          <thead>
            <tr>
              <td />
              <th scope="col" className={classes.cell}>
                Heads
              </th>
              {unit === 'weight' ? (
                <th scope="col" className={classes.cell}>
                  {weightHead(weightKind)}
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, sum]) => (
              <tr key={label} className={classes.total}>
                <th scope="row">{label}</th>
                <td className={classes.cell}>{formatNumber(sum.heads)}</td>
                {unit === 'weight' ? <td className={classes.cell}>{sum.votes}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {faults.length > 0 ? (
        <ul className={classes.sentences} aria-label="Ballot faults">
          {faults.map(({ fault, effect, words }) => (
            <li key={`${fault} ${effect}`}>{words}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
