import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import type { ImportedProxies } from '../../api/types';
import { countOf } from '../../shared/format';
import { BusyButton } from '../../shared/ui/busy-button';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { DropZone } from '../../shared/ui/drop-zone';
import { FormError } from '../../shared/ui/form-error';
import { toast } from '../../shared/ui/toast';
import { useImportProxies } from './mutations';

/** Imports proxies from a file: first the check, then all of them or none. */
export function ImportPanel({ meetingId, onDone }: { meetingId: string; onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const check = useImportProxies(meetingId);
  const confirm = useImportProxies(meetingId);
  const error = check.error ?? confirm.error;
  const checked = check.data;

  function handleFiles([chosen]: File[]) {
    if (chosen !== undefined) {
      setFile(chosen);
      confirm.reset();
      check.mutate({ file: chosen, dryRun: true });
    }
  }

  return (
    <Stack p="lg">
      <Text>
        The columns are Principal and Holder, with usernames, and optionally Reference and Note. Each proxy is
        for the whole meeting.
      </Text>
      <DropZone
        label="File with proxies"
        endings={['.csv', '.txt', '.tsv', '.xlsx']}
        hint="CSV or Excel, at most 5,000 rows"
        isBusy={check.isPending || confirm.isPending}
        onFiles={handleFiles}
      />
      <FormError message={error ? messageOf(error, 'The file could not be imported') : null} />
      {checked ? <Checked checked={checked} /> : null}
      {file && checked && checked.errors === 0 ? (
        <BusyButton
          isBusy={confirm.isPending}
          busyLabel="Importing..."
          onClick={() =>
            confirm.mutate(
              { file, dryRun: false },
              {
                onSuccess: ({ rows }) => {
                  toast.success(`${countOf(rows.length, 'proxy', 'proxies')} granted`);
                  onDone();
                },
              },
            )
          }
        >
          {`Grant ${countOf(checked.rows.length, 'proxy', 'proxies')}`}
        </BusyButton>
      ) : null}
      <Button variant="default" onClick={onDone}>
        Close
      </Button>
    </Stack>
  );
}

/** The most rows with errors that are shown. */
const SHOWN = 50;

const COLUMNS: Column<ImportedProxies['rows'][number]>[] = [
  { header: 'Line', render: ({ line }) => line, align: 'right', onPhone: 'fact' },
  { header: 'Principal', render: ({ principal }) => principal, onPhone: 'title' },
  { header: 'Error', render: ({ error }) => error, onPhone: 'fact' },
];

function Checked({ checked }: { checked: ImportedProxies }) {
  const wrong = checked.rows.filter(({ error }) => error !== null);
  if (wrong.length === 0) {
    return <Text role="status">All {countOf(checked.rows.length, 'row')} can be imported.</Text>;
  }
  return (
    <>
      <Text role="status">
        {countOf(wrong.length, 'row')} of {checked.rows.length} cannot be imported. Correct the file and
        choose it again.
      </Text>
      <DataTable
        label="Rows with errors"
        columns={COLUMNS}
        rows={wrong.slice(0, SHOWN)}
        rowKey={({ line }) => String(line)}
      />
    </>
  );
}
