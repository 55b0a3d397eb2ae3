import type { ImportRow, ImportTable } from '../../../api/types';
import { type ColumnField, kindIdOf, ofKind } from '../fields';

/** The column of the file for each field, counted from 0. */
export type Mapping = Partial<Record<ColumnField, number>>;

const NAMES = ['name', 'firstName', 'lastName'] as const;

export function suggestedMapping({ mapping: { weights = [], ...mapping } }: ImportTable): Mapping {
  return Object.fromEntries([
    ...Object.entries(mapping).filter(([, column]) => typeof column === 'number'),
    ...weights.map(({ kindId, column }) => [ofKind(kindId), column]),
  ]);
}

export function withColumn(mapping: Mapping, field: ColumnField, column: number | undefined): Mapping {
  const { [field]: _before, ...others } = mapping;
  return column === undefined ? others : { ...others, [field]: column };
}

/** Describes a missing column. With `isStop` the file cannot be used; otherwise it has limited use. */
export function mappingRemark(mapping: Mapping): { isStop: boolean; text: string } | null {
  if (NAMES.some((field) => mapping[field] !== undefined)) {
    return null;
  }
  return mapping.username === undefined
    ? {
        isStop: true,
        text: 'No column holds the name. Choose the column for Name, or those for First name and Last name.',
      }
    : {
        isStop: false,
        text: 'No column holds the name. Existing people are found by username. A row for a new person is an error.',
      };
}

/** The rows of the file in the server's format. Blank cells are omitted. */
export function toImportRows({ rows, lines, format }: ImportTable, mapping: Mapping): ImportRow[] {
  const columns = Object.entries(mapping) as [ColumnField, number][];
  // The dot of a number in a workbook never separates thousands.
  const origin = format === 'xlsx' ? { isFromWorkbook: true } : {};
  return rows.map((cells, index) => {
    const row: ImportRow = { line: lines[index] ?? index + 2, ...origin };
    for (const [field, column] of columns) {
      const text = cells[column];
      if (text?.trim()) {
        setCell(row, field, text);
      }
    }
    return row;
  });
}

/**
 * The table for a CSV file that may be imported again. There the dot of 125.375, the number of a workbook, could separate
 * thousands, so that values of kinds of weight get a fourth decimal.
 */
export function toCsvTable(table: ImportTable, mapping: Mapping): ImportTable {
  if (table.format !== 'xlsx') {
    return table;
  }
  const fields = Object.keys(mapping) as ColumnField[];
  const ofKinds = new Set(fields.filter((field) => kindIdOf(field) !== null).map((field) => mapping[field]));
  const rows = table.rows.map((cells) =>
    cells.map((text, column) => (ofKinds.has(column) && LIKE_THOUSANDS.test(text) ? `${text}0` : text)),
  );
  return { ...table, rows };
}

const LIKE_THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;

function setCell(row: ImportRow, field: ColumnField, text: string): void {
  const kindId = kindIdOf(field);
  if (kindId === null) {
    row[field as Exclude<ColumnField, `weights:${string}`>] = text;
  } else {
    row.weights = [...(row.weights ?? []), { kindId, value: text }];
  }
}

/** The names of columns in a choice: two columns may have the same heading, or none. */
export function columnNames({ columns }: ImportTable): string[] {
  return columns.map((heading, index) => {
    const text = heading.trim();
    if (!text) {
      return `Column ${index + 1}`;
    }
    const isRepeated = columns.some((other, place) => place !== index && other.trim() === text);
    return isRepeated ? `${text} (column ${index + 1})` : text;
  });
}
