import type { Result } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { type Share, sharesOf } from '../../../shared/result/shares';
import { weightHead, weightName } from '../../../shared/result/weight-names';
import classes from './result-totals.module.css';

/** Heads and weight of each option: a table, beside the bars that show only what the rule counts. */
export function OptionFigures({ result }: { result: Result }) {
  const { weightKind } = result;
  return (
    <table
      className={classes.root}
      aria-label={`Votes per option, in heads and in ${weightName(weightKind)}`}
    >
      <thead>
        <tr>
          <th scope="col">Option</th>
          <th scope="col">Heads</th>
          <th scope="col">{weightHead(weightKind)}</th>
        </tr>
      </thead>
      <tbody>
        {sharesOf(result).rows.map(({ option, shares }) => (
          <tr key={option.id}>
            <th scope="row" className={classes.option} dir="auto">
              {option.text}
            </th>
            <Figure share={shares.heads} />
            <Figure share={shares.weight} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Figure({ share }: { share: Share }) {
  return (
    <td>
      {formatNumber(share.votes)} <span className={classes.percent}>{share.text}</span>
    </td>
  );
}
