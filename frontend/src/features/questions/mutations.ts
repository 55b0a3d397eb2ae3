import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { CreateQuestionBody, Question, UpdateQuestionBody } from '../../api/types';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from './queries';

/** Meetings show how many questions they have. */
function refreshAgenda(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: questionQueries.all() }),
    queryClient.invalidateQueries({ queryKey: meetingQueries.all() }),
  ]);
}

export function useCreateQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateQuestionBody) => unwrap(api.POST('/client/questions', { body })),
    onSuccess: () => refreshAgenda(queryClient),
  });
}

export function useUpdateQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ questionId, body }: { questionId: string; body: UpdateQuestionBody }) =>
      unwrap(api.PUT('/client/questions/{questionId}', { params: { path: { questionId } }, body })),
    onSuccess: () => refreshAgenda(queryClient),
  });
}

export function useDuplicateQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      unwrap(api.POST('/client/questions/{questionId}/duplicate', { params: { path: { questionId } } })),
    onError: (error) => toast.failure(error, 'Failed to duplicate question'),
    onSettled: () => refreshAgenda(queryClient),
  });
}

export function useDeleteQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      unwrap(api.DELETE('/client/questions/{questionId}', { params: { path: { questionId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete question'),
    // Also after a refusal: somebody else may have deleted it.
    onSettled: () => refreshAgenda(queryClient),
  });
}

export type Direction = 'up' | 'down';

interface Move {
  /** The whole agenda as it shall be. */
  agenda: Question[];
  direction: Direction;
  /** How many moves had failed when it was made. */
  failures: number;
}

/** A move that was made on top of one that failed: it is not sent. */
class DroppedMove extends Error {}

/**
 * Moves a question by one place. The list shows it at once; the requests, each with the whole agenda, go out one after
 * the other. When one fails, those that wait behind it are dropped, and the list goes back to what the server has.
 */
export function useMoveQuestion(meetingId: string): (questionId: string, direction: Direction) => void {
  const queryClient = useQueryClient();
  const { queryKey } = questionQueries.ofMeeting(meetingId);
  const mutationKey = ['reorder-questions', meetingId];
  const waiting = () => queryClient.isMutating({ mutationKey });
  const failures = useRef(0);
  const confirmed = useRef<Question[]>([]);

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join() },
    mutationFn: async (move: Move) => {
      if (move.failures !== failures.current) {
        throw new DroppedMove();
      }
      const questionOrders = move.agenda.map(({ id, orderIndex }) => ({ questionId: id, orderIndex }));
      return unwrap(
        api.PUT('/client/questions/meeting/{meetingId}/reorder', {
          params: { path: { meetingId } },
          body: { questionOrders },
        }),
      );
    },
    onSuccess: (agenda, { direction }) => {
      confirmed.current = agenda;
      toast.success(`Question moved ${direction}`);
      if (waiting() === 1) {
        queryClient.setQueryData(queryKey, agenda);
      }
    },
    onError: (error) => {
      if (error instanceof DroppedMove) {
        return;
      }
      failures.current += 1;
      queryClient.setQueryData(queryKey, confirmed.current);
      toast.error(
        error instanceof ApiError && error.status === 422
          ? 'Failed to reorder question: somebody else has changed the agenda. Here it is as it is now.'
          : messageOf(error, 'Failed to reorder question'),
      );
    },
    // The server's agenda may be another one by now.
    onSettled: (_agenda, error) =>
      error && waiting() === 1 ? queryClient.invalidateQueries({ queryKey }) : undefined,
  });

  return (questionId, direction) => {
    const agenda = queryClient.getQueryData(queryKey) ?? [];
    const from = agenda.findIndex(({ id }) => id === questionId);
    const to = direction === 'up' ? from - 1 : from + 1;
    const question = agenda[from];
    if (!question || to < 0 || to >= agenda.length) {
      return;
    }
    if (waiting() === 0) {
      confirmed.current = agenda;
    }
    const others = agenda.filter((other) => other !== question);
    const moved = [...others.slice(0, to), question, ...others.slice(to)].map((other, index) => ({
      ...other,
      orderIndex: index + 1,
    }));
    // What is on its way was read before this move.
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, moved);
    mutate({ agenda: moved, direction, failures: failures.current });
  };
}
