import { Button } from '@mantine/core';
import { useRef } from 'react';
import { messageOf } from '../../../api/api-error';
import type { ImportRow, ImportTable, ImportView } from '../../../api/types';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useCheckRows, useReadFile } from '../mutations';
import { Remark } from '../remark';
import { StepError } from '../step-error';
import { StepPanel } from '../step-panel';
import { ColumnSelects } from './column-selects';
import { detectedText } from './detected';
import { type Mapping, mappingRemark, toImportRows } from './mapping';
import classes from './match-step.module.css';
import { PreviewTable } from './preview-table';
import { PlaceSelects } from './sheet-selects';

interface MatchStepProps {
  file: File;
  table: ImportTable;
  mapping: Mapping;
  onMapping: (mapping: Mapping) => void;
  onChecked: (rows: ImportRow[], checked: ImportView) => void;
  /** Called when the table was read again from another place in the file. */
  onRead: (table: ImportTable) => void;
  onOtherFile: () => void;
}

export function MatchStep(props: MatchStepProps) {
  const { file, table, mapping, onMapping, onChecked, onRead, onOtherFile } = props;
  const checkRows = useCheckRows();
  const readFile = useReadFile();
  const isSending = useRef(false);
  const remark = mappingRemark(mapping);
  // A check is of the rows that were sent, and another place in the file has its own columns.
  const isBusy = checkRows.isPending || readFile.isPending;

  function handleCheck() {
    // The pending state is set a moment later, and a double click may be faster.
    if (isSending.current || readFile.isPending || remark?.isStop) {
      return;
    }
    isSending.current = true;
    const rows = toImportRows(table, mapping);
    checkRows.mutate(rows, {
      onSuccess: (checked) => onChecked(rows, checked),
      onSettled: () => {
        isSending.current = false;
      },
    });
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        handleCheck();
      }}
    >
      <StepPanel
        title="Match columns"
        description={
          <>
            <strong>{file.name}</strong>: {detectedText(table)}.
          </>
        }
        actions={
          <>
            <SubmitButton
              isBusy={checkRows.isPending}
              busyLabel="Checking rows..."
              disabled={readFile.isPending || (remark?.isStop ?? false)}
            >
              Check rows
            </SubmitButton>
            <Button variant="default" onClick={onOtherFile}>
              Choose another file
            </Button>
          </>
        }
      >
        <PlaceSelects file={file} table={table} readFile={readFile} isDisabled={isBusy} onRead={onRead} />
        <div>
          <ColumnSelects table={table} mapping={mapping} isDisabled={isBusy} onMapping={onMapping} />
          <div role="status" className={classes.remark}>
            {remark ? <Remark tone={remark.isStop ? 'danger' : 'warning'}>{remark.text}</Remark> : null}
          </div>
        </div>
        <PreviewTable table={table} mapping={mapping} />
        {table.format === 'xlsx' ? (
          <Remark tone="info">
            Numbers are read without the format of their cells: a number shown as 00123 is read as 123. To
            keep leading zeros, format the column as text and enter the values again. Hidden rows are
            imported, too.
          </Remark>
        ) : null}
        {checkRows.isError ? (
          <StepError message={messageOf(checkRows.error, 'Failed to check the rows')} onRetry={handleCheck} />
        ) : null}
      </StepPanel>
    </form>
  );
}
