import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { SecondTally } from './second-tally';
import classes from './tally.module.css';
import { TallyHead } from './totals';
import { weightName } from './weight-names';

/** The counts among the members of each group in which the rule must be met as well. */
export function GroupsTally({
  result,
}: {
  result: Pick<Result, 'inEach' | 'options' | 'weightKind' | 'secondWeight'>;
}) {
  const text = (id: string) => result.options.find((option) => option.id === id)?.text ?? '';
  return (result.inEach ?? []).map((group) => (
    <div key={group.name} className={classes.totals}>
      <table className={classes.table}>
        <caption className={classes.caption}>
          <bdi>{group.name}</bdi>, in heads and in {weightName(result.weightKind)}
        </caption>
        <TallyHead label={group.name} weightKind={result.weightKind} />
        <tbody>
          {group.options.map((option) => (
            <Row key={option.id} label={text(option.id)} count={option} />
          ))}
          <Row label="Votes cast" count={group.votesCast} />
          <Row label="Present" count={group.present} />
          <Row label="Register" count={group.register} />
        </tbody>
      </table>
      {result.secondWeight && group.secondWeight ? (
        <SecondTally
          kind={result.secondWeight.kind}
          counts={group.secondWeight}
          options={result.options}
          group={group.name}
        />
      ) : null}
    </div>
  ));
}

interface RowProps {
  label: string;
  count: { heads: number; weight: number };
}

function Row({ label, count }: RowProps) {
  return (
    <tr className={classes.total}>
      <th scope="row" dir="auto">
        {label}
      </th>
      <td className={classes.figure}>{formatNumber(count.heads)}</td>
      <td className={classes.figure}>{formatNumber(count.weight)}</td>
    </tr>
  );
}
