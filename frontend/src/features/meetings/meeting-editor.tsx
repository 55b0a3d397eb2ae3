import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { GroupPicker } from '../../shared/groups/group-picker';
import { RESTART_CONSEQUENCES, startsAgain } from '../../shared/meeting/restart';
import { QuorumField } from '../../shared/terms/quorum-field';
import { errorsUnder, withoutErrorsAt } from '../../shared/terms/terms-errors';
import { FieldRow } from '../../shared/ui/field-row';
import { NumberField } from '../../shared/ui/number-field';
import { PanelForm } from '../../shared/ui/panel-form';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { WeightSelect } from '../../shared/weights/weight-select';
import { participantsRule } from './meeting-form';
import { meetingStatuses } from './meeting-statuses';
import { ParticipantPicker } from './participants/participant-picker';
import { isListedByName, limitHint } from './participants/participants';
import { ScheduleFields } from './schedule-fields';
import { StatusNote } from './status-note';
import { TemplateField } from './template-field';
import { type MeetingForm, type MeetingFormOptions, useMeetingForm } from './use-meeting-form';

/** The form of a new or a stored meeting, and of its invitations. */
export function MeetingEditor(props: MeetingFormOptions) {
  const { form, stored, invited, activeCount, handleSubmit, isBusy, error } = useMeetingForm(props);
  const { values, errors } = form;

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel={stored ? 'Update Meeting' : 'Create Meeting'}
      busyLabel={stored ? 'Updating...' : 'Creating...'}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={error}
    >
      {stored ? null : <TemplateField form={form} />}
      <DescriptionFields form={form} />
      <ScheduleFields
        start={form.getInputProps('scheduledStartTime')}
        end={form.getInputProps('scheduledEndTime')}
      />
      <div>
        <NativeSelect
          label="Status"
          description="Voters do not see a draft. A scheduled meeting can be started from the list."
          data={meetingStatuses}
          {...form.getInputProps('status')}
        />
        <StatusNote before={stored?.meeting.status ?? null} after={values.status} />
        {stored && startsAgain(stored.meeting) && values.status === 'ACTIVE' ? (
          <Checkbox
            mt="xs"
            label="Start this meeting again"
            description={RESTART_CONSEQUENCES}
            {...form.getInputProps('confirmsRestart', { type: 'checkbox' })}
          />
        ) : null}
      </div>
      <NumberField
        label="Max Participants"
        placeholder="Unlimited"
        description={limitHint(invited, values, activeCount)}
        rule={participantsRule}
        {...form.getInputProps('maxParticipants')}
      />
      <RecurrenceFields form={form} />
      <WeightSelect
        label="Weight"
        description="What counts as the weight of a person: in votes, the quorum, the attendance and limits of proxies. A question may have its own."
        none="Ordinary voting weight"
        {...form.getInputProps('weightKindId')}
      />
      <MeetingQuorumField form={form} />
      <Checkbox
        label="Count surveys when voting ends"
        description="A question without a decision rule shows you its result at once. It cannot be reopened then, only voted on again."
        {...form.getInputProps('countsSurveysAtEnd', { type: 'checkbox' })}
      />
      <GroupPicker
        label="Only for groups"
        description="Without one, the meeting is for everybody below. With some, only their members take part."
        {...form.getInputProps('groupIds')}
      />
      <CheckInFields form={form} />
      <FieldRow legend="Participants">
        <ParticipantPicker
          isForAll={values.isForAll}
          endUserIds={values.endUserIds}
          invited={props.edited?.participants ?? []}
          hasList={invited.hasList}
          isListedByName={isListedByName(invited, values)}
          error={typeof errors.endUserIds === 'string' ? errors.endUserIds : undefined}
          onForAllChange={(isForAll) => {
            form.setFieldValue('isForAll', isForAll);
            form.clearFieldError('endUserIds');
          }}
          onEndUserIdsChange={(change) => form.setFieldValue('endUserIds', change)}
        />
      </FieldRow>
    </PanelForm>
  );
}

function DescriptionFields({ form }: { form: MeetingForm }) {
  // By the time a meeting is loaded, the panel has already set the focus.
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current?.focus(), []);

  return (
    <>
      <TextInput ref={title} label="Meeting Title" required data-autofocus {...form.getInputProps('title')} />
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
    </>
  );
}

function RecurrenceFields({ form }: { form: MeetingForm }) {
  return (
    <>
      <Checkbox label="Recurring" {...form.getInputProps('isRecurring', { type: 'checkbox' })} />
      {form.values.isRecurring ? (
        <TextInput
          label="Recurring Pattern"
          description="A note for people. You still create the next meeting yourself."
          placeholder="Weekly, Monthly, Every Tuesday"
          {...form.getInputProps('recurringPattern')}
        />
      ) : null}
    </>
  );
}

function CheckInFields({ form }: { form: MeetingForm }) {
  return (
    <>
      <Checkbox
        label="Check-in"
        description="Desks record who is present; connections do not count. Only people who are checked in enter the register of a vote. It cannot be switched while a question is open."
        {...form.getInputProps('hasCheckIn', { type: 'checkbox' })}
      />
      {form.values.hasCheckIn ? (
        <Checkbox
          label="Voters can check themselves in"
          description="With a code on the presentation that changes every 30 seconds. Somebody in the hall could pass it on."
          {...form.getInputProps('selfCheckIn', { type: 'checkbox' })}
        />
      ) : null}
    </>
  );
}

function MeetingQuorumField({ form }: { form: MeetingForm }) {
  const weightKind = useWeightKinds().find(({ id }) => id === form.values.weightKindId);
  return (
    <QuorumField
      label="Quorum"
      description="How much of the register must take part, so that anything can be decided. A question may have its own."
      quorum={form.values.quorum}
      hasCheckIn={form.values.hasCheckIn}
      weightKind={weightKind}
      errors={{ ...errorsUnder(form.errors, 'quorum'), quorum: form.errors.quorum }}
      isMeetings
      onChange={(quorum) => {
        form.setFieldValue('quorum', quorum);
        form.setErrors((current) => withoutErrorsAt(current, 'quorum'));
      }}
    />
  );
}
