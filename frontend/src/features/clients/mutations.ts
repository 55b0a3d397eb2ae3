import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { CreateClientBody } from '../../api/types';
import { clientQueries } from './queries';

export function useCreateClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateClientBody) => unwrap(api.POST('/clients', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: clientQueries.all() }),
  });
}
