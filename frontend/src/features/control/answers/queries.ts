import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { PAGE_SIZE, toPage } from '../../../api/page';
import type { CuratedAnswer } from '../../../api/types';

export interface AnswerFilters {
  search: string;
  page: number;
  place: CuratedAnswer['place'] | '';
}

/** The answers to a text question, and their curation for the presentation. */
export const answerQueries = {
  curation: (meetingId: string, roundId: string) =>
    queryOptions({
      queryKey: ['answers', meetingId, roundId, 'curation'],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rounds/{roundId}/answer-curation', {
            params: { path: { meetingId, roundId } },
            signal,
          }),
        ),
    }),
  lists: (meetingId: string, roundId: string) => ['answers', meetingId, roundId, 'list'] as const,
  /** A page of the different answers, the most frequent first. */
  list: (meetingId: string, roundId: string, { search, page, place }: AnswerFilters) =>
    queryOptions({
      queryKey: [...answerQueries.lists(meetingId, roundId), { search, page, place }],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rounds/{roundId}/answer-curation/answers', {
            params: {
              path: { meetingId, roundId },
              query: {
                page,
                pageSize: PAGE_SIZE,
                ...(search ? { search } : {}),
                ...(place ? { place } : {}),
              },
            },
            signal,
          }),
        ),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
    }),
};
