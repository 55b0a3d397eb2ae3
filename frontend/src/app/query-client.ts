import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { isTemporary, retryOfFailed } from '../api/retries';
import { offlineNotices } from '../shared/offline';
import { toast } from '../shared/ui/toast';

const MAX_RETRIES = 2;

export function createQueryClient({ retry = true }: { retry?: boolean } = {}): QueryClient {
  const announced = new Set<string>();
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Without data the screen itself shows the error. With data, this reports once that they are outdated.
        const isOver = error instanceof ApiError && error.status === 401;
        if (
          query.state.data !== undefined &&
          !isOver &&
          !announced.has(query.queryHash) &&
          !offlineNotices.areShown()
        ) {
          announced.add(query.queryHash);
          toast.error('This page may be out of date: the server could not be reached.');
        }
      },
      onSuccess: (_data, query) => {
        announced.delete(query.queryHash);
      },
    }),
    defaultOptions: {
      queries: {
        // Otherwise a browser that is "offline" pauses all requests silently, and a save would never end.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) => retry && failures < MAX_RETRIES && navigator.onLine && isTemporary(error),
        ...(retry ? { refetchInterval: retryOfFailed } : {}),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
