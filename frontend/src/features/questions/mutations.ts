import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { CreateQuestionBody, NewQuestionBody, Question, UpdateQuestionBody } from '../../api/types';
import { reloadAfterAttempt, reloadAfterSuccess, settledSoon } from '../../shared/reload';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from './queries';

/** Meetings show the number of their questions, so they are refreshed too. */
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
    onSuccess: reloadAfterSuccess(() => refreshAgenda(queryClient)),
  });
}

export function useAddQuestions(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questions: NewQuestionBody[]) =>
      unwrap(
        api.POST('/client/questions/meeting/{meetingId}', {
          params: { path: { meetingId } },
          body: { questions },
        }),
      ),
    onSuccess: reloadAfterSuccess(() => refreshAgenda(queryClient)),
  });
}

export function useUpdateQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ questionId, body }: { questionId: string; body: UpdateQuestionBody }) =>
      unwrap(api.PUT('/client/questions/{questionId}', { params: { path: { questionId } }, body })),
    onSuccess: reloadAfterSuccess(() => refreshAgenda(queryClient)),
  });
}

export function useDuplicateQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      unwrap(api.POST('/client/questions/{questionId}/duplicate', { params: { path: { questionId } } })),
    onError: (error) => toast.failure(error, 'Failed to duplicate question'),
    onSettled: reloadAfterAttempt(() => refreshAgenda(queryClient)),
  });
}

export function useDeleteQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      unwrap(api.DELETE('/client/questions/{questionId}', { params: { path: { questionId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete question'),
    // Also after a refusal: another organizer may have deleted it.
    onSettled: reloadAfterAttempt(() => refreshAgenda(queryClient)),
  });
}

export type Direction = 'up' | 'down';

interface Move {
  /** The whole agenda in its new order. */
  agenda: Question[];
  direction: Direction;
  /** The number of failed moves at the time of this move. */
  failures: number;
}

/** Thrown for a move that is based on a failed one: it is not sent. */
class DroppedMove extends Error {}

/**
 * Moves a question by one place, or to a place counted from 0. The list shows it at once. The requests, each with the whole agenda, are sent one
 * after another. If one fails, the waiting ones are dropped, and the list returns to the server's state.
 */
export function useMoveQuestion(meetingId: string): (questionId: string, place: Direction | number) => void {
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
    // The server's agenda may differ by now.
    onSettled: (_agenda, error) =>
      error && waiting() === 1 ? settledSoon(queryClient.invalidateQueries({ queryKey })) : undefined,
  });

  return (questionId, place) => {
    const agenda = queryClient.getQueryData(queryKey) ?? [];
    const from = agenda.findIndex(({ id }) => id === questionId);
    const to = typeof place === 'number' ? place : from + (place === 'up' ? -1 : 1);
    const question = agenda[from];
    if (!question || to === from || to < 0 || to >= agenda.length) {
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
    // Responses under way were read before this move.
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, moved);
    mutate({ agenda: moved, direction: to < from ? 'up' : 'down', failures: failures.current });
  };
}
