import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { publicOrigin } from '../../api/base-path';
import { fileApi } from '../../api/client';
import { unwrapFile } from '../../api/file';
import { downloadFile } from '../../shared/download';
import { reloadAfterAttempt } from '../../shared/reload';
import { toast } from '../../shared/ui/toast';
import { type AuditFilters, type AuditScope, auditQueries } from './queries';

export type AuditFormat = 'csv' | 'xlsx' | 'json';

const PATHS = { platform: '/audit/export', client: '/client/audit/export' } as const;

/** Downloads the log, even if the page is left meanwhile. The log records the export. */
export function useExportAudit(scope: AuditScope, filters: AuditFilters) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (format: AuditFormat) =>
      unwrapFile(
        fileApi.GET(PATHS[scope], {
          params: { query: format === 'json' ? { format } : { ...filters, format, publicUrl: publicOrigin } },
          parseAs: 'blob',
        }),
      ),
    onSuccess: ({ name, content }, format) => {
      const fileName = name ?? `audit-log.${format}`;
      downloadFile(fileName, content);
      toast.success(`Audit log exported to ${fileName}`);
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to export the audit log')),
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: auditQueries.all() })),
  });
}
