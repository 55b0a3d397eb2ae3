import { ExportMenu } from '../ui/export-menu';
import { useExportResults } from './use-export-results';

interface ExportResultsMenuProps {
  meetingId: string;
  /** One of several stacked actions, and not the page's main one. */
  isStacked?: boolean;
}

/** Exports all rounds that have ended, as a file. */
export function ExportResultsMenu({ meetingId, isStacked = false }: ExportResultsMenuProps) {
  const exportResults = useExportResults(meetingId);
  return (
    <ExportMenu
      buttonLabel="Export Results"
      menuLabel="Export Results"
      sections={[{ formats: ['pdf', 'xlsx', 'csv', 'json', 'archive'] }]}
      isBusy={exportResults.isPending}
      variant={isStacked ? 'default' : 'filled'}
      isFullWidth={isStacked}
      onExport={exportResults.mutate}
    />
  );
}
