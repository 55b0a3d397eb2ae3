import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconBraces,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconFileTypePdf,
} from '@tabler/icons-react';
import { BusyButton } from '../ui/busy-button';
import { useSingleStart } from '../use-single-start';
import { useExportResults } from './use-export-results';

const FORMATS = [
  { format: 'pdf', label: 'Minutes as PDF', icon: IconFileTypePdf },
  { format: 'xlsx', label: 'Excel (XLSX)', icon: IconFileSpreadsheet },
  { format: 'csv', label: 'CSV', icon: IconFileTypeCsv },
  { format: 'json', label: 'JSON', icon: IconBraces },
  { format: 'archive', label: 'Archive (everything, signed)', icon: IconArchive },
] as const;

interface ExportResultsMenuProps {
  meetingId: string;
  /** One of several actions under one another, and not the page's main one. */
  isStacked?: boolean;
}

/** All rounds that have ended, as a file. */
export function ExportResultsMenu({ meetingId, isStacked = false }: ExportResultsMenuProps) {
  const exportResults = useExportResults(meetingId);
  const isBusy = exportResults.isPending;
  const startOnce = useSingleStart(isBusy);

  return (
    // In the page's main part, not at the end of the document: what is offered belongs to a landmark.
    <Menu
      position="bottom-end"
      disabled={isBusy}
      withInitialFocusPlaceholder={false}
      portalProps={{ target: '#main' }}
    >
      <Menu.Target>
        <BusyButton
          variant={isStacked ? 'default' : 'filled'}
          fullWidth={isStacked}
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          isBusy={isBusy}
          busyLabel="Exporting..."
        >
          Export Results
        </BusyButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Export Results">
        {FORMATS.map(({ format, label, icon: Icon }) => (
          <Menu.Item
            key={format}
            leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => startOnce(() => exportResults.mutate(format))}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
