import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '../../api/use-session';
import { formatNumber, formatTotalWeight } from '../../shared/format';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHead } from '../../shared/ui/page-head';
import { SplitGrid } from '../../shared/ui/split-grid';
import { StatCard } from '../../shared/ui/stat-card';
import { StatGrid } from '../../shared/ui/stat-grid';
import { endUserQueries } from './queries';

export function ClientDashboardPage() {
  const user = useUser();
  const stats = useQuery(endUserQueries.stats());

  return (
    <>
      <PageHead title="Dashboard" description={user?.clientName} />
      {stats.isPending ? <VisuallyHidden role="status">Loading dashboard...</VisuallyHidden> : null}
      {stats.isError && !stats.data ? (
        <ErrorState
          title="Failed to fetch end user statistics"
          onRetry={() => void stats.refetch()}
          isRetrying={stats.isFetching}
        />
      ) : (
        <StatGrid>
          <StatCard
            label="Total End Users"
            value={stats.data ? formatNumber(stats.data.total) : undefined}
            context="Everyone who can be invited"
          />
          <StatCard
            label="Active Users"
            value={stats.data ? formatNumber(stats.data.active) : undefined}
            context="Can sign in and vote"
          />
          <StatCard
            label="Inactive Users"
            value={stats.data ? formatNumber(stats.data.inactive) : undefined}
            context="Cannot sign in"
          />
          <StatCard
            label="Total Voting Weight"
            value={stats.data ? formatTotalWeight(stats.data.totalWeight) : undefined}
            context="Of all active users"
          />
        </StatGrid>
      )}
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
        <Card title="Recent Activity">
          <Text c="dimmed">No recent activity</Text>
        </Card>
      </SplitGrid>
    </>
  );
}
