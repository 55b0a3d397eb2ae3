import { queryOptions } from '@tanstack/react-query';
import type { PaperApi, SearchRegister } from './paper-api';

const EVERY_MS = 3_000;
/** Others vote while a name is typed. */
const SEARCH_EVERY_MS = 5_000;

/** Batches of votes on paper, and people of the register. */
export const paperQueries = {
  ofRound: (roundId: string) => ['paper-votes', roundId] as const,
  batches: (api: PaperApi, roundId: string) =>
    queryOptions({
      queryKey: [...paperQueries.ofRound(roundId), 'list'],
      queryFn: ({ signal }) => api.batches(roundId, signal),
      select: (body) => body.data,
      refetchInterval: EVERY_MS,
    }),
  batch: (api: PaperApi, roundId: string, batchId: string) =>
    queryOptions({
      queryKey: [...paperQueries.ofRound(roundId), 'batch', batchId],
      queryFn: ({ signal }) => api.batch(roundId, batchId, signal),
      refetchInterval: ({ state: { data } }) => (data?.state === 'WAITING' ? EVERY_MS : false),
    }),
  searches: () => ['register-search'] as const,
  /** Forgotten as soon as nothing shows it. */
  search: (find: SearchRegister, roundId: string, text: string) =>
    queryOptions({
      queryKey: [...paperQueries.searches(), roundId, text],
      queryFn: ({ signal }) => find(roundId, text, signal),
      enabled: text !== '',
      gcTime: 0,
      staleTime: 0,
      refetchInterval: SEARCH_EVERY_MS,
    }),
};
