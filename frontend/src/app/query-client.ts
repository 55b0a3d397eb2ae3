import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { toast } from '../shared/ui/toast';

const TRIES = 2;

export function createQueryClient(options?: { retry?: boolean }): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Without data the screen itself shows the error; with data it would otherwise age in silence.
        if (query.state.data !== undefined && !(error instanceof ApiError && error.status === 401)) {
          toast.error('What you see may be out of date: the server could not be reached.');
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) =>
          options?.retry !== false && failures < TRIES && error instanceof ApiError && error.isTemporary,
      },
    },
  });
}
