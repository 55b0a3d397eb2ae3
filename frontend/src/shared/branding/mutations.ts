import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { Branding } from '../../api/types';
import { toBase64 } from '../file-base64';
import { toast } from '../ui/toast';
import { type BrandingOwner, brandingOfOwner } from './owner-query';
import { brandingQueries } from './queries';

function useStore(owner: BrandingOwner) {
  const queryClient = useQueryClient();
  return (branding: Branding) => {
    queryClient.setQueryData(brandingOfOwner(owner).queryKey, branding);
    return queryClient.invalidateQueries({ queryKey: brandingQueries.all() });
  };
}

function pathOf({ clientId }: NonNullable<BrandingOwner>) {
  return { params: { path: { clientId } } };
}

export function useChangeAccent(owner: BrandingOwner) {
  return useMutation({
    mutationFn: (accentColor: string | null) => {
      const body = { accentColor };
      return unwrap(
        owner
          ? api.PUT('/clients/{clientId}/branding/accent-color', { ...pathOf(owner), body })
          : api.PUT('/client/branding/accent-color', { body }),
      );
    },
    onSuccess: useStore(owner),
  });
}

export function useChangeLogo(owner: BrandingOwner) {
  return useMutation({
    mutationFn: async (file: File) => {
      const body = { content: await toBase64(file) };
      return unwrap(
        owner
          ? api.PUT('/clients/{clientId}/branding/logo', { ...pathOf(owner), body })
          : api.PUT('/client/branding/logo', { body }),
      );
    },
    onSuccess: useStore(owner),
  });
}

export function useRemoveLogo(owner: BrandingOwner) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        owner
          ? api.DELETE('/clients/{clientId}/branding/logo', pathOf(owner))
          : api.DELETE('/client/branding/logo'),
      ),
    onSuccess: useStore(owner),
    onError: (error) => toast.failure(error, 'Failed to remove the logo'),
  });
}
