import { downloadText } from '../../shared/download';
import { GroupPicker } from '../../shared/groups/group-picker';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { credentialsFile } from './credentials-file';
import { EndUserFields } from './end-user-fields';
import {
  type CreateEndUserFormValues,
  createEndUserFormSchema,
  placeOfWeight,
  toCreateEndUserBody,
} from './end-user-form';
import { useCreateEndUser } from './mutations';
import { WeightFields } from './weight-fields';

const EMPTY: CreateEndUserFormValues = {
  name: '',
  username: '',
  email: '',
  weight: '1',
  address: '',
  groupIds: [],
  weights: [],
  password: '',
};

export function CreateEndUserForm({ onDone }: { onDone: () => void }) {
  const kinds = useWeightKinds();
  const createEndUser = useCreateEndUser();
  const { form, panel } = useMutationForm({
    initialValues: EMPTY,
    schema: createEndUserFormSchema(kinds),
    placeOf: placeOfWeight,
    mutation: createEndUser,
    toBody: (values) => toCreateEndUserBody(values, kinds),
    failure: 'Failed to create end user',
    onSuccess: ({ credentials }) => {
      const file = credentialsFile(credentials, new Date());
      downloadText(file.name, file.text);
      toast.success('End user created successfully! Login credentials have been downloaded.');
      onDone();
    },
  });

  return (
    <PanelForm {...panel} submitLabel="Create End User" busyLabel="Creating...">
      <EndUserFields inputProps={(field) => form.getInputProps(field)}>
        <WeightFields
          kinds={kinds}
          weights={form.values.weights}
          errors={form.errors}
          onChange={(place, weight) => form.setFieldValue(`weights.${place}`, weight)}
        />
      </EndUserFields>
      <GroupPicker label="Groups" description="Optional." {...form.getInputProps('groupIds')} />
      <NewPasswordInput
        value={form.values.password}
        error={form.errors.password}
        description="Minimum 8 characters. It is shown once: hand over the file that is downloaded."
        onChange={(password) => form.setFieldValue('password', password)}
      />
    </PanelForm>
  );
}
