import { NativeSelect, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { fieldErrorsOf, formErrorOf } from '../../api/api-error';
import { plans } from '../../shared/plans';
import { FieldRow } from '../../shared/ui/field-row';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useRefusedFields } from '../../shared/use-refused-fields';
import { type CreateClientFormValues, createClientFormSchema, toCreateClientBody } from './client-form';
import { useCreateClient } from './mutations';

export function CreateClientForm({ onDone }: { onDone: () => void }) {
  const createClient = useCreateClient();
  const form = useForm<CreateClientFormValues>({
    initialValues: {
      name: '',
      clientCode: '',
      firstName: '',
      lastName: '',
      email: '',
      password: '',
      subscriptionPlan: 'BASIC',
    },
    validate: schemaResolver(createClientFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);

  const handleSubmit = form.onSubmit((values) => {
    createClient.mutate(toCreateClientBody(values), {
      onSuccess: ({ data }) => {
        toast.success(`Client created successfully. Its code is ${data.clientCode}.`);
        onDone();
      },
      onError: (error) => refused.refuse(fieldErrorsOf(error)),
    });
  }, refused.merge);

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel="Create Client"
      busyLabel="Creating..."
      isBusy={createClient.isPending}
      isDirty={form.isDirty()}
      error={
        createClient.isError ? formErrorOf(createClient.error, 'Failed to create client', form.values) : null
      }
    >
      <TextInput label="Client Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Organization Code (optional)"
        description="What voters type to find this client. Left empty, it is made from the name."
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('clientCode')}
      />
      <NativeSelect label="Subscription Plan" data={plans} {...form.getInputProps('subscriptionPlan')} />
      <FieldRow legend="Contact" description="The contact will be the main admin">
        <TextInput label="First Name" required autoComplete="off" {...form.getInputProps('firstName')} />
        <TextInput label="Last Name" required autoComplete="off" {...form.getInputProps('lastName')} />
      </FieldRow>
      <TextInput
        type="email"
        label="Email"
        description="This will be the login email for the client admin"
        required
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <NewPasswordInput
        value={form.values.password}
        error={form.errors.password}
        description="Minimum 8 characters"
        onChange={(password) => form.setFieldValue('password', password)}
      />
    </PanelForm>
  );
}
