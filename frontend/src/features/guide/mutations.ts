import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { reloadAfterSuccess } from '../../shared/reload';
import { meetingQueries } from '../meetings/queries';
import { type QuickVoteValues, toQuickMeeting } from './quick-vote-body';

/** The meeting of a quick vote, and the reason why its voting did not open; null if it did. */
interface QuickVote {
  meetingId: string;
  openingError: unknown;
}

/**
 * Creates a running meeting with its question in one request, and then opens the voting. If only the opening fails, the
 * control view of the meeting is the place to try again.
 */
export function useQuickVote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (values: QuickVoteValues): Promise<QuickVote> => {
      const meeting = await unwrap(
        api.POST('/client/meetings', { body: toQuickMeeting(values, Date.now()) }),
      );
      const path = { meetingId: meeting.id };
      try {
        const agenda = await unwrap(api.GET('/client/questions/meeting/{meetingId}', { params: { path } }));
        await unwrap(
          api.PUT('/client/meetings/{meetingId}/current-question', {
            params: { path },
            body: { questionId: agenda[0]?.id ?? null },
          }),
        );
        return { meetingId: meeting.id, openingError: null };
      } catch (error) {
        return { meetingId: meeting.id, openingError: error };
      }
    },
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: meetingQueries.all() })),
  });
}
