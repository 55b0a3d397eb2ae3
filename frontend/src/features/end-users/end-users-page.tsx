import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndUser } from '../../api/types';
import { formatDateTime, formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { FilterSelect } from '../../shared/ui/filter-select';
import { FormPanel } from '../../shared/ui/form-panel';
import { ListFrame } from '../../shared/ui/list-frame';
import { ListPages } from '../../shared/ui/list-pages';
import { PageHead } from '../../shared/ui/page-head';
import { SearchInput } from '../../shared/ui/search-input';
import { StatusBadge } from '../../shared/ui/status-badge';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { CreateEndUserForm } from './create-end-user-form';
import { endUserQueries } from './queries';

const FILTERS: { value: 'all' | 'active' | 'inactive'; label: string }[] = [
  { value: 'all', label: 'All End Users' },
  { value: 'active', label: 'Active Only' },
  { value: 'inactive', label: 'Inactive Only' },
];

const COLUMNS: Column<EndUser>[] = [
  { header: 'Name', onPhone: 'title', render: (endUser) => <TwoLineCell main={endUser.name} /> },
  { header: 'Username', onPhone: 'fact', render: (endUser) => endUser.username },
  { header: 'Email', onPhone: 'hidden', render: (endUser) => endUser.email ?? 'N/A' },
  { header: 'Weight', align: 'right', onPhone: 'fact', render: (endUser) => formatNumber(endUser.weight) },
  {
    header: 'Status',
    onPhone: 'fact',
    render: (endUser) => (
      <StatusBadge tone={endUser.isActive ? 'good' : 'neutral'}>
        {endUser.isActive ? 'Active' : 'Inactive'}
      </StatusBadge>
    ),
  },
  {
    header: 'Last Login',
    onPhone: 'hidden',
    render: (endUser) => (endUser.lastLoginAt ? formatDateTime(endUser.lastLoginAt) : 'Never'),
  },
];

export function EndUsersPage() {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<'all' | 'active' | 'inactive'>('all');
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const isNarrowed = search !== '' || filter !== 'all';
  const endUsers = useQuery(
    endUserQueries.list({
      page,
      ...(search ? { search } : {}),
      ...(filter === 'all' ? {} : { status: filter }),
    }),
  );

  return (
    <>
      <PageHead
        title="End Users"
        description="The people of your organization who vote, each with a voting weight."
        back={{ to: paths.client, label: 'Back to Dashboard' }}
        action={<Button onClick={creating.open}>Create End User</Button>}
      />
      <ListFrame
        heading={endUsers.data ? `End Users (${formatNumber(endUsers.data.total)})` : 'End Users'}
        tools={
          <>
            <SearchInput
              label="Search end users"
              onSearch={(text) => {
                setSearch(text);
                setPage(1);
              }}
            />
            <FilterSelect
              label="Filter by status"
              value={filter}
              options={FILTERS}
              onChange={(chosen) => {
                setFilter(chosen);
                setPage(1);
              }}
            />
          </>
        }
      >
        {endUsers.data ? (
          endUsers.data.total > 0 ? (
            <>
              <DataTable
                label="End Users"
                columns={COLUMNS}
                rows={endUsers.data.rows}
                rowKey={(endUser) => endUser.id}
              />
              <ListPages label="End Users" page={page} total={endUsers.data.total} onPage={setPage} />
            </>
          ) : (
            <EmptyState
              icon={IconUsers}
              title="No end users found"
              hint={
                isNarrowed
                  ? 'Try adjusting your search or filters'
                  : 'Create your first end user to get started'
              }
            />
          )
        ) : endUsers.isError ? (
          <ErrorState
            title="Failed to load end users"
            onRetry={() => void endUsers.refetch()}
            isRetrying={endUsers.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading end users..." />
        )}
      </ListFrame>
      <FormPanel opened={isCreating} onClose={creating.close} title="Create New End User">
        <CreateEndUserForm onDone={creating.close} />
      </FormPanel>
    </>
  );
}
