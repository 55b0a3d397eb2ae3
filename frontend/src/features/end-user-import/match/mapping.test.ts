import { expect, it } from 'vitest';
import { TABLE } from '../../../test/import-samples';
import { toCsvTable, toImportRows } from './mapping';

it('says of the rows of a workbook that their numbers have decimals, and not thousands', () => {
  const rows = { ...TABLE, rows: [['1.234']], lines: [2] };
  expect(toImportRows({ ...rows, format: 'xlsx' }, { weight: 0 })).toEqual([
    { line: 2, isFromWorkbook: true, weight: '1.234' },
  ]);
  expect(toImportRows(rows, { weight: 0 })).toEqual([{ line: 2, weight: '1.234' }]);
});

it('hands out numbers of a workbook that no CSV file can make thousands of', () => {
  const cells = ['1.101', '125.375', '84.12', '1.500'];
  const table = { ...TABLE, rows: [cells], lines: [2] };
  const mapping = { username: 0, 'weights:k1': 1, 'weights:k2': 2 } as const;
  expect(toCsvTable({ ...table, format: 'xlsx' }, mapping).rows).toEqual([
    ['1.101', '125.3750', '84.12', '1.500'],
  ]);
  expect(toCsvTable(table, mapping).rows).toEqual([cells]);
});
