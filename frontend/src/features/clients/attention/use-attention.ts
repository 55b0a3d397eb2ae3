import { useQuery } from '@tanstack/react-query';
import { ownAccountQueries } from '../../../shared/account/queries';
import { TEST_PREFIX } from '../../../shared/test-data';
import { accountQueries } from '../../accounts/queries';
import { clientQueries } from '../queries';
import * as findings from './findings';
import { attentionQueries } from './queries';

export interface Attention {
  found: findings.Finding[];
  isPending: boolean;
  /** The names of the facts that could not be loaded. */
  unknown: string[];
}

interface Source<Data> {
  data: Data | undefined;
  isPending: boolean;
  isError: boolean;
}

/** Seven calls, none of which grows with the installation. */
export function useAttention(): Attention {
  const suspended = useQuery(attentionQueries.reports('SUSPENDED'));
  const inactive = useQuery(attentionQueries.reports('INACTIVE'));
  const migrations = useQuery(attentionQueries.migrations());
  const readiness = useQuery(attentionQueries.readiness());
  const tests = useQuery(clientQueries.list({ search: TEST_PREFIX, page: 1 }));
  const demo = useQuery(accountQueries.list({ search: findings.DEMO_DOMAIN, page: 1 }));
  const factor = useQuery(ownAccountQueries.secondFactor());

  const sources = [
    see('suspended organizations', suspended, (data) => findings.stoppedButRunning('SUSPENDED', data)),
    see('inactive organizations', inactive, (data) => findings.stoppedButRunning('INACTIVE', data)),
    see('migrations of the database', migrations, findings.pendingMigrations),
    see('the message server', readiness, findings.unreachableBus),
    see('accounts of a demonstration', demo, findings.demonstrationAccounts),
    see('your second factor', factor, findings.missingSecondFactor),
    see('test organizations', tests, findings.testOrganizations),
  ];
  return {
    found: sources.flatMap(({ found }) => found),
    isPending: sources.some(({ isPending }) => isPending),
    unknown: sources.flatMap(({ unknown }) => unknown),
  };
}

function see<Data>(
  name: string,
  { data, isPending, isError }: Source<Data>,
  find: (data: Data) => findings.Finding[],
): Attention {
  return {
    found: data === undefined ? [] : find(data),
    isPending,
    unknown: isError && data === undefined ? [name] : [],
  };
}
