import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { publicOrigin } from '../../api/base-path';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { InvitationStatus } from '../../api/types';

/** The rounds of a meeting, and the voters in their registers. */
export const roundQueries = {
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: ['rounds', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}/rounds', { params: { path: { meetingId } }, signal })),
    }),
  /** The voters in the register who have voted, or those who have not, by name. */
  register: (meetingId: string, roundId: string, filters: { voted: boolean; search: string; page: number }) =>
    queryOptions({
      queryKey: ['rounds', meetingId, 'register', roundId, filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rounds/{roundId}/register', {
            params: {
              path: { meetingId, roundId },
              query: { pageSize: PAGE_SIZE, ...filters },
            },
            signal,
          }),
        ),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
    }),
};

/** The people who are excluded from a question. */
export const exclusionQueries = {
  all: (meetingId: string) => ['exclusions', meetingId] as const,
  ofQuestion: (meetingId: string, questionId: string) =>
    queryOptions({
      queryKey: [...exclusionQueries.all(meetingId), questionId],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/questions/{questionId}/exclusions', {
            params: { path: { meetingId, questionId } },
            signal,
          }),
        ),
    }),
};

export interface InvitationFilters {
  status: InvitationStatus | '';
  search: string;
  page: number;
}

/** The polling interval while mail is being sent. */
const PROGRESS_EVERY_MS = 1_500;

/** The time zone of the planned start, and the origin of the link. */
export const letter = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  publicUrl: publicOrigin,
});

export const invitationQueries = {
  ofMeeting: (meetingId: string) => ['invitations', meetingId] as const,
  /**
   * Fetches the invitation link, and creates it if needed. Reading the invitations creates no link, and a text without
   * a link is useless.
   */
  link: (meetingId: string) =>
    queryOptions({
      queryKey: ['invitation-link', meetingId],
      queryFn: ({ signal }) =>
        unwrap(
          api.POST('/client/meetings/{meetingId}/generate-link', { params: { path: { meetingId } }, signal }),
        ),
    }),
  list: (meetingId: string, filters: InvitationFilters) =>
    queryOptions({
      queryKey: [...invitationQueries.ofMeeting(meetingId), filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/invitations', {
            params: { path: { meetingId }, query: { ...filters, ...letter(), pageSize: PAGE_SIZE } },
            signal,
          }),
        ),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => ((state.data?.counts.pending ?? 0) > 0 ? PROGRESS_EVERY_MS : false),
    }),
};
