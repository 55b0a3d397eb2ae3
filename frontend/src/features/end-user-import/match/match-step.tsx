import { Button } from '@mantine/core';
import { useRef } from 'react';
import { messageOf } from '../../../api/api-error';
import type { ImportRow, ImportTable, ImportView } from '../../../api/types';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useCheckRows } from '../mutations';
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
  const isSending = useRef(false);
  const remark = mappingRemark(mapping);

  function handleCheck() {
    // The pending state is set a moment later, and a double click may be faster.
    if (isSending.current || remark?.isStop) {
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
              disabled={remark?.isStop ?? false}
            >
              Check rows
            </SubmitButton>
            <Button variant="default" onClick={onOtherFile}>
              Choose another file
            </Button>
          </>
        }
      >
        <PlaceSelects file={file} table={table} onRead={onRead} />
        <div>
          <ColumnSelects table={table} mapping={mapping} onMapping={onMapping} />
          <div role="status" className={classes.remark}>
            {remark ? <Remark tone={remark.isStop ? 'danger' : 'warning'}>{remark.text}</Remark> : null}
          </div>
        </div>
        <PreviewTable table={table} mapping={mapping} />
        {checkRows.isError ? (
          <StepError message={messageOf(checkRows.error, 'Failed to check the rows')} onRetry={handleCheck} />
        ) : null}
      </StepPanel>
    </form>
  );
}
