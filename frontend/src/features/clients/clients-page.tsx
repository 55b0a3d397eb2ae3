import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../api/types';
import { formatDate, formatNumber } from '../../shared/format';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { FormPanel } from '../../shared/ui/form-panel';
import { ListFrame } from '../../shared/ui/list-frame';
import { ListPages } from '../../shared/ui/list-pages';
import { PageHead } from '../../shared/ui/page-head';
import { StatCard } from '../../shared/ui/stat-card';
import { StatGrid } from '../../shared/ui/stat-grid';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { ClientStatusBadge } from './client-status-badge';
import { CreateClientForm } from './create-client-form';
import { planLabel } from './plans';
import { clientQueries } from './queries';

const COLUMNS: Column<Client>[] = [
  {
    header: 'Client Name',
    onPhone: 'title',
    render: (client) => (
      <TwoLineCell main={client.name} sub={`${planLabel(client.subscriptionPlan)} · ${client.clientCode}`} />
    ),
  },
  { header: 'Contact Email', onPhone: 'fact', render: (client) => client.contactEmail },
  { header: 'Status', onPhone: 'fact', render: (client) => <ClientStatusBadge status={client.status} /> },
  {
    header: 'Users',
    align: 'right',
    onPhone: 'hidden',
    render: (client) => formatNumber(client._count.users + client._count.endUsers),
  },
  {
    header: 'Meetings',
    align: 'right',
    onPhone: 'hidden',
    render: (client) => formatNumber(client._count.meetings),
  },
  { header: 'Created', onPhone: 'hidden', render: (client) => formatDate(client.createdAt) },
];

export function ClientsPage() {
  const stats = useQuery(clientQueries.stats());
  const [page, setPage] = useState(1);
  const clients = useQuery(clientQueries.list({ page }));
  const [isCreating, creating] = useDisclosure(false);

  return (
    <>
      <PageHead
        title="Client Management"
        description="Each client is an organization with its own people, meetings and votes."
        action={<Button onClick={creating.open}>+ Add Client</Button>}
      />
      <StatGrid>
        <StatCard label="Total" value={stats.data?.total} />
        <StatCard label="Active" value={stats.data?.active} />
        <StatCard label="Inactive" value={stats.data?.inactive} />
      </StatGrid>
      <ListFrame heading={clients.data ? `All Clients (${formatNumber(clients.data.total)})` : 'All Clients'}>
        {clients.data ? (
          clients.data.total > 0 ? (
            <>
              <DataTable
                label="All Clients"
                columns={COLUMNS}
                rows={clients.data.rows}
                rowKey={(client) => client.id}
              />
              <ListPages label="All Clients" page={page} total={clients.data.total} onPage={setPage} />
            </>
          ) : (
            <EmptyState
              icon={IconBuilding}
              title="No clients found"
              hint="Create your first client to get started"
            />
          )
        ) : clients.isError ? (
          <ErrorState
            title="Failed to load data"
            onRetry={() => void clients.refetch()}
            isRetrying={clients.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading clients..." />
        )}
      </ListFrame>
      <FormPanel opened={isCreating} onClose={creating.close} title="Create New Client">
        <CreateClientForm onDone={creating.close} />
      </FormPanel>
    </>
  );
}
