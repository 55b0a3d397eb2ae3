import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../api/types';
import { clientStatuses } from '../../shared/client-statuses';
import { plans } from '../../shared/plans';
import { FieldRow } from '../../shared/ui/field-row';
import { FreshData } from '../../shared/ui/fresh-data';
import { NewPasswordInput } from '../../shared/ui/new-password-input';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import {
  type EditClientFormValues,
  editClientFormSchema,
  mainContactOf,
  toEditClientFormValues,
  toUpdateClientBody,
} from './client-form';
import { CodeField } from './code-field';
import { useUpdateClient } from './mutations';
import { clientQueries } from './queries';

/** Changes a client, starting from what the server has at this moment. */
export function EditClientForm({ clientId, onDone }: { clientId: string; onDone: () => void }) {
  const query = useQuery({ ...clientQueries.one(clientId), staleTime: 0 });
  return (
    <FreshData query={query} loadingText="Loading client..." errorText="Failed to load client">
      {(client) => <ClientEditor client={client} onDone={onDone} />}
    </FreshData>
  );
}

function ClientEditor({ client, onDone }: { client: Client; onDone: () => void }) {
  const updateClient = useUpdateClient(client.id);
  const contact = mainContactOf(client);
  const { form, panel } = useMutationForm({
    initialValues: toEditClientFormValues(client),
    schema: editClientFormSchema,
    mutation: updateClient,
    toBody: (values: EditClientFormValues) => toUpdateClientBody(values, client),
    failure: 'Failed to update client',
    onSuccess: () => {
      toast.success('Client updated successfully');
      onDone();
    },
  });

  return (
    <PanelForm {...panel} submitLabel="Update Client" busyLabel="Saving...">
      <TextInput label="Client Name" required data-autofocus {...form.getInputProps('name')} />
      <CodeField owner={client} code={form.values.clientCode} input={form.getInputProps('clientCode')} />
      <TextInput
        type="email"
        label="Contact Email"
        description={
          contact
            ? `Where this client is reached. The email address for sign-in stays ${contact.email}.`
            : undefined
        }
        required
        autoComplete="off"
        {...form.getInputProps('contactEmail')}
      />
      <NativeSelect
        label="Status"
        description="While a client is inactive or suspended, nobody of it can sign in or vote."
        data={clientStatuses}
        {...form.getInputProps('status')}
      />
      <NativeSelect label="Subscription Plan" data={plans} {...form.getInputProps('subscriptionPlan')} />
      <FieldRow legend="Contact" description="The main admin. What is left empty stays as it is.">
        <TextInput label="First Name" autoComplete="off" {...form.getInputProps('firstName')} />
        <TextInput label="Last Name" autoComplete="off" {...form.getInputProps('lastName')} />
      </FieldRow>
      <NewPasswordInput
        label="New Password"
        isRequired={false}
        value={form.values.password}
        error={form.errors.password}
        description="Minimum 8 characters. Left empty, the current one stays; a new one signs the contact out everywhere."
        onChange={(password) => form.setFieldValue('password', password)}
      />
    </PanelForm>
  );
}
