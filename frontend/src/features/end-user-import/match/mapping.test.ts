import { expect, it } from 'vitest';
import { TABLE } from '../../../test/import-samples';
import { toImportRows } from './mapping';

it('says of the rows of a workbook that their numbers have decimals, and not thousands', () => {
  const rows = { ...TABLE, rows: [['1.234']], lines: [2] };
  expect(toImportRows({ ...rows, format: 'xlsx' }, { weight: 0 })).toEqual([
    { line: 2, isFromWorkbook: true, weight: '1.234' },
  ]);
  expect(toImportRows(rows, { weight: 0 })).toEqual([{ line: 2, weight: '1.234' }]);
});
