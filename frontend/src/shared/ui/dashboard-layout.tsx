import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadError } from './load-error';
import { PageHead } from './page-head';
import { SplitGrid } from './split-grid';
import { StatCard } from './stat-card';
import { StatGrid } from './stat-grid';

interface StatsSource {
  query: Pick<UseQueryResult<unknown>, 'data' | 'isError' | 'isFetching' | 'refetch'>;
  /** The message if the numbers could not be loaded. */
  failure: string;
}

interface Stat {
  label: string;
  /** See `statOf`. */
  value: string | undefined;
  context: string;
}

interface DashboardLayoutProps {
  description: string | null | undefined;
  /** The main action, on the right. */
  action?: ReactNode;
  /** What to do next, above the numbers. */
  guide?: ReactNode;
  /** A message for screen readers while the numbers load. */
  status?: ReactNode;
  /** The queries of the numbers. */
  sources: readonly StatsSource[];
  stats: readonly Stat[];
  /** Cards with the actions of the home screen. */
  actions: ReactNode;
  activity: ReactNode;
}

/** The home screen of a portal: numbers, actions and the recent activity. */
export function DashboardLayout(props: DashboardLayoutProps) {
  const { description, action, guide, status, sources, stats, actions, activity } = props;
  return (
    <>
      <PageHead title="Dashboard" description={description} action={action} />
      {status}
      {sources.map(({ query, failure }) =>
        query.isError && !query.data ? (
          <LoadError
            key={failure}
            message={failure}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : null,
      )}
      {guide}
      <StatGrid>
        {stats.map((stat) => (
          <StatCard key={stat.label} {...stat} />
        ))}
      </StatGrid>
      <SplitGrid>{actions}</SplitGrid>
      {activity}
    </>
  );
}
