import { useMutation, useQueryClient } from '@tanstack/react-query';
import { publicOrigin } from '../../api/base-path';
import { api, fileApi, unwrap } from '../../api/client';
import { unwrapFile } from '../../api/file';
import type { GivenProxy, GrantProxyBody, ProxySettings } from '../../api/types';
import { downloadFile } from '../../shared/download';
import { toBase64 } from '../../shared/file-base64';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../shared/reload';
import { toast } from '../../shared/ui/toast';
import { proxyQueries } from './queries';

function useRefresh(meetingId: string) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: proxyQueries.all(meetingId) });
}

export function useGrantProxy(meetingId: string) {
  const refresh = useRefresh(meetingId);
  return useMutation({
    mutationFn: (body: GrantProxyBody) =>
      unwrap(api.POST('/client/meetings/{meetingId}/proxies', { params: { path: { meetingId } }, body })),
    onSuccess: reloadAfterSuccess(refresh),
  });
}

export function useRevokeProxy(meetingId: string) {
  const refresh = useRefresh(meetingId);
  return useMutation({
    mutationFn: (proxy: GivenProxy) =>
      unwrap(
        api.DELETE('/client/meetings/{meetingId}/proxies/{proxyId}', {
          params: { path: { meetingId, proxyId: proxy.id } },
        }),
      ),
    onError: (error) => toast.failure(error, 'Failed to revoke the proxy'),
    onSettled: reloadAfterAttempt(refresh),
  });
}

export function useChangeProxySettings(meetingId: string) {
  const refresh = useRefresh(meetingId);
  return useMutation({
    mutationFn: (body: ProxySettings) =>
      unwrap(
        api.PUT('/client/meetings/{meetingId}/proxies/settings', { params: { path: { meetingId } }, body }),
      ),
    onSuccess: reloadAfterSuccess(refresh),
  });
}

export interface ProxyFile {
  file: File;
  dryRun: boolean;
}

export function useImportProxies(meetingId: string) {
  const refresh = useRefresh(meetingId);
  return useMutation({
    mutationFn: async ({ file, dryRun }: ProxyFile) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/proxies/import', {
          params: { path: { meetingId } },
          body: { file: { fileName: file.name, content: await toBase64(file) }, dryRun },
        }),
      ),
    onSettled: reloadAfterAttempt(refresh),
  });
}

export function useExportProxies(meetingId: string) {
  return useMutation({
    mutationFn: (format: 'csv' | 'xlsx') =>
      unwrapFile(
        fileApi.GET('/client/meetings/{meetingId}/proxies/export', {
          params: { path: { meetingId }, query: { format, publicUrl: publicOrigin } },
          parseAs: 'blob',
        }),
      ),
    onSuccess: ({ name, content }, format) => downloadFile(name ?? `proxies.${format}`, content),
    onError: (error) => toast.failure(error, 'Failed to export the proxies'),
  });
}
