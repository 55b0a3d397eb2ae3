import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconBraces,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconFileTypePdf,
} from '@tabler/icons-react';
import { Fragment } from 'react';
import { useSingleStart } from '../use-single-start';
import { BusyButton } from './busy-button';

const FORMATS = {
  pdf: { label: 'Minutes as PDF', icon: IconFileTypePdf },
  xlsx: { label: 'Excel (XLSX)', icon: IconFileSpreadsheet },
  csv: { label: 'CSV', icon: IconFileTypeCsv },
  json: { label: 'JSON', icon: IconBraces },
  archive: { label: 'Archive (everything, signed)', icon: IconArchive },
} as const;

interface ExportSection<Format> {
  /** The content of these files, if the menu's label does not name it. */
  label?: string;
  formats: readonly Format[];
}

interface ExportMenuProps<Format> {
  buttonLabel: string;
  /** Names the menu, for screen readers. */
  menuLabel: string;
  sections: readonly ExportSection<Format>[];
  isBusy: boolean;
  variant?: 'default' | 'filled';
  isFullWidth?: boolean;
  onExport: (format: Format) => void;
}

/** A button that offers the formats of an export. */
export function ExportMenu<Format extends keyof typeof FORMATS>(props: ExportMenuProps<Format>) {
  const {
    buttonLabel,
    menuLabel,
    sections,
    isBusy,
    variant = 'filled',
    isFullWidth = false,
    onExport,
  } = props;
  const startOnce = useSingleStart(isBusy);

  return (
    // In the page's main part, not at the end of the document, so that the menu belongs to a landmark.
    <Menu
      position="bottom-end"
      disabled={isBusy}
      withInitialFocusPlaceholder={false}
      portalProps={{ target: '#main' }}
    >
      <Menu.Target>
        <BusyButton
          variant={variant}
          fullWidth={isFullWidth}
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          isBusy={isBusy}
          busyLabel="Exporting..."
        >
          {buttonLabel}
        </BusyButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={menuLabel}>
        {sections.map(({ label, formats }) => (
          <Fragment key={formats.join()}>
            {label === undefined ? null : <Menu.Label>{label}</Menu.Label>}
            {formats.map((format) => (
              <FormatItem key={format} format={format} onClick={() => startOnce(() => onExport(format))} />
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function FormatItem({ format, onClick }: { format: keyof typeof FORMATS; onClick: () => void }) {
  const { label, icon: Icon } = FORMATS[format];
  return (
    <Menu.Item leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />} onClick={onClick}>
      {label}
    </Menu.Item>
  );
}
