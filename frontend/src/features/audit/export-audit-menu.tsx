import { Menu } from '@mantine/core';
import { IconBraces, IconDownload, IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react';
import { BusyButton } from '../../shared/ui/busy-button';
import { useSingleStart } from '../../shared/use-single-start';
import { useExportAudit } from './mutations';
import type { AuditFilters, AuditScope } from './queries';

const FORMATS = [
  { format: 'csv', label: 'CSV', icon: IconFileTypeCsv },
  { format: 'xlsx', label: 'Excel (XLSX)', icon: IconFileSpreadsheet },
] as const;

interface ExportAuditMenuProps {
  scope: AuditScope;
  /** What the log is narrowed to: tables hold nothing else. */
  filters: AuditFilters;
  isNarrowed: boolean;
}

export function ExportAuditMenu({ scope, filters, isNarrowed }: ExportAuditMenuProps) {
  const exportAudit = useExportAudit(scope, filters);
  const isBusy = exportAudit.isPending;
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
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          isBusy={isBusy}
          busyLabel="Exporting..."
        >
          Export
        </BusyButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Export the audit log">
        <Menu.Label>{isNarrowed ? 'Only the entries found' : 'The newest 50,000 entries'}</Menu.Label>
        {FORMATS.map(({ format, label, icon: Icon }) => (
          <Menu.Item
            key={format}
            leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => startOnce(() => exportAudit.mutate(format))}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Label>The whole log, to be verified</Menu.Label>
        <Menu.Item
          leftSection={<IconBraces size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => startOnce(() => exportAudit.mutate('json'))}
        >
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
