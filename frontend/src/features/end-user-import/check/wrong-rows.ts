import type { ImportTable, ImportView } from '../../../api/types';
import { toCsv } from '../../../shared/csv';
import { labelOf } from '../fields';

/**
 * The rows with errors as a file, to correct and import them. The cells and the separator are those of the chosen file. The
 * row number and the errors follow.
 */
export function wrongRowsFile(
  fileName: string,
  table: ImportTable,
  checked: ImportView,
): { name: string; text: string } {
  const rows = checked.rows.flatMap(({ verdict, line, errors }, index) => {
    if (verdict !== 'error') {
      return [];
    }
    const reasons = errors.map(({ field, message }) => `${labelOf(field)}: ${message}`).join(' ');
    return [[...(table.rows[index] ?? table.columns.map(() => '')), String(line), reasons]];
  });
  return {
    name: `${fileName.replace(/\.[^.]*$/, '')}-wrong-rows.csv`,
    text: toCsv(
      [[...table.columns, 'Row in the file', 'What is wrong'], ...rows],
      table.separator ?? undefined,
    ),
  };
}
