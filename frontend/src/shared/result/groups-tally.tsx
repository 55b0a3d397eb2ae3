import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { SecondTally } from './second-tally';
import classes from './tally.module.css';
import { TallyHead } from './totals';
import { weightName } from './weight-names';

interface GroupsTallyProps {
  result: Pick<Result, 'inEach' | 'options' | 'weightKind' | 'secondWeight'>;
}

/** The counts among the members of each group in which the rule must be met as well. */
export function GroupsTally({ result }: GroupsTallyProps) {
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
      <SecondOfGroup result={result} name={group.name} />
    </div>
  ));
}

/** The counts of a group by the second weight, if there is one. */
function SecondOfGroup({ result, name }: GroupsTallyProps & { name: string }) {
  const { secondWeight, options } = result;
  const counts = secondWeight?.inEach?.find((group) => group.name === name);
  return secondWeight && counts ? (
    <SecondTally kind={secondWeight.kind} counts={counts} options={options} group={name} />
  ) : null;
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
