import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '../../api/use-session';
import { DASHBOARD_REFRESH_MS } from '../../shared/dashboard-refresh';
import { formatNumber, formatTotalWeight } from '../../shared/format';
import { paths } from '../../shared/paths';
import { ActivityList } from '../../shared/ui/activity-list';
import { Card } from '../../shared/ui/card';
import { DashboardLayout } from '../../shared/ui/dashboard-layout';
import { FormPanel } from '../../shared/ui/form-panel';
import { statOf } from '../../shared/ui/stat-of';
import { useAddressParams } from '../../shared/use-address-params';
import { activityQueries } from '../activity/queries';
import { endUserQueries } from '../end-users/queries';
import { Guide } from './guide';
import { QuickVoteForm } from './quick-vote-form';

export function ClientDashboardPage() {
  const user = useUser();
  const stats = useQuery({ ...endUserQueries.stats(), refetchInterval: DASHBOARD_REFRESH_MS });
  const activity = useQuery(activityQueries.ofClient());
  // In the address, because the list of meetings links to it.
  const { params, change } = useAddressParams();
  const closeQuickVote = () => change({ 'quick-vote': undefined }, { replace: true });

  return (
    <>
      <DashboardLayout
        description={user?.clientName}
        action={
          <Button component={Link} to={paths.quickVote}>
            Quick Vote
          </Button>
        }
        guide={<Guide />}
        status={stats.isPending ? <VisuallyHidden role="status">Loading dashboard...</VisuallyHidden> : null}
        sources={[{ query: stats, failure: 'Failed to fetch end user statistics' }]}
        stats={[
          {
            label: 'Total End Users',
            value: statOf(stats, ({ total }) => formatNumber(total)),
            context: 'Everyone who can be invited',
          },
          {
            label: 'Active Users',
            value: statOf(stats, ({ active }) => formatNumber(active)),
            context: 'Can sign in and vote',
          },
          {
            label: 'Inactive Users',
            value: statOf(stats, ({ inactive }) => formatNumber(inactive)),
            context: 'Cannot sign in',
          },
          {
            label: 'Total Voting Weight',
            value: statOf(stats, ({ totalWeight }) => formatTotalWeight(totalWeight)),
            context: 'Of all active users',
          },
        ]}
        actions={<Management />}
        activity={
          <Card title="Recent Activity">
            <ActivityList query={activity} emptyText="No recent activity" />
          </Card>
        }
      />
      <FormPanel opened={params.get('quick-vote') === '1'} onClose={closeQuickVote} title="Quick Vote">
        <QuickVoteForm />
      </FormPanel>
    </>
  );
}

function Management() {
  return (
    <>
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
    </>
  );
}
