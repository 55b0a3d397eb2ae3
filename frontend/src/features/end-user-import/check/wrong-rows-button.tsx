import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ImportTable, ImportView } from '../../../api/types';
import { downloadFile } from '../../../shared/download';
import { countOf } from '../../../shared/format';
import { type Mapping, toCsvTable } from '../match/mapping';
import { wrongRowsFile } from './wrong-rows';

interface WrongRowsButtonProps {
  fileName: string;
  table: ImportTable;
  mapping: Mapping;
  checked: ImportView;
}

/** Downloads the rows with errors, if there are any. */
export function WrongRowsButton({ fileName, table, mapping, checked }: WrongRowsButtonProps) {
  const errorCount = checked.counts.error;

  function handleDownload() {
    const { name, text } = wrongRowsFile(fileName, toCsvTable(table, mapping), checked);
    downloadFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
  }

  return errorCount > 0 ? (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
      onClick={handleDownload}
    >
      Download {countOf(errorCount, 'wrong row')}
    </Button>
  ) : null;
}
