import { Button, Group } from '@mantine/core';
import { IconBuilding, IconReportAnalytics, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DASHBOARD_REFRESH_MS } from '../../shared/dashboard-refresh';
import { countOf, formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import { ActivityList } from '../../shared/ui/activity-list';
import { Card } from '../../shared/ui/card';
import { LoadError } from '../../shared/ui/load-error';
import { PageHead } from '../../shared/ui/page-head';
import { SplitGrid } from '../../shared/ui/split-grid';
import { StatCard } from '../../shared/ui/stat-card';
import { StatGrid } from '../../shared/ui/stat-grid';
import { activityQueries } from '../activity/queries';
import { clientQueries } from './queries';

export function AdminDashboardPage() {
  const stats = useQuery({ ...clientQueries.stats(), refetchInterval: DASHBOARD_REFRESH_MS });
  const sessions = useQuery(activityQueries.sessions());
  const activity = useQuery(activityQueries.ofPlatform());

  const clients = stats.data;
  const noClients = stats.isError ? '–' : undefined;
  const now = sessions.data;

  return (
    <>
      <PageHead title="Dashboard" description="The organizations that meet and vote on this platform." />
      {stats.isError && !clients ? (
        <LoadError
          message="Failed to fetch client statistics"
          onRetry={() => void stats.refetch()}
          isRetrying={stats.isFetching}
        />
      ) : null}
      {sessions.isError && !now ? (
        <LoadError
          message="Failed to fetch the number of sessions"
          onRetry={() => void sessions.refetch()}
          isRetrying={sessions.isFetching}
        />
      ) : null}
      <StatGrid>
        <StatCard
          label="Total Clients"
          value={clients ? formatNumber(clients.total) : noClients}
          context="Active organizations"
        />
        <StatCard
          label="Active Clients"
          value={clients ? formatNumber(clients.active) : noClients}
          context="Currently active"
        />
        <StatCard
          label="Inactive Clients"
          value={clients ? formatNumber(clients.inactive) : noClients}
          context="Inactive or suspended"
        />
        <StatCard
          label="Total Sessions"
          value={now ? formatNumber(now.total) : sessions.isError ? '–' : undefined}
          context={
            now
              ? `${countOf(now.accounts, 'account')}, ${countOf(now.endUsers, 'end user')}`
              : 'Signed in now'
          }
        />
      </StatGrid>
      <SplitGrid>
        <QuickActions />
      </SplitGrid>
      <Card title="Recent Activity">
        <ActivityList hasClients query={activity} emptyText="No recent activity to display" />
      </Card>
    </>
  );
}

function QuickActions() {
  return (
    <Card title="Quick Actions">
      <Group gap="xs">
        <Button
          component={Link}
          to={paths.adminClients}
          leftSection={<IconBuilding size={18} stroke={1.75} aria-hidden="true" />}
        >
          Manage Clients
        </Button>
        <Button
          component={Link}
          to={paths.adminUsers}
          variant="default"
          leftSection={<IconUsers size={18} stroke={1.75} aria-hidden="true" />}
        >
          Manage Users
        </Button>
        <Button
          component={Link}
          to={paths.adminReports}
          variant="default"
          leftSection={<IconReportAnalytics size={18} stroke={1.75} aria-hidden="true" />}
        >
          View Reports
        </Button>
      </Group>
    </Card>
  );
}
