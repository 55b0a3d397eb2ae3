import { queryOptions } from '@tanstack/react-query';
import { Caller } from '../../shared/diagnostics/run/caller';
import type { Portal } from '../../shared/diagnostics/run/portal';
import { allAtRest } from '../../shared/diagnostics/run/runner';
import { findNamed, testDataOf } from '../../shared/diagnostics/run/test-data';
import { TEST_PREFIX } from '../../shared/test-data';

export const diagnosticQueries = {
  all: () => ['diagnostics'] as const,
  /** The existing test data. */
  testData: (portal: Portal) =>
    queryOptions({
      queryKey: [...diagnosticQueries.all(), 'test-data', portal],
      queryFn: async ({ signal }) => {
        await allAtRest();
        return testDataOf(await findNamed(new Caller('own', signal), portal, TEST_PREFIX));
      },
    }),
};
