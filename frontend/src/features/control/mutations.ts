import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';

export interface QuestionMove {
  /** Null clears the current question. */
  questionId: string | null;
  /** False shows the question without opening it for voting. */
  open?: boolean;
  /** What the screen says when it fails and the server gave no reason. */
  failure: string;
}

/** Changes what the hall sees; `refresh` brings the new state, so that the button is busy until it is there. */
export function useSetCurrentQuestion(meetingId: string, refresh: () => Promise<void>) {
  return useMutation({
    mutationFn: ({ questionId, open }: QuestionMove) =>
      unwrap(
        api.PUT('/client/meetings/{meetingId}/current-question', {
          params: { path: { meetingId } },
          body: open === undefined ? { questionId } : { questionId, open },
        }),
      ),
    onError: (error, { failure }) => toast.error(messageOf(error, failure)),
    // After a refusal as well: somebody else may have moved on.
    onSettled: refresh,
  });
}

export function useBeginMeeting(meetingId: string, refresh: () => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/client/meetings/{meetingId}', {
          params: { path: { meetingId } },
          body: { status: 'ACTIVE' },
        }),
      ),
    onError: (error) => toast.error(messageOf(error, 'Failed to start meeting')),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: meetingQueries.all() }), refresh()]),
  });
}

export function useFinishMeeting(meetingId: string, refresh: () => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST('/client/meetings/{meetingId}/end', { params: { path: { meetingId } } })),
    onError: (error) => toast.error(messageOf(error, 'Failed to end meeting')),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: meetingQueries.all() }), refresh()]),
  });
}

export function useInvitationLink(meetingId: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST('/client/meetings/{meetingId}/generate-link', { params: { path: { meetingId } } })),
    onError: (error) => toast.error(messageOf(error, 'Failed to generate invitation link')),
  });
}
