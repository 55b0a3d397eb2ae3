import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { toBase64 } from '../../../shared/file-base64';
import { countOf } from '../../../shared/format';
import { FILE_ENDINGS, fileFault, readErrorText } from '../../../shared/sheet-file';
import { DropZone } from '../../../shared/ui/drop-zone';
import { FormError } from '../../../shared/ui/form-error';
import { toast } from '../../../shared/ui/toast';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import classes from './candidates-editor.module.css';
import { type CandidateField, newCandidate } from './election-form';

/** Adds the candidates of a CSV file or an Excel workbook. */
export function ImportCandidates({ onImport }: { onImport: (candidates: CandidateField[]) => void }) {
  const { isUnfolded, unfold, fold, opener } = useUnfolded();
  const [fault, setFault] = useState<string | null>(null);
  const read = useReadCandidates();

  function handleFiles(files: File[]) {
    const [file] = files;
    const found = files.length > 1 ? 'Choose one file at a time.' : file ? fileFault(file) : null;
    setFault(found);
    read.reset();
    if (file && !found) {
      read.mutate(file, {
        onSuccess: (candidates) => {
          onImport(candidates);
          toast.success(`${countOf(candidates.length, 'candidate')} added`);
          fold();
        },
      });
    }
  }

  /** Nothing arrives any more from a file that is still being read. */
  function handleCancel() {
    read.reset();
    setFault(null);
    fold();
  }

  if (!isUnfolded) {
    return (
      <Button ref={opener} variant="default" size="xs" onClick={unfold}>
        Import File
      </Button>
    );
  }
  return (
    <div ref={focusOn} className={classes.paste} tabIndex={-1}>
      <DropZone
        label="File with candidates"
        endings={FILE_ENDINGS}
        hint="CSV or Excel workbook (.xlsx) with the heading Name. Optional: Line (party, flat, department) and About."
        isBusy={read.isPending}
        onFiles={handleFiles}
      />
      <FormError message={fault ?? (read.error ? readErrorText(read.error) : null)} />
      <div className={classes.add}>
        <Button variant="default" size="xs" onClick={handleCancel}>
          Cancel Import
        </Button>
      </div>
    </div>
  );
}

/** The button that opened this part is gone. */
function focusOn(part: HTMLElement | null): void {
  part?.focus({ preventScroll: true });
}

function useReadCandidates() {
  return useMutation({
    mutationFn: async (file: File) => {
      const body = { fileName: file.name, content: await toBase64(file) };
      const candidates = await unwrap(api.POST('/client/questions/candidates/read', { body }));
      return candidates.map(({ name, line, about }) =>
        newCandidate({ name, line: line ?? '', about: about ?? '' }),
      );
    },
  });
}
