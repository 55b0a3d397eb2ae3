import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import type { UserGroup } from '../../api/types';
import { filledUpTo } from '../../shared/form-checks';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { useSaveGroup } from './mutations';

const schema = z.object({
  name: filledUpTo(100, 'Enter a name').check(
    z.refine((name) => !name.includes(';'), { error: 'Must not contain a semicolon.' }),
  ),
});

interface GroupFormProps {
  /** Null for a new group. */
  group: UserGroup | null;
  onDone: () => void;
}

/** The form of a new group, or of the name of one. */
export function GroupForm({ group, onDone }: GroupFormProps) {
  const saveGroup = useSaveGroup(group?.id ?? null);
  const { form, panel } = useMutationForm({
    initialValues: { name: group?.name ?? '' },
    schema,
    mutation: saveGroup,
    toBody: ({ name }) => ({ name: name.trim() }),
    failure: group ? 'Failed to rename group' : 'Failed to create group',
    onSuccess: () => {
      toast.success(group ? 'Group renamed' : 'Group created');
      onDone();
    },
  });
  return (
    <PanelForm
      {...panel}
      submitLabel={group ? 'Rename Group' : 'Create Group'}
      busyLabel={group ? 'Renaming...' : 'Creating...'}
    >
      <TextInput
        label="Name"
        required
        autoComplete="off"
        data-autofocus
        description={
          group ? 'Results of earlier votes keep the old name.' : 'Members, delegates, a class of shares.'
        }
        {...form.getInputProps('name')}
      />
    </PanelForm>
  );
}
