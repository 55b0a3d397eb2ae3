import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EndUser } from '../../api/types';
import { GroupPicker } from '../../shared/groups/group-picker';
import { FreshData } from '../../shared/ui/fresh-data';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { PasswordReason, useReasonRequest } from '../../shared/ui/password-reason';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { EndUserFields } from './end-user-fields';
import {
  editEndUserFormSchema,
  placeOfWeightChange,
  toEditEndUserFormValues,
  toUpdateEndUserBody,
} from './end-user-form';
import { useUpdateEndUser } from './mutations';
import { endUserQueries } from './queries';
import { WeightFields } from './weight-fields';

/** Changes a person, starting from what the server has at this moment. */
export function EditEndUserForm({ endUserId, onDone }: { endUserId: string; onDone: () => void }) {
  const query = useQuery({ ...endUserQueries.one(endUserId), staleTime: 0 });
  return (
    <FreshData query={query} loadingText="Loading end user..." errorText="Failed to load end user">
      {(endUser) => <EndUserEditor endUser={endUser} onDone={onDone} />}
    </FreshData>
  );
}

function EndUserEditor({ endUser, onDone }: { endUser: EndUser; onDone: () => void }) {
  const kinds = useWeightKinds();
  const updateEndUser = useUpdateEndUser(endUser.id);
  const { form, panel } = useMutationForm({
    initialValues: toEditEndUserFormValues(endUser),
    schema: editEndUserFormSchema(kinds),
    placeOf: (path, sent) => placeOfWeightChange(path, sent, endUser, kinds),
    mutation: updateEndUser,
    toBody: (values) => toUpdateEndUserBody(values, endUser, kinds),
    failure: 'Failed to update end user',
    onSuccess: () => {
      toast.success('End user updated successfully!');
      onDone();
    },
  });

  const { request } = useReasonRequest(updateEndUser.error);

  return (
    <PanelForm {...panel} submitLabel="Update End User" busyLabel="Saving...">
      <EndUserFields inputProps={(field) => form.getInputProps(field)}>
        <WeightFields
          kinds={kinds}
          weights={form.values.weights}
          errors={form.errors}
          onChange={(place, weight) => form.setFieldValue(`weights.${place}`, weight)}
        />
      </EndUserFields>
      <GroupPicker
        label="Groups"
        description="Open questions keep their register."
        {...form.getInputProps('groupIds')}
      />
      <NewPasswordInput
        label="New Password"
        isRequired={false}
        value={form.values.password}
        error={form.errors.password}
        description="Minimum 8 characters. Leave empty to keep the current password. A new one signs this person out everywhere."
        onChange={(password) => form.setFieldValue('password', password)}
      />
      {request === null ? null : (
        <PasswordReason
          request={request}
          value={form.values.passwordReason}
          error={form.errors.passwordReason}
          onChange={(reason) => form.setFieldValue('passwordReason', reason)}
        />
      )}
      <Switch
        label="Active"
        // Without it, the description in the same <label> would be part of the name.
        aria-label="Active"
        description="Can sign in and vote. Deactivating signs this person out everywhere; votes already cast stay and count."
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </PanelForm>
  );
}
