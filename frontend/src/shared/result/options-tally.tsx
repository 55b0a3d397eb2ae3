import { VisuallyHidden } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { formatPercent, unitsOf } from './figures';
import { OptionSign } from './option-sign';
import classes from './tally.module.css';
import { TallyHead, TotalRows } from './totals';

type OptionResult = Result['options'][number];

interface OptionsTallyProps {
  result: Pick<
    Result,
    'options' | 'votesCast' | 'invalid' | 'notVoted' | 'register' | 'decision' | 'decisionRule'
  >;
  /** Off next to a chart of the same numbers. */
  hasBars?: boolean;
  /** Off if the votes not cast are shown elsewhere. */
  hasTotals?: boolean;
}

/**
 * Heads and weight of each option, as the server returns them. Yes, no and abstain differ by sign, word and pattern,
 * not by color alone.
 */
export function OptionsTally({ result, hasBars = true, hasTotals = true }: OptionsTallyProps) {
  const units = unitsOf(result.decisionRule);
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.caption}>Votes per option, in heads and in weight</caption>
        <TallyHead label="Option" />
        <tbody>
          {result.options.map((option) => (
            <tr key={option.id} data-role={option.role}>
              <th scope="row" className={classes.label}>
                <span className={classes.name}>
                  <OptionSign className={classes.sign} role={option.role} />
                  <span className={classes.words} dir="auto">
                    {option.text}
                  </span>
                  {result.decision.elected.includes(option.id) ? <ElectedMark /> : null}
                </span>
                {hasBars
                  ? units.map((unit) => <Bar key={unit} percent={percentOf(option, unit)} unit={unit} />)
                  : null}
              </th>
              <Figure value={option.heads} percent={option.headsPercent} />
              <Figure value={option.weight} percent={option.weightPercent} />
            </tr>
          ))}
        </tbody>
        {hasTotals ? (
          <tbody>
            <TotalRows totals={result} isLined />
          </tbody>
        ) : null}
      </table>
    </div>
  );
}

function percentOf(option: OptionResult, unit: 'heads' | 'weight'): number {
  return (unit === 'heads' ? option.headsPercent : option.weightPercent) ?? 0;
}

function Bar({ percent, unit }: { percent: number; unit: string }) {
  return (
    <span className={classes.track} data-unit={unit} aria-hidden="true">
      {/* Without votes, the outline of an abstention would still be visible. */}
      {percent > 0 ? <span className={classes.bar} style={{ width: `${percent}%` }} /> : null}
    </span>
  );
}

function ElectedMark() {
  return (
    <span className={classes.elected}>
      <IconCircleCheck size={14} stroke={2} aria-hidden="true" />
      Elected
    </span>
  );
}

function Figure({ value, percent }: { value: number; percent: number | null }) {
  return (
    <td className={classes.figure}>
      <span className={classes.value}>{formatNumber(value)}</span>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={classes.percent}>{formatPercent(percent)}</span>
    </td>
  );
}
