import { useMutation } from '@tanstack/react-query';
import { fileApi } from '../../api/client';
import { unwrapFile } from '../../api/file';
import { downloadFile } from '../../shared/download';
import { toast } from '../../shared/ui/toast';
import type { ReportFilters } from './queries';

/** Downloads the report, even if the page is left meanwhile. */
export function useExportReports() {
  return useMutation({
    mutationFn: (filters: ReportFilters) =>
      unwrapFile(fileApi.GET('/reports/clients/export', { params: { query: filters }, parseAs: 'blob' })),
    onSuccess: ({ name, content }) => {
      const fileName = name ?? 'client-reports.csv';
      downloadFile(fileName, content);
      toast.success(`Reports exported to ${fileName}`);
    },
    onError: (error) => toast.failure(error, 'Failed to export reports'),
  });
}
