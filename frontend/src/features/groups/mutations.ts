import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { toast } from '../../shared/ui/toast';
import { invalidatePeople } from '../end-users/queries';

export function useSaveGroup(groupId: string | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string }) =>
      groupId === null
        ? unwrap(api.POST('/client/groups', { body }))
        : unwrap(api.PUT('/client/groups/{groupId}', { params: { path: { groupId } }, body })),
    onSettled: () => invalidatePeople(queryClient),
  });
}

export function useDeleteGroup() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (groupId: string) =>
      unwrap(api.DELETE('/client/groups/{groupId}', { params: { path: { groupId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete group'),
    onSettled: () => invalidatePeople(queryClient),
  });
}
