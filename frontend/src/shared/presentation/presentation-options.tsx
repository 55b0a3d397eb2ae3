import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import { countOf, formatNumber } from '../format';
import type { Unit } from '../result/figures';
import { OptionMark } from '../result/option-mark';
import { OptionSign } from '../result/option-sign';
import { capitalized } from '../result/result-words';
import { ShareBar } from '../result/share-bar';
import {
  type Share,
  type SharedResult,
  type ShareRow,
  type Shares,
  sharesOf,
  widestVotes,
} from '../result/shares';
import { type NamedKind, weightName } from '../result/weight-names';
import classes from './presentation-options.module.css';

/** More rows than these would be too small in one column. */
const TWO_COLUMNS_FROM = 13;

/** More rows than these would be too small for the back row of a hall. */
const MOST_ROWS = 20;

/** What the figures are called, where they are not the votes for options. */
export interface OptionsWording {
  caption: string;
  /** "candidate" */
  noun: string;
  /** "vote", "point" */
  figure: string;
  /** A word beside the name of an option: "excluded". */
  noteOf: (optionId: string) => string | null;
}

const OPTIONS: OptionsWording = {
  caption: 'Votes per option',
  noun: 'option',
  figure: 'vote',
  noteOf: () => null,
};

interface PresentationOptionsProps {
  result: SharedResult & { weightKind?: NamedKind };
  wording?: OptionsWording;
}

/** Votes per option, in the unit of the rule: as bars, which screen readers read as a table. */
export function PresentationOptions({ result, wording = OPTIONS }: PresentationOptionsProps) {
  const { weightKind } = result;
  const shares = sharesOf(result);
  const { rows } = shares;
  const shown = rows.slice(0, shownRows(rows, shares.units));
  const half = shown.length < TWO_COLUMNS_FROM ? shown.length : Math.ceil(shown.length / 2);
  const table = { weightKind, shares, wording };
  return (
    <>
      {half < shown.length ? (
        <div className={classes.halves}>
          <OptionsTable {...table} rows={shown.slice(0, half)} />
          <OptionsTable {...table} rows={shown.slice(half)} isContinued />
        </div>
      ) : (
        <OptionsTable {...table} rows={shown} />
      )}
      {shown.length < rows.length ? (
        <p className={classes.rest}>{restSentence(rows.slice(shown.length), shares.units, table)}</p>
      ) : null}
    </>
  );
}

/**
 * The number of rows on the screen: all that were elected or are tied, and otherwise those with the most votes. Where not
 * all have space, those without votes need none.
 */
function shownRows(rows: ShareRow[], units: Unit[]): number {
  const lastDecided = rows.reduce(
    (last, { isElected, isTied }, index) => (isElected || isTied ? index : last),
    -1,
  );
  if (rows.length <= MOST_ROWS + 1) {
    return rows.length;
  }
  const withVotes = rows.filter(({ shares }) => units.some((unit) => shares[unit].votes > 0)).length;
  return Math.max(withVotes === 0 ? MOST_ROWS : Math.min(MOST_ROWS, withVotes), lastDecided + 1);
}

/** "21 more options have at most 3 votes each. The phones show them all." */
function restSentence(
  rows: ShareRow[],
  units: Unit[],
  { weightKind, wording: { noun, figure } }: Pick<OptionsTableProps, 'weightKind' | 'wording'>,
): string {
  const most = units.map((unit) => {
    const votes = Math.max(...rows.map(({ shares }) => shares[unit].votes));
    const limit = votes === 0 ? `no ${figure}s` : `at most ${countOf(votes, figure)} each`;
    return units.length > 1 ? `${limit} by ${unitName(unit, weightKind)}` : limit;
  });
  const have = rows.length === 1 ? 'has' : 'have';
  return `${countOf(rows.length, `more ${noun}`)} ${have} ${most.join(', and ')}. The phones show them all.`;
}

/** "Votes by heads"; other figures name only the weight that they count by. */
function headOf({ figure }: OptionsWording, unit: Unit, weightKind: NamedKind): string {
  const by = figure === 'vote' || unit === 'weight' ? ` by ${unitName(unit, weightKind)}` : '';
  return `${capitalized(figure)}s${by}`;
}

/** "heads", "weight" or the name of a kind of weight. */
function unitName(unit: Unit, weightKind: NamedKind): string {
  return unit === 'heads' ? unit : weightName(weightKind);
}

interface OptionsTableProps {
  weightKind: NamedKind;
  shares: Shares;
  wording: OptionsWording;
  rows: ShareRow[];
  /** The second of two tables. */
  isContinued?: boolean;
}

function OptionsTable({ weightKind, shares, wording, rows, isContinued = false }: OptionsTableProps) {
  const { units } = shares;
  const { caption, noteOf } = wording;
  return (
    <table className={classes.root} data-units={units.length}>
      <caption>
        <VisuallyHidden>{isContinued ? `${caption}, continued` : caption}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{capitalized(wording.noun)}</VisuallyHidden>
          </th>
          {units.map((unit) => (
            <th key={unit} scope="col" className={classes.unit}>
              {headOf(wording, unit, weightKind)}
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
                {noteOf(row.option.id) ? (
                  <span className={classes.noteMark}>{noteOf(row.option.id)}</span>
                ) : null}
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
