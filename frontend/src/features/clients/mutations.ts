import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { CreateClientBody, UpdateClientBody } from '../../api/types';
import { toast } from '../../shared/ui/toast';
import { clientQueries } from './queries';

export function useCreateClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateClientBody) => unwrap(api.POST('/clients', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: clientQueries.all() }),
  });
}

export function useUpdateClient(clientId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateClientBody) =>
      unwrap(api.PUT('/clients/{clientId}', { params: { path: { clientId } }, body })),
    // Also after a refusal: the list may have been out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: clientQueries.all() }),
  });
}

export function useDeleteClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (clientId: string) =>
      unwrap(api.DELETE('/clients/{clientId}', { params: { path: { clientId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete client'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: clientQueries.all() }),
  });
}
