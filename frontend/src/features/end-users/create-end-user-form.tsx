import { schemaResolver, useForm } from '@mantine/form';
import { fieldErrorsOf, formErrorOf } from '../../api/api-error';
import { downloadText } from '../../shared/download';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useRefusedFields } from '../../shared/use-refused-fields';
import { credentialsFile } from './credentials-file';
import { EndUserFields } from './end-user-fields';
import { type CreateEndUserFormValues, createEndUserFormSchema, toCreateEndUserBody } from './end-user-form';
import { useCreateEndUser } from './mutations';

export function CreateEndUserForm({ onDone }: { onDone: () => void }) {
  const createEndUser = useCreateEndUser();
  const form = useForm<CreateEndUserFormValues>({
    initialValues: { name: '', username: '', email: '', weight: '1', address: '', password: '' },
    validate: schemaResolver(createEndUserFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);

  const handleSubmit = form.onSubmit((values) => {
    createEndUser.mutate(toCreateEndUserBody(values), {
      onSuccess: ({ credentials }) => {
        const file = credentialsFile(credentials, new Date());
        downloadText(file.name, file.text);
        toast.success('End user created successfully! Login credentials have been downloaded.');
        onDone();
      },
      onError: (error) => refused.refuse(fieldErrorsOf(error)),
    });
  }, refused.merge);

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel="Create End User"
      busyLabel="Creating..."
      isBusy={createEndUser.isPending}
      isDirty={form.isDirty()}
      error={
        createEndUser.isError
          ? formErrorOf(createEndUser.error, 'Failed to create end user', form.values)
          : null
      }
    >
      <EndUserFields inputProps={(field) => form.getInputProps(field)} />
      <NewPasswordInput
        value={form.values.password}
        error={form.errors.password}
        description="Minimum 8 characters. It is shown once: hand over the file that is downloaded."
        onChange={(password) => form.setFieldValue('password', password)}
      />
    </PanelForm>
  );
}
