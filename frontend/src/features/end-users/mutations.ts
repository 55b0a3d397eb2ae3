import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { CreateEndUserBody } from '../../api/types';
import { endUserQueries } from './queries';

export function useCreateEndUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateEndUserBody) => unwrap(api.POST('/client/end-users', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: endUserQueries.all() }),
  });
}
