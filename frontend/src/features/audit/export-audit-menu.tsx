import { ExportMenu } from '../../shared/ui/export-menu';
import { useExportAudit } from './mutations';
import type { AuditFilters, AuditScope } from './queries';

interface ExportAuditMenuProps {
  scope: AuditScope;
  /** The filters of the log. They apply only to exports of tables. */
  filters: AuditFilters;
  isNarrowed: boolean;
}

export function ExportAuditMenu({ scope, filters, isNarrowed }: ExportAuditMenuProps) {
  const exportAudit = useExportAudit(scope, filters);
  return (
    <ExportMenu
      buttonLabel="Export"
      menuLabel="Export the audit log"
      sections={[
        {
          label: isNarrowed ? 'Only the entries found' : 'The newest 50,000 entries',
          formats: ['csv', 'xlsx'],
        },
        { label: 'The whole log, to be verified', formats: ['json'] },
      ]}
      isBusy={exportAudit.isPending}
      onExport={exportAudit.mutate}
    />
  );
}
