import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconQrcode, IconScale, IconUpload, IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { EndUser, WeightKind } from '../../api/types';
import { formatDateTime } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import { useLinkedId, useLinkedRow } from '../../shared/list/use-linked-row';
import { useListState } from '../../shared/list/use-list-state';
import { useRowTask } from '../../shared/list/use-row-task';
import { useSelection } from '../../shared/list/use-selection';
import { paths } from '../../shared/paths';
import type { Column } from '../../shared/ui/data-table';
import { FormPanel } from '../../shared/ui/form-panel';
import { PageHead } from '../../shared/ui/page-head';
import { StatusBadge } from '../../shared/ui/status-badge';
import { TitleLink } from '../../shared/ui/title-link';
import { toast } from '../../shared/ui/toast';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { BulkBar } from './bulk/bulk-bar';
import { CreateEndUserForm } from './create-end-user-form';
import { DeleteEndUserDialog } from './delete-end-user-dialog';
import { EditEndUserForm } from './edit-end-user-form';
import { EndUserActions, type EndUserTask } from './end-user-actions';
import classes from './end-users-page.module.css';
import { EraseEndUserDialog } from './erase-end-user-dialog';
import { ExportCredentialsDialog } from './export-credentials-dialog';
import { ExportEndUsersMenu } from './export-end-users-menu';
import { GroupFilter, useGroupFilter } from './group-filter';
import { JoinLinkPanel } from './join-link-panel';
import { JoinLinksPanel } from './join-links-panel';
import { endUserQueries } from './queries';
import { WeightCell } from './weight-cell';

const FILTERS: { value: 'active' | 'inactive'; label: string }[] = [
  { value: 'active', label: 'Active Only' },
  { value: 'inactive', label: 'Inactive Only' },
];

function statusOf({ isActive, isErased }: EndUser): string {
  if (isErased) {
    return 'Erased';
  }
  return isActive ? 'Active' : 'Inactive';
}

function columnsOf(onEdit: (endUser: EndUser) => void, kinds: WeightKind[]): Column<EndUser>[] {
  return [
    {
      header: 'Name',
      isSortable: true,
      onPhone: 'title',
      render: (endUser) => (
        <TwoLineCell
          main={
            <TitleLink to={paths.clientEndUser(endUser.id)} onOpen={() => onEdit(endUser)}>
              {endUser.name}
            </TitleLink>
          }
          isTest={endUser.isTest}
        />
      ),
    },
    { header: 'Username', onPhone: 'fact', render: (endUser) => endUser.username },
    {
      header: 'Groups',
      onPhone: 'hidden',
      render: ({ groups }) => groups.map(({ name }) => name).join(', '),
    },
    { header: 'Email', onPhone: 'hidden', render: (endUser) => endUser.email ?? 'N/A' },
    {
      header: 'Weight',
      align: 'right',
      onPhone: 'fact',
      render: (endUser) => <WeightCell endUser={endUser} kinds={kinds} />,
    },
    {
      header: 'Status',
      isUnbroken: true,
      onPhone: 'fact',
      render: (endUser) => (
        <StatusBadge tone={endUser.isActive ? 'good' : 'neutral'}>{statusOf(endUser)}</StatusBadge>
      ),
    },
    {
      header: 'Last Login',
      isUnbroken: true,
      onPhone: 'hidden',
      render: (endUser) => (endUser.lastLoginAt ? formatDateTime(endUser.lastLoginAt) : 'Never'),
    },
  ];
}

const NO_ROWS: EndUser[] = [];

/** The reason why the total of the list may exceed the figures of the dashboard. */
const TEST_PEOPLE =
  'People marked “Test” are test data, because their name or username begins with TEST_: this list counts them, statistics and files do not, and they have no vote in real meetings.';

function descriptionOf(shown: EndUser[] = []): string {
  const text = 'The people of your organization who vote, each with a voting weight.';
  return shown.some(({ isTest }) => isTest) ? `${text} ${TEST_PEOPLE}` : text;
}

/** The state of the list, with what it is narrowed to, as the server is asked for it. */
function useNarrowedList() {
  const group = useGroupFilter();
  const state = useListState({ filters: ['active', 'inactive'], defaultSort: 'name' });
  const list = group.narrow(state);
  const selection = {
    ...(list.search ? { search: list.search } : {}),
    ...(list.filter ? { status: list.filter } : {}),
    ...(group.id ? { groupId: group.id } : {}),
  };
  return { group, list, selection };
}

export function EndUsersPage() {
  const { group, list, selection } = useNarrowedList();
  const kinds = useWeightKinds();
  const endUsers = useQuery(
    endUserQueries.list({
      page: list.page,
      ...selection,
      ...(list.sort === '-name' ? { sort: list.sort } : {}),
    }),
  );
  const [isCreating, creating] = useDisclosure(false);
  const [isLinking, linking] = useDisclosure(false);
  const task = useRowTask<EndUserTask, EndUser>();
  const chosen = useSelection(
    JSON.stringify([selection, list.sort, list.page]),
    endUsers.isPlaceholderData ? NO_ROWS : (endUsers.data?.rows ?? NO_ROWS),
    ({ id }) => id,
  );
  const linkedId = useLinkedId();
  const linked = useQuery({ ...endUserQueries.one(linkedId ?? ''), enabled: linkedId !== null });
  useLinkedRow(linked, {
    onFound: (endUser) => task.start('edit', endUser),
    onFailed: (error) => toast.failure(error, 'Failed to load end users'),
  });

  return (
    <>
      <PageHead
        title="End Users"
        description={descriptionOf(endUsers.data?.rows)}
        back={{ to: paths.client, label: 'Back to Dashboard' }}
        action={
          <PageActions onLinks={linking.open} onCreate={creating.open}>
            <ExportEndUsersMenu
              selection={selection}
              count={endUsers.isPlaceholderData ? undefined : endUsers.data?.total}
            />
          </PageActions>
        }
      />
      <ListView
        heading="End Users"
        list={list}
        query={endUsers}
        columns={columnsOf((endUser) => task.start('edit', endUser), kinds)}
        rowKey={(endUser) => endUser.id}
        selection={{ ...chosen, nameOf: ({ name }) => name }}
        bulk={<BulkBar selection={chosen} />}
        actions={(endUser) => <EndUserActions endUser={endUser} onStart={task.start} />}
        searchLabel="Search end users"
        filter={{ all: 'All End Users', options: FILTERS }}
        tools={<GroupFilter filter={group} />}
        loadingText="Loading end users..."
        errorText="Failed to load end users"
        emptyIcon={IconUsers}
        emptyTitle="No end users found"
        emptyHint="Create your first end user to get started"
      />
      <FormPanel opened={isCreating} onClose={creating.close} title="Create New End User">
        <CreateEndUserForm onDone={creating.close} />
      </FormPanel>
      <FormPanel opened={task.isOn('edit')} onClose={task.end} title="Edit End User">
        {task.row ? <EditEndUserForm key={task.row.id} endUserId={task.row.id} onDone={task.end} /> : null}
      </FormPanel>
      <FormPanel opened={isLinking} onClose={linking.close} title="Personal links">
        <JoinLinksPanel />
      </FormPanel>
      <FormPanel opened={task.isOn('link')} onClose={task.end} title="Personal link">
        {task.row ? <JoinLinkPanel key={task.row.id} endUser={task.row} /> : null}
      </FormPanel>
      <ExportCredentialsDialog endUser={task.row} opened={task.isOn('export')} onClose={task.end} />
      <EraseEndUserDialog endUser={task.row} opened={task.isOn('erase')} onClose={task.end} />
      <DeleteEndUserDialog endUser={task.row} opened={task.isOn('delete')} onClose={task.end} />
    </>
  );
}

interface PageActionsProps {
  onLinks: () => void;
  onCreate: () => void;
  /** The menu of files. */
  children: ReactNode;
}

function PageActions({ onLinks, onCreate, children }: PageActionsProps) {
  return (
    <div className={classes.actions}>
      <Button
        component={Link}
        to={paths.endUserImport}
        variant="default"
        leftSection={<IconUpload size={18} stroke={1.75} aria-hidden="true" />}
      >
        Import
      </Button>
      <Button
        component={Link}
        to={paths.clientGroups}
        variant="default"
        leftSection={<IconUsersGroup size={18} stroke={1.75} aria-hidden="true" />}
      >
        Groups
      </Button>
      <Button
        component={Link}
        to={paths.clientWeightKinds}
        variant="default"
        leftSection={<IconScale size={18} stroke={1.75} aria-hidden="true" />}
      >
        Weights
      </Button>
      <Button
        variant="default"
        leftSection={<IconQrcode size={18} stroke={1.75} aria-hidden="true" />}
        onClick={onLinks}
      >
        Personal links
      </Button>
      {children}
      <Button onClick={onCreate}>Create End User</Button>
    </div>
  );
}
