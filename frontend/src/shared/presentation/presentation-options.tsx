import { VisuallyHidden } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { formatPercent, type Unit, unitsOf } from '../result/figures';
import { OptionSign } from '../result/option-sign';
import classes from './presentation-options.module.css';

type OptionResult = Result['options'][number];

/** Votes per option, in the unit of the rule: as bars, which screen readers read as a table. */
export function PresentationOptions({ result }: { result: Result }) {
  const units = unitsOf(result.decisionRule);
  const { elected, tie } = result.decision;
  return (
    <table className={classes.root} data-units={units.length}>
      <caption>
        <VisuallyHidden>Votes per option</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Option</VisuallyHidden>
          </th>
          {units.map((unit) => (
            <th key={unit} scope="col" className={classes.unit}>
              Votes by {unit}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {result.options.map((option) => (
          <tr key={option.id} data-role={option.role} data-elected={elected.includes(option.id)}>
            <th scope="row">
              <span className={classes.name}>
                <OptionSign className={classes.sign} role={option.role} />
                <span className={classes.text} dir="auto">
                  {option.text}
                </span>
                {elected.includes(option.id) ? <Elected /> : null}
                {tie?.options.includes(option.id) ? <Tied /> : null}
              </span>
            </th>
            {units.map((unit) => (
              <td key={unit} style={{ '--digits': digitsOf(result.options, unit) } as CSSProperties}>
                <Figure {...figuresOf(option, unit)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function figuresOf(option: OptionResult, unit: Unit): { votes: number; percent: number | null } {
  return unit === 'heads'
    ? { votes: option.heads, percent: option.headsPercent }
    : { votes: option.weight, percent: option.weightPercent };
}

function digitsOf(options: OptionResult[], unit: Unit): number {
  return Math.max(...options.map((option) => formatNumber(figuresOf(option, unit).votes).length));
}

function Figure({ votes, percent }: { votes: number; percent: number | null }) {
  return (
    <span className={classes.figure}>
      <span className={classes.track} aria-hidden="true">
        {/* Without votes, the outline of an abstention would still be visible. */}
        {percent ? <span className={classes.bar} style={{ width: `${percent}%` }} /> : null}
      </span>
      <strong className={classes.votes}>{formatNumber(votes)}</strong>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={classes.percent}>{formatPercent(percent)}</span>
    </span>
  );
}

function Elected() {
  return (
    <span className={classes.mark}>
      <IconCircleCheck stroke={2} aria-hidden="true" />
      Elected
    </span>
  );
}

function Tied() {
  return (
    <span className={classes.mark} data-kind="tie">
      Tie
    </span>
  );
}
