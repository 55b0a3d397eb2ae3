import type { ImportTable } from '../../../api/types';
import { countOf } from '../../../shared/format';

const SEPARATORS: Record<string, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
};

/** The detected format of a file: "CSV, separator semicolon, encoding windows-1252, 312 rows". */
export function detectedText({ format, separator, encoding, rowCount }: ImportTable): string {
  return [
    format === 'xlsx' ? 'Excel workbook' : 'CSV',
    ...(separator ? [`separator ${SEPARATORS[separator] ?? separator}`] : []),
    ...(encoding ? [`encoding ${encoding}`] : []),
    countOf(rowCount, 'row'),
  ].join(', ');
}
