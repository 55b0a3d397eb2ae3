import { Switch } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { fieldErrorsOf, formErrorOf } from '../../api/api-error';
import type { EndUser } from '../../api/types';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useRefusedFields } from '../../shared/use-refused-fields';
import { EndUserFields } from './end-user-fields';
import {
  type EditEndUserFormValues,
  editEndUserFormSchema,
  toEditEndUserFormValues,
  toUpdateEndUserBody,
} from './end-user-form';
import { useUpdateEndUser } from './mutations';

export function EditEndUserForm({ endUser, onDone }: { endUser: EndUser; onDone: () => void }) {
  const updateEndUser = useUpdateEndUser(endUser.id);
  const form = useForm<EditEndUserFormValues>({
    initialValues: toEditEndUserFormValues(endUser),
    validate: schemaResolver(editEndUserFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);

  const handleSubmit = form.onSubmit((values) => {
    updateEndUser.mutate(toUpdateEndUserBody(values), {
      onSuccess: () => {
        toast.success('End user updated successfully!');
        onDone();
      },
      onError: (error) => refused.refuse(fieldErrorsOf(error)),
    });
  }, refused.merge);

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel="Update End User"
      busyLabel="Saving..."
      isBusy={updateEndUser.isPending}
      isDirty={form.isDirty()}
      error={
        updateEndUser.isError
          ? formErrorOf(updateEndUser.error, 'Failed to update end user', form.values)
          : null
      }
    >
      <EndUserFields inputProps={(field) => form.getInputProps(field)} />
      <NewPasswordInput
        label="New Password"
        isRequired={false}
        value={form.values.password}
        error={form.errors.password}
        description="Minimum 8 characters. Left blank, the current one stays; a new one signs this person out everywhere."
        onChange={(password) => form.setFieldValue('password', password)}
      />
      <Switch
        label="Active"
        // Else the description, which stands in the same <label>, would be part of the name.
        aria-label="Active"
        description="Can sign in and vote. Deactivating signs this person out everywhere; votes already cast stay and count."
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </PanelForm>
  );
}
