import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { Result } from '../../api/types';
import { formatNumber } from '../../shared/format';
import classes from './tally.module.css';

type OptionResult = Result['options'][number];

/** Heads and weight of each option. Yes, no and abstain differ by sign, word and pattern, not by colour alone. */
export function OptionsTally({
  options,
  votesCast,
}: {
  options: OptionResult[];
  votesCast: Result['votesCast'];
}) {
  return (
    <table className={classes.table}>
      <caption className={classes.caption}>Votes per option, in heads and in weight</caption>
      <thead>
        <tr>
          <th scope="col">Option</th>
          <th scope="col" className={classes.figure}>
            Heads
          </th>
          <th scope="col" className={classes.figure}>
            Weight
          </th>
        </tr>
      </thead>
      <tbody>
        {options.map((option) => (
          <tr key={option.id} data-role={option.role}>
            <th scope="row" className={classes.label}>
              <span className={classes.name}>
                <Sign role={option.role} />
                {option.text}
              </span>
              <span className={classes.track} aria-hidden="true">
                <span className={classes.bar} style={{ width: `${share(option.heads, votesCast.heads)}%` }} />
              </span>
            </th>
            <Figure value={option.heads} of={votesCast.heads} />
            <Figure value={option.weight} of={votesCast.weight} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function share(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

function Figure({ value, of }: { value: number; of: number }) {
  return (
    <td className={classes.figure}>
      <span className={classes.value}>{formatNumber(value)}</span>
      <span className={classes.percent}>{share(value, of).toFixed(1)} %</span>
    </td>
  );
}

function Sign({ role }: { role: OptionResult['role'] }) {
  switch (role) {
    case 'yes':
      return <IconCheck className={classes.sign} size={18} stroke={2.5} aria-hidden="true" />;
    case 'no':
      return <IconX className={classes.sign} size={18} stroke={2.5} aria-hidden="true" />;
    case 'abstain':
      return <IconMinus className={classes.sign} size={18} stroke={2.5} aria-hidden="true" />;
    case 'choice':
      return null;
  }
}
