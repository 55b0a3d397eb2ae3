import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { fieldErrorsOf, formErrorOf } from '../../api/api-error';
import { FieldRow } from '../../shared/ui/field-row';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import {
  type CreateMeetingFormValues,
  createMeetingFormSchema,
  hasMissingField,
  toCreateMeetingBody,
  toInvitation,
} from './meeting-form';
import { meetingStatuses } from './meeting-statuses';
import { useCreateMeeting } from './mutations';
import { ParticipantPicker } from './participant-picker';

export function CreateMeetingForm({ onDone }: { onDone: () => void }) {
  const createMeeting = useCreateMeeting();
  const form = useForm<CreateMeetingFormValues>({
    initialValues: {
      title: '',
      description: '',
      scheduledStartTime: '',
      scheduledEndTime: '',
      status: 'DRAFT',
      maxParticipants: '',
      isRecurring: false,
      recurringPattern: '',
      isForAll: true,
      endUserIds: [],
    },
    validate: schemaResolver(createMeetingFormSchema, { sync: true }),
  });

  const handleSubmit = form.onSubmit((values) => {
    createMeeting.mutate(
      { body: toCreateMeetingBody(values), invitation: toInvitation(values) },
      {
        onSuccess: ({ areInvited }) => {
          if (areInvited) {
            toast.success('Meeting created successfully');
          } else {
            toast.error('Meeting created but failed to add participants');
          }
          onDone();
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    );
  });

  const error = hasMissingField(form.errors)
    ? 'Please fill in all required fields'
    : createMeeting.isError
      ? formErrorOf(createMeeting.error, 'Failed to create meeting', form.values)
      : null;

  return (
    <PanelForm
      onSubmit={handleSubmit}
      onCancel={onDone}
      submitLabel="Create Meeting"
      busyLabel="Creating..."
      isBusy={createMeeting.isPending}
      error={error}
    >
      <TextInput label="Meeting Title" required data-autofocus {...form.getInputProps('title')} />
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
      <FieldRow legend="Scheduled Time">
        <TextInput
          type="datetime-local"
          label="Start Time"
          required
          {...form.getInputProps('scheduledStartTime')}
        />
        <TextInput
          type="datetime-local"
          label="End Time"
          required
          {...form.getInputProps('scheduledEndTime')}
        />
      </FieldRow>
      <NativeSelect
        label="Status"
        description="Voters do not see a draft. A scheduled meeting can be started from the list."
        data={meetingStatuses}
        {...form.getInputProps('status')}
      />
      <NumberInput
        label="Max Participants"
        placeholder="Unlimited"
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('maxParticipants')}
      />
      <FieldRow legend="Participants">
        <ParticipantPicker
          isForAll={form.values.isForAll}
          endUserIds={form.values.endUserIds}
          onForAllChange={(isForAll) => form.setFieldValue('isForAll', isForAll)}
          onEndUserIdsChange={(endUserIds) => form.setFieldValue('endUserIds', endUserIds)}
        />
      </FieldRow>
      <Checkbox label="Recurring" {...form.getInputProps('isRecurring', { type: 'checkbox' })} />
      {form.values.isRecurring ? (
        <TextInput
          label="Recurring Pattern"
          placeholder="Weekly, Monthly, Every Tuesday"
          {...form.getInputProps('recurringPattern')}
        />
      ) : null}
    </PanelForm>
  );
}
