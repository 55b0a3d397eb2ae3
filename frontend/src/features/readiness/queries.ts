import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE } from '../../api/page';
import type { RehearsalReport } from '../../api/types';

/** "silent": connected now or earlier, without an answer. "cannot_seal": their device cannot seal a secret ballot. */
export type PeopleFilter = 'answered' | 'silent' | 'absent' | 'never_signed_in' | 'cannot_seal';

/** A kind of weight that a meeting or a question counts, or none: a question without one counts as its meeting. */
export interface CountedKind<Kind extends string | null = string> {
  weightKindId: Kind;
  /** The groups that the question is for; empty for everybody. */
  groupIds: string[];
}

export interface PeopleFilters {
  status?: PeopleFilter;
  search?: string;
  page: number;
}

const STATE_EVERY_MS = 3_000;
const RUNNING_EVERY_MS = 2_000;
/** Without a rehearsal, the numbers show the connected people. */
const RESTING_EVERY_MS = 5_000;
const OPEN_VOTES_EVERY_MS = 10_000;
/** The expected maximum of meetings that run at once in one organization. */
const RUNNING_MEETINGS = 20;

export const readinessQueries = {
  all: (meetingId: string) => ['readiness', meetingId] as const,
  /**
   * The live state, polled and not streamed: a browser opens few connections to one server, and a simulated run needs
   * them.
   */
  state: (meetingId: string) =>
    queryOptions({
      queryKey: [...readinessQueries.all(meetingId), 'state'],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/sse/meetings/{meetingId}/state', { params: { path: { meetingId } }, signal })),
      refetchInterval: STATE_EVERY_MS,
    }),
  /** For a question that counts this kind of weight, and is for these groups. */
  secrecyForecast: (meetingId: string, { weightKindId, groupIds }: CountedKind<string | null>) =>
    queryOptions({
      queryKey: [...readinessQueries.all(meetingId), 'secrecy-forecast', weightKindId, groupIds],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/secrecy-forecast', {
            params: {
              path: { meetingId },
              query: { ...(weightKindId === null ? {} : { weightKindId }), ...membersOf(groupIds) },
            },
            signal,
          }),
        ),
    }),
  /** The people without a value of a kind of weight, among the members of groups if there are any. */
  missingWeights: (meetingId: string, { weightKindId, groupIds }: CountedKind) =>
    queryOptions({
      queryKey: [...readinessQueries.all(meetingId), 'missing-weights', weightKindId, groupIds],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/missing-weights', {
            params: { path: { meetingId }, query: { weightKindId, ...membersOf(groupIds) } },
            signal,
          }),
        ),
    }),
  report: (meetingId: string, { status, ...filters }: PeopleFilters) =>
    queryOptions({
      queryKey: [...readinessQueries.all(meetingId), 'report', status, filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rehearsal', {
            params: {
              path: { meetingId },
              query: { ...filters, ...parametersOf(status), pageSize: PAGE_SIZE },
            },
            signal,
          }),
        ),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (isRunning(state.data) ? RUNNING_EVERY_MS : RESTING_EVERY_MS),
    }),
  /** The titles of the organization's meetings in which voting is open. */
  openVotes: () =>
    queryOptions({
      queryKey: ['readiness', 'open-votes'],
      queryFn: async ({ signal }) => {
        const query = { status: 'ACTIVE' as const, page: 1, pageSize: RUNNING_MEETINGS };
        const running = await unwrap(api.GET('/client/meetings', { params: { query }, signal }));
        const meetings = Array.isArray(running) ? running : running.data;
        const states = await Promise.all(
          meetings
            .filter(({ isTest }) => !isTest)
            .map(({ id }) =>
              unwrap(
                api.GET('/sse/meetings/{meetingId}/state', { params: { path: { meetingId: id } }, signal }),
              ),
            ),
        );
        return states.filter(({ currentQuestion }) => currentQuestion?.isActive).map(({ title }) => title);
      },
      refetchInterval: OPEN_VOTES_EVERY_MS,
    }),
};

function membersOf(groupIds: string[]) {
  return groupIds.length > 0 ? { groupIds: groupIds.join(',') } : {};
}

function parametersOf(status: PeopleFilter | undefined) {
  if (status === 'cannot_seal') {
    return { canSeal: false };
  }
  return status ? { status } : {};
}

export function isRunning(report: Pick<RehearsalReport, 'rehearsal'> | undefined): boolean {
  return report?.rehearsal?.endedAt === null;
}
