import { IconCircleCheck } from '@tabler/icons-react';
import type { Result } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { formatPercent, type Unit, unitsOf } from '../../../shared/result/figures';
import { OptionSign } from '../../../shared/result/option-sign';
import classes from './option-totals.module.css';

type OptionResult = Result['options'][number];

/** Votes per option for a narrow screen: the text has a line of its own, and its figures are on the next one. */
export function OptionFigures({ result }: { result: Result }) {
  const units = unitsOf(result.decisionRule);
  const { elected, tie } = result.decision;
  return (
    <table className={classes.root}>
      <caption className={classes.caption}>Votes per option, and their share of the votes cast</caption>
      <thead>
        <tr>
          <th scope="col">Heads</th>
          <th scope="col">Weight</th>
        </tr>
      </thead>
      {result.options.map((option) => (
        <tbody key={option.id} data-role={option.role}>
          <tr>
            <th scope="rowgroup" colSpan={2} className={classes.option}>
              <span className={classes.name}>
                <OptionSign className={classes.sign} role={option.role} />
                <span className={classes.text} dir="auto">
                  {option.text}
                </span>
              </span>
              {elected.includes(option.id) ? (
                <span className={classes.mark}>
                  <IconCircleCheck size={16} stroke={2} aria-hidden="true" />
                  Elected
                </span>
              ) : null}
              {tie?.options.includes(option.id) ? <span className={classes.mark}>Tie</span> : null}
              {units.map((unit) => (
                <span key={unit} className={classes.track} aria-hidden="true">
                  {/* Without votes, the outline of an abstention would still be visible. */}
                  {percentOf(option, unit) ? (
                    <span className={classes.bar} style={{ width: `${percentOf(option, unit)}%` }} />
                  ) : null}
                </span>
              ))}
            </th>
          </tr>
          <tr>
            <Figure votes={option.heads} percent={option.headsPercent} />
            <Figure votes={option.weight} percent={option.weightPercent} />
          </tr>
        </tbody>
      ))}
    </table>
  );
}

function percentOf(option: OptionResult, unit: Unit): number | null {
  return unit === 'heads' ? option.headsPercent : option.weightPercent;
}

function Figure({ votes, percent }: { votes: number; percent: number | null }) {
  return (
    <td>
      <strong>{formatNumber(votes)}</strong> <span className={classes.percent}>{formatPercent(percent)}</span>
    </td>
  );
}
