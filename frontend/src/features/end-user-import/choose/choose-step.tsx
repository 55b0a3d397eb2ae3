import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ImportTable } from '../../../api/types';
import { downloadFile } from '../../../shared/download';
import { FILE_ENDINGS, fileFault, readErrorText } from '../../../shared/sheet-file';
import { DropZone } from '../../../shared/ui/drop-zone';
import { useWeightKinds } from '../../../shared/weights/use-weight-kinds';
import { importFields } from '../fields';
import { useReadFile } from '../mutations';
import { StepError } from '../step-error';
import { StepPanel } from '../step-panel';
import classes from './choose-step.module.css';
import { templateFile } from './template';

interface ChooseStepProps {
  /** The file chosen before, if the organizer returned to choose another one. */
  present: string | null;
  onGoOn: () => void;
  onRead: (file: File, table: ImportTable) => void;
}

export function ChooseStep({ present, onGoOn, onRead }: ChooseStepProps) {
  const readFile = useReadFile();
  const [fault, setFault] = useState<string | null>(null);

  function read(file: File) {
    readFile.mutate({ file }, { onSuccess: (table) => onRead(file, table) });
  }

  function handleFiles(files: File[]) {
    const [file] = files;
    const found = files.length > 1 ? 'Choose one file at a time.' : file ? fileFault(file) : null;
    setFault(found);
    readFile.reset();
    if (file && !found) {
      read(file);
    }
  }

  const failed = readFile.isError ? readFile.variables.file : null;
  return (
    <StepPanel
      title="Choose file"
      description="Nothing is imported before you have seen what happens with each row."
      actions={
        present ? (
          <Button variant="default" onClick={onGoOn}>
            Go on with {present}
          </Button>
        ) : null
      }
    >
      <DropZone
        label="File with end users"
        endings={FILE_ENDINGS}
        hint="CSV or Excel workbook (.xlsx), at most 5 MB and 20,000 rows. Separator and encoding are detected."
        isBusy={readFile.isPending}
        onFiles={handleFiles}
      />
      {fault ? <StepError message={fault} /> : null}
      {failed ? (
        <StepError
          message={readErrorText(readFile.error)}
          onRetry={() => read(failed)}
          isRetrying={readFile.isPending}
        />
      ) : null}
      <RecognizedColumns />
    </StepPanel>
  );
}

function RecognizedColumns() {
  const kinds = useWeightKinds();
  const template = templateFile(kinds);
  return (
    <div className={classes.columns}>
      <div className={classes.columnsHead}>
        <div>
          <h3 className={classes.columnsTitle}>Recognized columns</h3>
          <p className={classes.columnsText}>
            One row holds the headings, in any order; titles above it and a cover sheet are passed over. Only
            the name is needed. What is left blank stays as it is.
          </p>
        </div>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() =>
            downloadFile(template.name, new Blob([template.text], { type: 'text/csv;charset=utf-8' }))
          }
        >
          Download template
        </Button>
      </div>
      <dl className={classes.fields}>
        {importFields(kinds).map(({ field, label, hint }) => (
          <div key={field} className={classes.field}>
            <dt>{label}</dt>
            <dd>{hint}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
