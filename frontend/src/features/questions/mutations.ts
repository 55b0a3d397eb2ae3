import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { CreateQuestionBody } from '../../api/types';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from './queries';

export function useCreateQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateQuestionBody) => unwrap(api.POST('/client/questions', { body })),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: questionQueries.all() }),
        // Meetings show how many questions they have.
        queryClient.invalidateQueries({ queryKey: meetingQueries.all() }),
      ]),
  });
}
