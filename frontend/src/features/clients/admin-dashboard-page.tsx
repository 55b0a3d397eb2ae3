import { Button, Group } from '@mantine/core';
import { IconBuilding, IconReportAnalytics, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DASHBOARD_REFRESH_MS } from '../../shared/dashboard-refresh';
import { countOf, formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import { ActivityList } from '../../shared/ui/activity-list';
import { Card } from '../../shared/ui/card';
import { DashboardLayout } from '../../shared/ui/dashboard-layout';
import { statOf } from '../../shared/ui/stat-of';
import { activityQueries } from '../activity/queries';
import { AttentionCard } from './attention/attention-card';
import { clientQueries } from './queries';

export function AdminDashboardPage() {
  const stats = useQuery({ ...clientQueries.stats(), refetchInterval: DASHBOARD_REFRESH_MS });
  const sessions = useQuery(activityQueries.sessions());
  const activity = useQuery(activityQueries.ofPlatform());
  const now = sessions.data;

  return (
    <DashboardLayout
      description="The organizations that meet and vote on this platform."
      sources={[
        { query: stats, failure: 'Failed to fetch client statistics' },
        { query: sessions, failure: 'Failed to fetch the number of sessions' },
      ]}
      stats={[
        {
          label: 'Total Clients',
          value: statOf(stats, ({ total }) => formatNumber(total)),
          context: 'Active organizations',
        },
        {
          label: 'Active Clients',
          value: statOf(stats, ({ active }) => formatNumber(active)),
          context: 'Currently active',
        },
        {
          label: 'Inactive Clients',
          value: statOf(stats, ({ inactive }) => formatNumber(inactive)),
          context: 'Inactive or suspended',
        },
        {
          label: 'Total Sessions',
          value: statOf(sessions, ({ total }) => formatNumber(total)),
          context: now
            ? `${countOf(now.accounts, 'account')}, ${countOf(now.endUsers, 'end user')}`
            : 'Signed in now',
        },
      ]}
      actions={
        <>
          <AttentionCard />
          <QuickActions />
        </>
      }
      activity={
        <Card title="Recent Activity">
          <ActivityList hasClients query={activity} emptyText="No recent activity to display" />
        </Card>
      }
    />
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
