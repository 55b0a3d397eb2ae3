import { useMutation } from '@tanstack/react-query';
import { publicOrigin } from '../../api/base-path';
import { fileApi } from '../../api/client';
import { unwrapFile } from '../../api/file';
import { downloadFile } from '../download';
import { toast } from '../ui/toast';

export type ResultsFormat = 'csv' | 'xlsx' | 'json' | 'pdf' | 'archive';

/** Downloads the results, even if the page is left meanwhile. Times are in the time zone of this device. */
export function useExportResults(meetingId: string) {
  return useMutation({
    mutationFn: (format: ResultsFormat) => {
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (format === 'archive') {
        return unwrapFile(
          fileApi.GET('/client/meetings/{meetingId}/archive', {
            params: { path: { meetingId }, query: { timeZone, publicUrl: publicOrigin } },
            parseAs: 'blob',
          }),
        );
      }
      return unwrapFile(
        fileApi.GET('/client/meetings/{meetingId}/results/export', {
          params: { path: { meetingId }, query: { format, timeZone, publicUrl: publicOrigin } },
          parseAs: 'blob',
        }),
      );
    },
    onSuccess: ({ name, content }, format) => {
      const fileName = name ?? (format === 'archive' ? 'archive.json' : `results.${format}`);
      downloadFile(fileName, content);
      toast.success(`Results exported to ${fileName}`);
    },
    onError: (error) => toast.failure(error, 'Failed to export results'),
  });
}
