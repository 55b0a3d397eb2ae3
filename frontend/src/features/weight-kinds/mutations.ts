import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { WeightKindBody } from '../../api/types';
import { toast } from '../../shared/ui/toast';
import { invalidatePeople } from '../end-users/queries';

export function useSaveWeightKind(kindId: string | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: WeightKindBody) =>
      kindId === null
        ? unwrap(api.POST('/client/weight-kinds', { body }))
        : unwrap(api.PUT('/client/weight-kinds/{kindId}', { params: { path: { kindId } }, body })),
    onSettled: () => invalidatePeople(queryClient),
  });
}

export function useDeleteWeightKind() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (kindId: string) =>
      unwrap(api.DELETE('/client/weight-kinds/{kindId}', { params: { path: { kindId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete kind of weight'),
    onSettled: () => invalidatePeople(queryClient),
  });
}
