import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import type { GrantProxyBody } from '../../api/types';
import { filledUpTo, upTo } from '../../shared/form-checks';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { useGrantProxy } from './mutations';

const schema = z.object({
  principal: filledUpTo(64, 'Enter the username of the person whose vote is cast'),
  holder: filledUpTo(64, 'Enter the username of the person who casts it'),
  reference: upTo(200),
  note: upTo(1_000),
});

type Values = z.infer<typeof schema>;

const EMPTY: Values = { principal: '', holder: '', reference: '', note: '' };

function toBody({ principal, holder, reference, note }: Values): GrantProxyBody {
  return {
    principal: principal.trim(),
    holder: holder.trim(),
    ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
}

/** Enters a proxy whose written proof the organizer has. */
export function GrantForm({ meetingId, onDone }: { meetingId: string; onDone: () => void }) {
  const { form, panel } = useMutationForm({
    initialValues: EMPTY,
    schema,
    mutation: useGrantProxy(meetingId),
    toBody,
    failure: 'Failed to grant the proxy',
    onSuccess: () => {
      toast.success('Proxy granted. It takes effect at the next opening.');
      onDone();
    },
  });
  return (
    <PanelForm {...panel} submitLabel="Grant proxy" busyLabel="Granting...">
      <TextInput
        label="Principal"
        description="Username of the person whose vote is cast"
        required
        {...form.getInputProps('principal')}
      />
      <TextInput
        label="Holder"
        description="Username of the person who casts it"
        required
        {...form.getInputProps('holder')}
      />
      <TextInput
        label="Reference"
        description="Where the written proof is. It appears in the minutes."
        {...form.getInputProps('reference')}
      />
      <TextInput
        label="Instructions"
        description="Only principal, holder and organizers read them."
        {...form.getInputProps('note')}
      />
    </PanelForm>
  );
}
