import { queryOptions } from '@tanstack/react-query';
import { publicApi, unwrap } from '../../api/client';
import type { PrintedRecords } from './printed-records';

/** The public queries about records and keys. */
export const verifyQueries = {
  records: ({ hashes, signature }: PrintedRecords) =>
    queryOptions({
      queryKey: ['verify', 'records', hashes, signature],
      queryFn: ({ signal }) =>
        unwrap(publicApi.POST('/public/verify/records', { body: { hashes, signature }, signal })),
      select: (body) => body.data,
    }),
  keys: () =>
    queryOptions({
      queryKey: ['verify', 'keys'],
      queryFn: ({ signal }) => unwrap(publicApi.GET('/public/evidence-keys', { signal })),
      select: (body) => body.keys,
    }),
};
