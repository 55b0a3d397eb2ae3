import { Button, Group, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHead } from '../../shared/ui/page-head';
import { SplitGrid } from '../../shared/ui/split-grid';
import { StatCard } from '../../shared/ui/stat-card';
import { StatGrid } from '../../shared/ui/stat-grid';
import { clientQueries } from './queries';

export function AdminDashboardPage() {
  const stats = useQuery(clientQueries.stats());

  return (
    <>
      <PageHead title="Dashboard" description="The organizations that meet and vote on this platform." />
      {stats.isError && !stats.data ? (
        <ErrorState
          title="Failed to fetch client statistics"
          onRetry={() => void stats.refetch()}
          isRetrying={stats.isFetching}
        />
      ) : (
        <StatGrid>
          <StatCard label="Total Clients" value={stats.data?.total} context="Active organizations" />
          <StatCard label="Active Clients" value={stats.data?.active} context="Currently active" />
          <StatCard label="Inactive Clients" value={stats.data?.inactive} context="Inactive or suspended" />
          <StatCard label="Total Sessions" value={0} context="Coming in Phase 2" />
        </StatGrid>
      )}
      <SplitGrid>
        <Card title="Quick Actions">
          <Group gap="xs">
            <Button
              component={Link}
              to={paths.adminClients}
              leftSection={<IconBuilding size={18} stroke={1.75} aria-hidden="true" />}
            >
              Manage Clients
            </Button>
            <Button variant="default" disabled>
              Manage Users
            </Button>
            <Button variant="default" disabled>
              View Reports
            </Button>
          </Group>
        </Card>
        <Card title="Recent Activity">
          <Text c="dimmed">No recent activity to display</Text>
        </Card>
      </SplitGrid>
    </>
  );
}
