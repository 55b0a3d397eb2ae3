import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { Result } from '../../api/types';
import { countOf, formatNumber } from '../format';
import type { Unit } from '../result/figures';
import { OptionMark } from '../result/option-mark';
import { OptionSign } from '../result/option-sign';
import { ShareBar } from '../result/share-bar';
import { type Share, type ShareRow, type Shares, sharesOf, widestVotes } from '../result/shares';
import { type NamedKind, weightName } from '../result/weight-names';
import classes from './presentation-options.module.css';

/** More rows than these would be too small in one column. */
const TWO_COLUMNS_FROM = 13;

/** More rows than these would be too small for the back row of a hall. */
const MOST_ROWS = 20;

/** Votes per option, in the unit of the rule: as bars, which screen readers read as a table. */
export function PresentationOptions({ result }: { result: Result }) {
  const shares = sharesOf(result);
  const { rows } = shares;
  if (rows.length < TWO_COLUMNS_FROM) {
    return <OptionsTable weightKind={result.weightKind} shares={shares} rows={rows} />;
  }
  const shown = rows.slice(0, shownRows(rows));
  const half = Math.ceil(shown.length / 2);
  return (
    <>
      <div className={classes.halves}>
        <OptionsTable weightKind={result.weightKind} shares={shares} rows={shown.slice(0, half)} />
        <OptionsTable weightKind={result.weightKind} shares={shares} rows={shown.slice(half)} isContinued />
      </div>
      {shown.length < rows.length ? (
        <p className={classes.rest}>
          {restSentence(rows.slice(shown.length), shares.units, result.weightKind)}
        </p>
      ) : null}
    </>
  );
}

/** The number of rows on the screen: all that were elected or are tied, and otherwise those with the most votes. */
function shownRows(rows: ShareRow[]): number {
  const lastDecided = rows.reduce(
    (last, { isElected, isTied }, index) => (isElected || isTied ? index : last),
    -1,
  );
  return rows.length <= MOST_ROWS + 1 ? rows.length : Math.max(MOST_ROWS, lastDecided + 1);
}

/** "21 more options have at most 3 votes each. The phones show them all." */
function restSentence(rows: ShareRow[], units: Unit[], weightKind: NamedKind): string {
  const most = units.map((unit) => {
    const votes = Math.max(...rows.map(({ shares }) => shares[unit].votes));
    const limit = votes === 0 ? 'no votes' : `at most ${countOf(votes, 'vote')} each`;
    return units.length > 1 ? `${limit} by ${unitName(unit, weightKind)}` : limit;
  });
  return `${formatNumber(rows.length)} more options have ${most.join(', and ')}. The phones show them all.`;
}

/** "heads", "weight" or the name of a kind of weight. */
function unitName(unit: Unit, weightKind: NamedKind): string {
  return unit === 'heads' ? unit : weightName(weightKind);
}

interface OptionsTableProps {
  weightKind: NamedKind;
  shares: Shares;
  rows: ShareRow[];
  /** The second of two tables. */
  isContinued?: boolean;
}

function OptionsTable({ weightKind, shares, rows, isContinued = false }: OptionsTableProps) {
  const { units } = shares;
  return (
    <table className={classes.root} data-units={units.length}>
      <caption>
        <VisuallyHidden>{isContinued ? 'Votes per option, continued' : 'Votes per option'}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Option</VisuallyHidden>
          </th>
          {units.map((unit) => (
            <th key={unit} scope="col" className={classes.unit}>
              Votes by {unitName(unit, weightKind)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.option.id}>
            <th scope="row">
              <span className={classes.name}>
                <OptionSign role={row.option.role} size="1.15em" />
                <span className={classes.text} dir="auto">
                  {row.option.text}
                </span>
                <OptionMark row={row} />
              </span>
            </th>
            {units.map((unit) => (
              <td key={unit} style={{ '--digits': widestVotes(shares.rows, unit) } as CSSProperties}>
                <Figure row={row} share={row.shares[unit]} isLabelled={index === 0 && !isContinued} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Figure({ row, share, isLabelled }: { row: ShareRow; share: Share; isLabelled: boolean }) {
  return (
    <span className={classes.figure}>
      <span className={classes.share}>
        <ShareBar share={share} role={row.option.role} isLabelled={isLabelled} />
      </span>
      <strong className={classes.votes}>{formatNumber(share.votes)}</strong>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={classes.percent}>{share.text}</span>
    </span>
  );
}
