import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { Branding } from '../../api/types';
import { brandingQueries } from '../../shared/branding/queries';
import { toBase64 } from '../../shared/file-base64';
import { toast } from '../../shared/ui/toast';

function useStore() {
  const queryClient = useQueryClient();
  return (branding: Branding) => {
    queryClient.setQueryData(brandingQueries.own().queryKey, branding);
    return queryClient.invalidateQueries({ queryKey: brandingQueries.all() });
  };
}

export function useChangeAccent() {
  const store = useStore();
  return useMutation({
    mutationFn: (accentColor: string | null) =>
      unwrap(api.PUT('/client/branding/accent-color', { body: { accentColor } })),
    onSuccess: store,
  });
}

export function useChangeLogo() {
  const store = useStore();
  return useMutation({
    mutationFn: async (file: File) =>
      unwrap(api.PUT('/client/branding/logo', { body: { content: await toBase64(file) } })),
    onSuccess: store,
  });
}

export function useRemoveLogo() {
  const store = useStore();
  return useMutation({
    mutationFn: () => unwrap(api.DELETE('/client/branding/logo')),
    onSuccess: store,
    onError: (error) => toast.failure(error, 'Failed to remove the logo'),
  });
}
