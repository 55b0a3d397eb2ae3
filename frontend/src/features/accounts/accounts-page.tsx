import { IconPencil, IconShieldOff, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../api/types';
import { formatDate, formatDateTime } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import { useListState } from '../../shared/list/use-list-state';
import { useRowTask } from '../../shared/list/use-row-task';
import { paths } from '../../shared/paths';
import type { Column } from '../../shared/ui/data-table';
import { PageHead } from '../../shared/ui/page-head';
import { RowActions } from '../../shared/ui/row-actions';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { AccountClient } from './account-client';
import { accountQueries } from './queries';
import { RemoveSecondFactorDialog } from './remove-second-factor-dialog';

const COLUMNS: Column<Account>[] = [
  {
    header: 'Name',
    isSortable: true,
    isTwoLine: true,
    onPhone: 'title',
    render: (account) => <TwoLineCell main={nameOf(account)} sub={account.email} />,
  },
  {
    header: 'Role',
    isUnbroken: true,
    onPhone: 'fact',
    render: ({ role }) => (role === 'SUPER_ADMIN' ? 'Super Admin' : 'Client Admin'),
  },
  {
    header: 'Client',
    onPhone: 'fact',
    render: ({ client }) => (client ? <AccountClient client={client} /> : 'Whole platform'),
  },
  {
    header: 'Last Login',
    isUnbroken: true,
    onPhone: 'fact',
    render: ({ lastLoginAt }) => (lastLoginAt ? formatDateTime(lastLoginAt) : 'Never'),
  },
  {
    header: 'Created',
    isUnbroken: true,
    onPhone: 'hidden',
    render: ({ createdAt }) => formatDate(createdAt),
  },
];

export function AccountsPage() {
  const list = useListState();
  const task = useRowTask<'remove second factor', Account>();
  const accounts = useQuery(
    accountQueries.list({
      page: list.page,
      ...(list.search ? { search: list.search } : {}),
      ...(list.sort ? { sort: list.sort } : {}),
    }),
  );

  return (
    <>
      <PageHead
        title="Users"
        description="The people who sign in to the portals. Voters are managed by their client."
        back={{ to: paths.admin, label: 'Back to Dashboard' }}
      />
      <ListView
        heading="All Users"
        list={list}
        query={accounts}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        actions={(account) =>
          account.client ? (
            <AccountActions
              client={account.client}
              onRemoveSecondFactor={() => task.start('remove second factor', account)}
            />
          ) : null
        }
        searchLabel="Search users"
        defaultOrder="Newest first"
        loadingText="Loading users..."
        errorText="Failed to fetch users"
        emptyIcon={IconUsers}
        emptyTitle="No users found"
        emptyHint="A user comes with each client that you create"
      />
      <RemoveSecondFactorDialog
        account={task.row}
        opened={task.isOn('remove second factor')}
        onClose={task.end}
      />
    </>
  );
}

interface AccountActionsProps {
  client: NonNullable<Account['client']>;
  onRemoveSecondFactor: () => void;
}

/** An administrator's name and password are part of the client's form. */
function AccountActions({ client, onRemoveSecondFactor }: AccountActionsProps) {
  return (
    <RowActions
      name={client.name}
      actions={[
        { label: 'Edit client', icon: IconPencil, to: paths.adminClient(client.clientCode, client.id) },
        { label: 'Remove second factor', icon: IconShieldOff, onClick: onRemoveSecondFactor },
      ]}
    />
  );
}

function nameOf({ firstName, lastName, email }: Account): string {
  return `${firstName} ${lastName}`.trim() || email;
}
