import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '../../api/use-session';
import { DASHBOARD_REFRESH_MS } from '../../shared/dashboard-refresh';
import { formatNumber, formatTotalWeight } from '../../shared/format';
import { paths } from '../../shared/paths';
import { ActivityList } from '../../shared/ui/activity-list';
import { Card } from '../../shared/ui/card';
import { LoadError } from '../../shared/ui/load-error';
import { PageHead } from '../../shared/ui/page-head';
import { SplitGrid } from '../../shared/ui/split-grid';
import { StatCard } from '../../shared/ui/stat-card';
import { StatGrid } from '../../shared/ui/stat-grid';
import { activityQueries } from '../activity/queries';
import { endUserQueries } from './queries';

export function ClientDashboardPage() {
  const user = useUser();
  const stats = useQuery({ ...endUserQueries.stats(), refetchInterval: DASHBOARD_REFRESH_MS });
  const activity = useQuery(activityQueries.ofClient());

  const people = stats.data;
  const nothing = stats.isError ? '–' : undefined;

  return (
    <>
      <PageHead title="Dashboard" description={user?.clientName} />
      {stats.isPending ? <VisuallyHidden role="status">Loading dashboard...</VisuallyHidden> : null}
      {stats.isError && !people ? (
        <LoadError
          message="Failed to fetch end user statistics"
          onRetry={() => void stats.refetch()}
          isRetrying={stats.isFetching}
        />
      ) : null}
      <StatGrid>
        <StatCard
          label="Total End Users"
          value={people ? formatNumber(people.total) : nothing}
          context="Everyone who can be invited"
        />
        <StatCard
          label="Active Users"
          value={people ? formatNumber(people.active) : nothing}
          context="Can sign in and vote"
        />
        <StatCard
          label="Inactive Users"
          value={people ? formatNumber(people.inactive) : nothing}
          context="Cannot sign in"
        />
        <StatCard
          label="Total Voting Weight"
          value={people ? formatTotalWeight(people.totalWeight) : nothing}
          context="Of all active users"
        />
      </StatGrid>
      <SplitGrid>
        <Card title="Meeting Management" description="Set up meetings, their questions and who takes part.">
          <Group gap="xs">
            <Button component={Link} to={{ pathname: paths.clientMeetings, search: '?create=1' }}>
              Create Meeting
            </Button>
            <Button component={Link} to={paths.clientMeetings} variant="default">
              View All Meetings
            </Button>
          </Group>
        </Card>
        <Card title="End User Management" description="Add the people who vote and set their voting weight.">
          <Group gap="xs">
            <Button component={Link} to={paths.clientEndUsers} variant="default">
              Manage End Users
            </Button>
            <Button component={Link} to={paths.clientEndUsers} variant="default">
              Export User List
            </Button>
          </Group>
        </Card>
      </SplitGrid>
      <Card title="Recent Activity">
        <ActivityList query={activity} emptyText="No recent activity" />
      </Card>
    </>
  );
}
