import { NativeSelect } from '@mantine/core';
import type { ImportTable } from '../../../api/types';
import { readErrorText } from '../../../shared/sheet-file';
import type { FileToRead, useReadFile } from '../mutations';
import { StepError } from '../step-error';
import classes from './column-selects.module.css';

/** The number of characters that identify a row. */
const SHOWN_LETTERS = 60;

interface PlaceSelectsProps {
  file: File;
  table: ImportTable;
  readFile: ReturnType<typeof useReadFile>;
  isDisabled: boolean;
  onRead: (table: ImportTable) => void;
}

/** The place of the table in the file: its sheet and its heading row. Both were guessed. */
export function PlaceSelects({ file, table, readFile, isDisabled, onRead }: PlaceSelectsProps) {
  const { sheet, sheets, headerRow, headerRows } = table;

  function read(place: FileToRead) {
    readFile.mutate(place, { onSuccess: onRead });
  }

  const isKnown = headerRows.some(({ row }) => row === headerRow);
  const rows = isKnown ? headerRows : [...headerRows, { row: headerRow, cells: table.columns }];
  const failed = readFile.isError ? readFile.variables : null;
  return (
    <div>
      <div className={classes.grid}>
        {sheet !== null && sheets.length > 1 ? (
          <NativeSelect
            label="Sheet"
            value={sheet}
            data={sheets}
            disabled={isDisabled}
            onChange={(event) => read({ file, sheet: event.currentTarget.value })}
          />
        ) : null}
        <NativeSelect
          label="Row with the headings"
          value={String(headerRow)}
          data={rows.map(({ row, cells }) => ({ value: String(row), label: rowLabel(row, cells) }))}
          disabled={isDisabled}
          onChange={(event) =>
            read({
              file,
              headerRow: Number(event.currentTarget.value),
              ...(sheet === null ? {} : { sheet }),
            })
          }
        />
      </div>
      {failed && !isDisabled ? (
        <StepError message={readErrorText(readFile.error)} onRetry={() => read(failed)} />
      ) : null}
    </div>
  );
}

function rowLabel(row: number, cells: string[]): string {
  const text = cells.filter((cell) => cell !== '').join(', ');
  const shown = text.length > SHOWN_LETTERS ? `${text.slice(0, SHOWN_LETTERS).trimEnd()}…` : text;
  return `Row ${row}: ${shown}`;
}
