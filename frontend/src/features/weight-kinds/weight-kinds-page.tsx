import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconScale, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { hintOf, referenceOf } from '../../api/api-error';
import type { WeightKind } from '../../api/types';
import { formatNumber } from '../../shared/format';
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
import { weightKindQueries } from '../../shared/weights/queries';
import { formatWeightText } from '../../shared/weights/weight-text';
import { DeleteWeightKindDialog } from './delete-weight-kind-dialog';
import { WeightKindForm } from './weight-kind-form';

const COLUMNS: Column<WeightKind>[] = [
  { header: 'Name', onPhone: 'title', render: ({ name }) => name },
  { header: 'Unit', onPhone: 'fact', render: ({ unit }) => unit ?? 'None' },
  { header: 'Decimals', align: 'right', onPhone: 'hidden', render: ({ decimals }) => formatNumber(decimals) },
  { header: 'Total', align: 'right', onPhone: 'fact', render: ({ total }) => formatWeightText(total) },
];

/** The kinds of weight that votes of the organization can be counted by. */
export function WeightKindsPage() {
  const kinds = useQuery(weightKindQueries.list());
  const [isCreating, creating] = useDisclosure(false);
  const task = useRowTask<'edit' | 'delete', WeightKind>();
  const total = kinds.data?.length;
  return (
    <>
      <PageHead
        title="Kinds of Weight"
        description="Each person can have a value of each kind. A meeting or a question can count by a kind in place of the ordinary voting weight."
        back={{ to: paths.clientEndUsers, label: 'Back to End Users' }}
        action={<Button onClick={creating.open}>Create Kind of Weight</Button>}
      />
      <ListFrame
        heading={total === undefined ? 'Kinds of Weight' : `Kinds of Weight (${formatNumber(total)})`}
        isBusy={false}
      >
        {kinds.data ? (
          kinds.data.length > 0 ? (
            <DataTable
              label="Kinds of Weight"
              columns={COLUMNS}
              rows={kinds.data}
              rowKey={({ id }) => id}
              actions={(kind) => (
                <RowActions
                  name={kind.name}
                  actions={[
                    { label: 'Edit', icon: IconPencil, onClick: () => task.start('edit', kind) },
                    {
                      label: 'Delete',
                      icon: IconTrash,
                      isDangerous: true,
                      onClick: () => task.start('delete', kind),
                    },
                  ]}
                />
              )}
            />
          ) : (
            <EmptyState
              icon={IconScale}
              title="No kinds of weight yet"
              hint="Create one to count votes by shares, thousandths, square meters or inhabitants. Until then, every vote counts with the ordinary voting weight."
            />
          )
        ) : kinds.isError ? (
          <ErrorState
            title="Failed to load kinds of weight"
            hint={hintOf(kinds.error)}
            reference={referenceOf(kinds.error)}
            onRetry={() => void kinds.refetch()}
            isRetrying={kinds.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading kinds of weight..." columns={COLUMNS} hasActions />
        )}
      </ListFrame>
      <FormPanel opened={isCreating} onClose={creating.close} title="Create Kind of Weight">
        <WeightKindForm kind={null} onDone={creating.close} />
      </FormPanel>
      <FormPanel opened={task.isOn('edit')} onClose={task.end} title="Edit Kind of Weight">
        {task.row ? <WeightKindForm kind={task.row} onDone={task.end} /> : null}
      </FormPanel>
      <DeleteWeightKindDialog kind={task.row} opened={task.isOn('delete')} onClose={task.end} />
    </>
  );
}
