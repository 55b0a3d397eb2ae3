import { Button, Group, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { fieldErrorsOf, formErrorOf } from '../../../api/api-error';
import { focusFirstInvalid } from '../../../shared/focus-first-invalid';
import { FormError } from '../../../shared/ui/form-error';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useRefusedFields } from '../../../shared/use-refused-fields';
import { type PersonFormValues, personFormSchema } from '../steps/reason-form';
import classes from './person-form.module.css';
import { PersonPicker } from './person-picker';

interface PersonFormProps {
  legend: string;
  submitLabel: string;
  busyLabel: string;
  /** The message if the server gives no reason. */
  failure: string;
  send: (body: PersonFormValues) => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
}

/** A person and a reason, both for the round's log. */
export function PersonForm(props: PersonFormProps) {
  const { legend, submitLabel, busyLabel, failure, send, onDone, onCancel } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const form = useForm<PersonFormValues>({
    initialValues: { endUserId: '', reason: '' },
    validate: schemaResolver(personFormSchema, { sync: true }),
  });

  const refused = useRefusedFields(form);

  const submit = form.onSubmit(async ({ endUserId, reason }) => {
    setIsBusy(true);
    setError(null);
    try {
      await send({ endUserId, reason: reason.trim() });
      onDone();
    } catch (caught) {
      refused.refuse(fieldErrorsOf(caught));
      setError(formErrorOf(caught, failure, form.values));
      setIsBusy(false);
    }
  }, refused.merge);

  return (
    <form
      className={classes.root}
      noValidate
      onSubmit={(event) => {
        if (isBusy) {
          event.preventDefault();
          return;
        }
        submit(event);
        focusFirstInvalid(event.currentTarget);
      }}
    >
      <PersonPicker
        label={legend}
        chosenId={form.values.endUserId}
        error={form.errors.endUserId}
        onChoose={({ id }) => form.setFieldValue('endUserId', id)}
      />
      <TextInput
        label="Reason"
        description="For the log of the round, the results and the minutes"
        required
        {...form.getInputProps('reason')}
      />
      <FormError message={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton isBusy={isBusy} busyLabel={busyLabel}>
          {submitLabel}
        </SubmitButton>
      </Group>
    </form>
  );
}
