import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, fieldErrorsOf, formErrorOf, messageOf } from '../../api/api-error';
import type { EndUser, Meeting } from '../../api/types';
import { QuorumField } from '../../shared/terms/quorum-field';
import { errorsUnder, withoutErrorsAt } from '../../shared/terms/terms-errors';
import { DateTimeInput } from '../../shared/ui/date-time-input';
import { FieldRow } from '../../shared/ui/field-row';
import { NumberField } from '../../shared/ui/number-field';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useRefusedFields } from '../../shared/use-refused-fields';
import { endUserQueries } from '../end-users/queries';
import {
  emptyMeeting,
  fromMeeting,
  hasMissingField,
  limitOf,
  type MeetingFormValues,
  meetingFormSchema,
  participantsRule,
  toCreateMeetingBody,
  toUpdateMeetingBody,
} from './meeting-form';
import { meetingStatuses } from './meeting-statuses';
import { type SavedMeeting, useCreateMeeting, useUpdateMeeting } from './mutations';
import { ParticipantPicker } from './participants/participant-picker';
import {
  type InvitationChange,
  type Invited,
  invitationChange,
  isListedByName,
  nobodyInvited,
  roomHint,
} from './participants/participants';
import { StatusNote } from './status-note';
import { timeZoneNote } from './time-zone';

/** A meeting as the server keeps it. */
export interface EditedMeeting {
  meeting: Meeting;
  invited: Invited;
  participants: EndUser[];
}

interface MeetingEditorProps {
  /** Null for a meeting that is being made. */
  edited: EditedMeeting | null;
  onDone: () => void;
  /** It was made, but not all of it: from here on the form changes it. */
  onCreated?: () => void;
}

/** Else browsers take years of six digits, of which one is a slip of the finger. */
const LATEST_TIME = '9999-12-31T23:59';

function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.isTemporary;
}

/** The parts of the quorum that the server objects to: each has a field. */
function quorumPaths(error: unknown): Record<string, string> {
  const paths = Object.entries(fieldErrorsOf(error)).filter(([path]) => path.startsWith('quorum.'));
  return Object.fromEntries(paths);
}

/** The form of a meeting, new or not, and of who is invited to it. */
export function MeetingEditor({ edited, onDone, onCreated }: MeetingEditorProps) {
  const createMeeting = useCreateMeeting();
  const updateMeeting = useUpdateMeeting();
  const stats = useQuery(endUserQueries.stats());
  // What the next save is compared with; a save of which only a part was done moves it on.
  const [stored, setStored] = useState(edited);
  const invited = stored?.invited ?? nobodyInvited;
  const [invitationFailure, setInvitationFailure] = useState<string | null>(null);
  const form = useForm<MeetingFormValues>({
    initialValues: edited
      ? {
          ...fromMeeting(edited.meeting),
          isForAll: edited.invited.isForAll,
          endUserIds: edited.invited.endUserIds,
        }
      : emptyMeeting,
    validate: schemaResolver(meetingFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);
  const { values, errors } = form;

  // The panel has given the focus away by the time that a meeting was loaded.
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current?.focus(), []);

  /** The room that is missing, as far as it can be known before anything is stored. */
  function roomError({ isForAll, endUserIds, maxParticipants }: MeetingFormValues, change: InvitationChange) {
    const count = isForAll ? (stats.data?.active ?? 0) : endUserIds.length;
    const limit = limitOf({ maxParticipants });
    return change.add && limit !== null && count > limit
      ? `The meeting has room for ${limit} participants`
      : null;
  }

  function handleSaved(saved: SavedMeeting, change: InvitationChange, message: string) {
    if (saved.invitationError === null) {
      toast.success(message);
      onDone();
      return;
    }
    const before = invited;
    const removed = new Set(saved.isRemovalDone ? change.remove : []);
    setStored({
      meeting: saved.meeting,
      invited: {
        // Where the answer was lost, the list may have been made all the same.
        hasList: before.hasList || (change.add !== null && isUnanswered(saved.invitationError)),
        isForAll: before.isForAll && removed.size === 0,
        endUserIds: before.endUserIds.filter((id) => !removed.has(id)),
      },
      participants: [],
    });
    refused.refuse({
      endUserIds: messageOf(saved.invitationError, 'Failed to add participants'),
      ...fieldErrorsOf(saved.invitationError),
    });
    setInvitationFailure('The meeting is stored, but not who is invited to it. Please try again.');
    if (!stored) {
      toast.error('Meeting created but failed to add participants');
      onCreated?.();
    }
  }

  /** All that is wrong at once: what the fields hold, what the server refused, and the room that is missing. */
  function handleInvalid(found: typeof errors, submitted: MeetingFormValues) {
    const missingRoom = roomError(submitted, invitationChange(invited, submitted));
    setInvitationFailure(null);
    refused.merge(found, submitted);
    if (missingRoom && !found.maxParticipants) {
      form.setFieldError('endUserIds', missingRoom);
    }
  }

  const handleSubmit = form.onSubmit((submitted) => {
    const change = invitationChange(invited, submitted);
    const missingRoom = roomError(submitted, change);
    setInvitationFailure(null);
    if (missingRoom) {
      form.setFieldError('endUserIds', missingRoom);
      setInvitationFailure('Please check the marked fields.');
      return;
    }
    const onError = (error: Error) => refused.refuse(fieldErrorsOf(error));
    if (stored) {
      updateMeeting.mutate(
        { meetingId: stored.meeting.id, body: toUpdateMeetingBody(submitted, stored.meeting), change },
        { onError, onSuccess: (saved) => handleSaved(saved, change, 'Meeting updated successfully') },
      );
    } else {
      createMeeting.mutate(
        { body: toCreateMeetingBody(submitted), change },
        { onError, onSuccess: (saved) => handleSaved(saved, change, 'Meeting created successfully') },
      );
    }
  }, handleInvalid);

  const [mutation, failure] = stored
    ? [updateMeeting, 'Failed to update meeting']
    : [createMeeting, 'Failed to create meeting'];
  const error = hasMissingField(errors)
    ? 'Please fill in all required fields'
    : (invitationFailure ??
      (mutation.isError
        ? formErrorOf(mutation.error, failure, { ...values, ...quorumPaths(mutation.error) })
        : null));

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel={stored ? 'Update Meeting' : 'Create Meeting'}
      busyLabel={stored ? 'Updating...' : 'Creating...'}
      isBusy={createMeeting.isPending || updateMeeting.isPending}
      isDirty={form.isDirty()}
      error={error}
    >
      <TextInput ref={title} label="Meeting Title" required data-autofocus {...form.getInputProps('title')} />
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
      <FieldRow
        legend="Scheduled Time"
        description={timeZoneNote(values.scheduledStartTime, values.scheduledEndTime)}
      >
        <DateTimeInput
          type="datetime-local"
          max={LATEST_TIME}
          label="Start Time"
          required
          {...form.getInputProps('scheduledStartTime')}
        />
        <DateTimeInput
          type="datetime-local"
          max={LATEST_TIME}
          label="End Time"
          required
          {...form.getInputProps('scheduledEndTime')}
        />
      </FieldRow>
      <div>
        <NativeSelect
          label="Status"
          description="Voters do not see a draft. A scheduled meeting can be started from the list."
          data={meetingStatuses}
          {...form.getInputProps('status')}
        />
        <StatusNote before={stored?.meeting.status ?? null} after={values.status} />
      </div>
      <NumberField
        label="Max Participants"
        placeholder="Unlimited"
        description={roomHint(invited, values, stats.data?.active ?? 0)}
        rule={participantsRule}
        {...form.getInputProps('maxParticipants')}
      />
      <Checkbox label="Recurring" {...form.getInputProps('isRecurring', { type: 'checkbox' })} />
      {values.isRecurring ? (
        <TextInput
          label="Recurring Pattern"
          description="A note for people. The next meeting is still made by hand."
          placeholder="Weekly, Monthly, Every Tuesday"
          {...form.getInputProps('recurringPattern')}
        />
      ) : null}
      <QuorumField
        label="Quorum"
        description="How much of the register must take part, so that anything can be decided. A question may have its own."
        quorum={values.quorum}
        errors={{ ...errorsUnder(errors, 'quorum'), quorum: errors.quorum }}
        isMeetings
        onChange={(quorum) => {
          form.setFieldValue('quorum', quorum);
          form.setErrors((current) => withoutErrorsAt(current, 'quorum'));
        }}
      />
      <FieldRow legend="Participants">
        <ParticipantPicker
          isForAll={values.isForAll}
          endUserIds={values.endUserIds}
          invited={edited?.participants ?? []}
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
