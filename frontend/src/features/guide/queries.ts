import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { toPage } from '../../api/page';
import type { Meeting } from '../../api/types';
import { meetingQueries } from '../meetings/queries';
import { readinessQueries } from '../readiness/queries';

/** The latest meetings by planned start. The next one is among them, unless more are planned ahead. */
const MEETINGS_AT_ONCE = 100;

export const guideQueries = {
  /** The organization's latest meetings, without test data. */
  meetings: () =>
    queryOptions({
      queryKey: [...meetingQueries.lists(), 'guide'] as const,
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings', {
            params: { query: { page: 1, pageSize: MEETINGS_AT_ONCE } },
            signal,
          }),
        ),
      select: (body) => toPage<Meeting>(body).rows.filter(({ isTest }) => !isTest),
    }),
  /** Whether the meeting had a rehearsal. */
  isRehearsed: (meetingId: string) =>
    queryOptions({
      queryKey: [...readinessQueries.all(meetingId), 'guide'] as const,
      queryFn: async ({ signal }) => {
        const report = await unwrap(
          api.GET('/client/meetings/{meetingId}/rehearsal', {
            params: { path: { meetingId }, query: { page: 1, pageSize: 1 } },
            signal,
          }),
        );
        return report.rehearsal !== null;
      },
    }),
};
