import { Menu } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react';
import { countOf } from '../../shared/format';
import { BusyButton } from '../../shared/ui/busy-button';
import { useSingleStart } from '../../shared/use-single-start';
import { useExportEndUsers } from './mutations';
import type { EndUserSelection } from './queries';

const FORMATS = [
  { format: 'csv', label: 'CSV', icon: IconFileTypeCsv },
  { format: 'xlsx', label: 'Excel (XLSX)', icon: IconFileSpreadsheet },
] as const;

interface ExportMenuProps {
  /** What the list is narrowed to: no others are exported. */
  selection: EndUserSelection;
  /** How many these are; `undefined` while that is not known. */
  count: number | undefined;
}

/** The list as a file, in full and not only the page that is shown. */
export function ExportMenu({ selection, count }: ExportMenuProps) {
  const exportEndUsers = useExportEndUsers();
  const isBusy = exportEndUsers.isPending;
  const startOnce = useSingleStart(isBusy);
  const content = describe(selection, count);

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
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          isBusy={isBusy}
          busyLabel="Exporting..."
        >
          Export
        </BusyButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Export: ${content}`}>
        <Menu.Label>{content}</Menu.Label>
        {FORMATS.map(({ format, label, icon: Icon }) => (
          <Menu.Item
            key={format}
            leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => startOnce(() => exportEndUsers.mutate({ ...selection, format, count }))}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function describe({ search, status }: EndUserSelection, count: number | undefined): string {
  const people = count === undefined ? 'end users' : countOf(count, 'end user');
  return search || status ? `Only the ${people} found` : `All ${people}`;
}
