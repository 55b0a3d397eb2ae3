import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { hintOf, referenceOf } from '../../api/api-error';
import type { UserGroup } from '../../api/types';
import { formatNumber } from '../../shared/format';
import { groupQueries } from '../../shared/groups/queries';
import { useRowTask } from '../../shared/list/use-row-task';
import { paths } from '../../shared/paths';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { FormPanel } from '../../shared/ui/form-panel';
import { ListFrame } from '../../shared/ui/list-frame';
import { PageHead } from '../../shared/ui/page-head';
import { RowActions } from '../../shared/ui/row-actions';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { TextLink } from '../../shared/ui/text-link';
import { DeleteGroupDialog } from './delete-group-dialog';
import { GroupForm } from './group-form';

const COLUMNS: Column<UserGroup>[] = [
  { header: 'Name', onPhone: 'title', render: ({ name }) => name },
  {
    header: 'Members',
    align: 'right',
    onPhone: 'fact',
    render: ({ id, name, members }) => (
      <TextLink to={paths.clientGroupMembers(id)}>
        {formatNumber(members)} <VisuallyHidden>members of {name}</VisuallyHidden>
      </TextLink>
    ),
  },
];

/** The groups of the organization's end users. */
export function GroupsPage() {
  const groups = useQuery(groupQueries.list());
  const [isCreating, creating] = useDisclosure(false);
  const task = useRowTask<'rename' | 'delete', UserGroup>();
  const total = groups.data?.length;
  return (
    <>
      <PageHead
        title="Groups"
        description="Members, delegates, units, classes of shares: a person may be in many. A meeting or a question can be for some groups only."
        back={{ to: paths.clientEndUsers, label: 'Back to End Users' }}
        action={<Button onClick={creating.open}>Create Group</Button>}
      />
      <ListFrame heading={total === undefined ? 'Groups' : `Groups (${formatNumber(total)})`} isBusy={false}>
        {groups.data ? (
          groups.data.length > 0 ? (
            <DataTable
              label="Groups"
              columns={COLUMNS}
              rows={groups.data}
              rowKey={({ id }) => id}
              actions={(group) => (
                <RowActions
                  name={group.name}
                  actions={[
                    { label: 'Rename', icon: IconPencil, onClick: () => task.start('rename', group) },
                    {
                      label: 'Delete',
                      icon: IconTrash,
                      isDangerous: true,
                      onClick: () => task.start('delete', group),
                    },
                  ]}
                />
              )}
            />
          ) : (
            <EmptyState
              icon={IconUsersGroup}
              title="No groups yet"
              hint="Create one here, or import end users with a column Groups."
            />
          )
        ) : groups.isError ? (
          <ErrorState
            title="Failed to load groups"
            hint={hintOf(groups.error)}
            reference={referenceOf(groups.error)}
            onRetry={() => void groups.refetch()}
            isRetrying={groups.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading groups..." columns={COLUMNS} hasActions />
        )}
      </ListFrame>
      <FormPanel opened={isCreating} onClose={creating.close} title="Create Group">
        <GroupForm group={null} onDone={creating.close} />
      </FormPanel>
      <FormPanel opened={task.isOn('rename')} onClose={task.end} title="Rename Group">
        {task.row ? <GroupForm group={task.row} onDone={task.end} /> : null}
      </FormPanel>
      <DeleteGroupDialog group={task.row} opened={task.isOn('delete')} onClose={task.end} />
    </>
  );
}
