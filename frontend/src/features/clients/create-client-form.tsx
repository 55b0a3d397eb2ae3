import { NativeSelect, TextInput } from '@mantine/core';
import { plans } from '../../shared/plans';
import { FieldRow } from '../../shared/ui/field-row';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { type CreateClientFormValues, createClientFormSchema, toCreateClientBody } from './client-form';
import { CodeField } from './code-field';
import { useCreateClient } from './mutations';

const EMPTY: CreateClientFormValues = {
  name: '',
  clientCode: '',
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  subscriptionPlan: 'BASIC',
};

export function CreateClientForm({ onDone }: { onDone: () => void }) {
  const createClient = useCreateClient();
  const { form, panel } = useMutationForm({
    initialValues: EMPTY,
    schema: createClientFormSchema,
    mutation: createClient,
    toBody: toCreateClientBody,
    failure: 'Failed to create client',
    onSuccess: ({ data }) => {
      toast.success(`Client created successfully. Its code is ${data.clientCode.toUpperCase()}.`);
      onDone();
    },
  });

  return (
    <PanelForm {...panel} submitLabel="Create Client" busyLabel="Creating...">
      <TextInput label="Client Name" required data-autofocus {...form.getInputProps('name')} />
      <CodeField
        name={form.values.name}
        code={form.values.clientCode}
        input={form.getInputProps('clientCode')}
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
