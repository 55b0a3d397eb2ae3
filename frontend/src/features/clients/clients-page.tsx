import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuilding, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../api/types';
import { clientStatuses } from '../../shared/client-statuses';
import { formatDate, formatNumber } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import { useLinkedId, useLinkedRow } from '../../shared/list/use-linked-row';
import { useListState } from '../../shared/list/use-list-state';
import { useRowTask } from '../../shared/list/use-row-task';
import { paths } from '../../shared/paths';
import { planLabel } from '../../shared/plans';
import { ClientStatusBadge } from '../../shared/ui/client-status-badge';
import type { Column } from '../../shared/ui/data-table';
import { FormPanel } from '../../shared/ui/form-panel';
import { PageHead } from '../../shared/ui/page-head';
import { RowActions } from '../../shared/ui/row-actions';
import { StatCard } from '../../shared/ui/stat-card';
import { StatGrid } from '../../shared/ui/stat-grid';
import { TitleLink } from '../../shared/ui/title-link';
import { toast } from '../../shared/ui/toast';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { CreateClientForm } from './create-client-form';
import { DeleteClientDialog } from './delete-client-dialog';
import { EditClient } from './edit-client';
import { clientQueries } from './queries';

function columnsOf(onEdit: (client: Client) => void): Column<Client>[] {
  return [
    {
      header: 'Client Name',
      isSortable: true,
      isTwoLine: true,
      onPhone: 'title',
      render: (client) => (
        <TwoLineCell
          main={
            <TitleLink to={paths.adminClient(client.clientCode, client.id)} onOpen={() => onEdit(client)}>
              {client.name}
            </TitleLink>
          }
          sub={`${planLabel(client.subscriptionPlan)} · ${client.clientCode}`}
          isTest={client.isTest}
        />
      ),
    },
    { header: 'Contact Email', onPhone: 'fact', render: (client) => client.contactEmail },
    {
      header: 'Status',
      isUnbroken: true,
      onPhone: 'fact',
      render: (client) => <ClientStatusBadge status={client.status} />,
    },
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
    {
      header: 'Created',
      isUnbroken: true,
      onPhone: 'hidden',
      render: (client) => formatDate(client.createdAt),
    },
  ];
}

export function ClientsPage() {
  const stats = useQuery(clientQueries.stats());
  const list = useListState({ filters: clientStatuses.map(({ value }) => value) });
  const clients = useQuery(
    clientQueries.list({
      page: list.page,
      ...(list.search ? { search: list.search } : {}),
      ...(list.filter ? { status: list.filter } : {}),
      ...(list.sort ? { sort: list.sort } : {}),
    }),
  );
  const [isCreating, creating] = useDisclosure(false);
  const task = useRowTask<'edit' | 'delete', Client>();
  const linkedId = useLinkedId();
  const linked = useQuery({ ...clientQueries.one(linkedId ?? ''), enabled: linkedId !== null });
  useLinkedRow(linked, {
    onFound: (client) => task.start('edit', client),
    onFailed: (error) => toast.failure(error, 'Failed to fetch client'),
  });
  const missing = stats.isError ? '–' : undefined;

  return (
    <>
      <PageHead
        title="Client Management"
        description="Each client is an organization with its own people, meetings and votes."
        action={<Button onClick={creating.open}>+ Add Client</Button>}
      />
      <StatGrid>
        <StatCard label="Total" value={stats.data?.total ?? missing} />
        <StatCard label="Active" value={stats.data?.active ?? missing} />
        <StatCard label="Inactive" value={stats.data?.inactive ?? missing} />
      </StatGrid>
      <ListView
        heading="All Clients"
        list={list}
        query={clients}
        columns={columnsOf((client) => task.start('edit', client))}
        rowKey={(client) => client.id}
        actions={(client) => (
          <RowActions
            name={client.name}
            actions={[
              { label: 'Edit', icon: IconPencil, onClick: () => task.start('edit', client) },
              {
                label: 'Delete',
                icon: IconTrash,
                isDangerous: true,
                onClick: () => task.start('delete', client),
              },
            ]}
          />
        )}
        searchLabel="Search clients"
        filter={{ all: 'All Status', options: clientStatuses }}
        defaultOrder="Newest first"
        loadingText="Loading clients..."
        errorText="Failed to load data"
        emptyIcon={IconBuilding}
        emptyTitle="No clients found"
        emptyHint="Create your first client to get started"
      />
      <FormPanel opened={isCreating} onClose={creating.close} title="Create New Client">
        <CreateClientForm onDone={creating.close} />
      </FormPanel>
      <FormPanel opened={task.isOn('edit')} onClose={task.end} title="Edit Client">
        {task.row ? <EditClient client={task.row} onDone={task.end} /> : null}
      </FormPanel>
      <DeleteClientDialog client={task.row} opened={task.isOn('delete')} onClose={task.end} />
    </>
  );
}
