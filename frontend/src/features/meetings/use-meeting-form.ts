import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrorsOf, formErrorOf, messageOf } from '../../api/api-error';
import type { EndUser, Meeting } from '../../api/types';
import { startsAgain } from '../../shared/meeting/restart';
import { paths } from '../../shared/paths';
import { toast } from '../../shared/ui/toast';
import { useLeavePanel } from '../../shared/ui/use-leave-panel';
import { useRefusedFields } from '../../shared/use-refused-fields';
import { endUserQueries } from '../end-users/queries';
import {
  emptyMeeting,
  fromMeeting,
  hasMissingField,
  limitOf,
  type MeetingFormValues,
  meetingFormSchema,
  toCreateMeetingBody,
  toUpdateMeetingBody,
} from './meeting-form';
import { isUnanswered, type SavedMeeting, useCreateMeeting, useUpdateMeeting } from './mutations';
import {
  type InvitationChange,
  type Invited,
  invitationChange,
  nobodyInvited,
} from './participants/participants';

/** A meeting as stored on the server. */
export interface EditedMeeting {
  meeting: Meeting;
  invited: Invited;
  participants: EndUser[];
}

export interface MeetingFormOptions {
  /** Null for a new meeting. */
  edited: EditedMeeting | null;
  /** Called when a stored meeting was changed. After a new one, the screen of its questions follows. */
  onDone: () => void;
  /** Called when the meeting was created, but not all invitations: from now on the form changes it. */
  onCreated?: () => void;
}

export type MeetingForm = ReturnType<typeof useMeetingForm>['form'];

/** The values of the meeting form, its checks, and the calls that store the meeting and its invitations. */
export function useMeetingForm({ edited, onDone, onCreated }: MeetingFormOptions) {
  const activeCount = useQuery(endUserQueries.stats()).data?.active ?? 0;
  const { stored, invited, keepStored, keepRemoval } = useStoredMeeting(edited);
  const [invitationFailure, setInvitationFailure] = useState<string | null>(null);
  const form = useForm<MeetingFormValues>({
    initialValues: initialValuesOf(edited),
    validate: schemaResolver(meetingFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);
  const leave = useLeavePanel();
  const save = useSaveMeeting(stored?.meeting ?? null, {
    onError: (error) => refused.refuse(fieldErrorsOf(error)),
    onSuccess: handleSaved,
    onRemovedFirst: keepRemoval,
  });

  function handleSaved(saved: SavedMeeting, change: InvitationChange) {
    if (saved.invitationError === null) {
      announceSaved(saved, stored ? 'updated' : 'created');
      if (stored) {
        onDone();
      } else {
        leave(paths.meetingQuestions(saved.meeting.id), { replace: true });
      }
      return;
    }
    keepStored(saved, change);
    refused.refuse({
      endUserIds: messageOf(saved.invitationError, 'Failed to add participants'),
      ...fieldErrorsOf(saved.invitationError),
    });
    const waits = form.getValues().status === 'ACTIVE' && saved.meeting.status !== 'ACTIVE';
    setInvitationFailure(
      `The meeting was saved, but its participants were not${waits ? ', so it was not started' : ''}. Please try again.`,
    );
    if (!stored) {
      toast.error('Meeting created but failed to add participants');
      onCreated?.();
    }
  }

  function storedErrors(submitted: MeetingFormValues, change: InvitationChange): Record<string, string> {
    const overLimit = limitError(submitted, change, activeCount);
    return {
      ...(overLimit ? { endUserIds: overLimit } : {}),
      ...restartErrors(submitted, stored?.meeting ?? null),
    };
  }

  /** Shows all errors at once: of the form's check, of the server's last refusal, and of what is stored. */
  function handleInvalid(found: typeof form.errors, submitted: MeetingFormValues) {
    setInvitationFailure(null);
    refused.merge(found, submitted);
    // The participants cannot be compared with a limit that is not a number.
    const errors = found.maxParticipants
      ? restartErrors(submitted, stored?.meeting ?? null)
      : storedErrors(submitted, invitationChange(invited, submitted));
    form.setErrors((current) => ({ ...current, ...errors }));
  }

  const handleSubmit = form.onSubmit((submitted) => {
    const change = invitationChange(invited, submitted);
    const errors = storedErrors(submitted, change);
    setInvitationFailure(null);
    if (Object.keys(errors).length > 0) {
      form.setErrors(errors);
      setInvitationFailure('Please check the marked fields.');
      return;
    }
    save.run(submitted, change);
  }, handleInvalid);

  const error = hasMissingField(form.errors)
    ? 'Please fill in all required fields'
    : (invitationFailure ?? save.errorOf(form.values));

  return { form, stored, invited, activeCount, handleSubmit, isBusy: save.isBusy, error };
}

function initialValuesOf(edited: EditedMeeting | null): MeetingFormValues {
  if (!edited) {
    return emptyMeeting;
  }
  const { isForAll, endUserIds } = edited.invited;
  return { ...fromMeeting(edited.meeting), isForAll, endUserIds };
}

/** The stored meeting that the next save is compared with. A partial save updates it. */
function useStoredMeeting(edited: EditedMeeting | null) {
  const [stored, setStored] = useState(edited);
  const invited = stored?.invited ?? nobodyInvited;

  function keepStored({ meeting, isRemovalDone, invitationError }: SavedMeeting, change: InvitationChange) {
    setStored({
      meeting,
      invited: {
        ...without(isRemovalDone ? change.remove : [], invited),
        // After a lost response, the server may have created the list anyway.
        hasList: invited.hasList || (change.add !== null && isUnanswered(invitationError)),
      },
      participants: [],
    });
  }

  /** People who were removed before the rest is stored: if that fails, choosing them again has to invite them again. */
  function keepRemoval({ remove }: InvitationChange) {
    setStored((last) => last && { ...last, invited: without(remove, last.invited) });
  }

  return { stored, invited, keepStored, keepRemoval };
}

function without(removed: string[], invited: Invited): Invited {
  const gone = new Set(removed);
  return {
    ...invited,
    isForAll: invited.isForAll && gone.size === 0,
    endUserIds: invited.endUserIds.filter((id) => !gone.has(id)),
  };
}

interface SaveHandlers {
  onError: (error: Error) => void;
  onSuccess: (saved: SavedMeeting, change: InvitationChange) => void;
  /** Called when people were removed, before the rest is stored. */
  onRemovedFirst: (change: InvitationChange) => void;
}

/** Creates the meeting, or updates the stored one. */
function useSaveMeeting(stored: Meeting | null, { onError, onSuccess, onRemovedFirst }: SaveHandlers) {
  const createMeeting = useCreateMeeting();
  const updateMeeting = useUpdateMeeting();
  const [mutation, failure] = stored
    ? [updateMeeting, 'Failed to update meeting']
    : [createMeeting, 'Failed to create meeting'];

  function run(values: MeetingFormValues, change: InvitationChange) {
    let isRemoved = false;
    const handlers = {
      onError: (error: Error) => {
        onError(error);
        if (isRemoved) {
          toast.info('The participants were removed, but saving the other changes failed.');
        }
      },
      onSuccess: (saved: SavedMeeting) => onSuccess(saved, change),
    };
    if (stored) {
      const body = toUpdateMeetingBody(values, stored);
      const markRemoved = () => {
        isRemoved = true;
        onRemovedFirst(change);
      };
      updateMeeting.mutate({ meetingId: stored.id, body, change, onRemovedFirst: markRemoved }, handlers);
    } else {
      createMeeting.mutate({ body: toCreateMeetingBody(values), change }, handlers);
    }
  }

  return {
    run,
    isBusy: createMeeting.isPending || updateMeeting.isPending,
    /** The error of the form as a whole. Errors of fields are shown at the fields. */
    errorOf: (values: MeetingFormValues) =>
      mutation.isError
        ? formErrorOf(mutation.error, failure, { ...values, ...quorumPaths(mutation.error) })
        : null,
  };
}

/** The refused parts of the quorum; each has a field. */
function quorumPaths(error: unknown): Record<string, string> {
  const paths = Object.entries(fieldErrorsOf(error)).filter(([path]) => path.startsWith('quorum.'));
  return Object.fromEntries(paths);
}

function announceSaved({ startError, isStartUnknown }: SavedMeeting, done: 'updated' | 'created') {
  if (startError === null) {
    toast.success(`Meeting ${done} successfully`);
  } else if (isStartUnknown) {
    toast.info(
      'The meeting was saved, but it is not known whether it was started, because the server did not respond. Please check its status.',
    );
  } else {
    toast.info('The meeting was saved, but not started.');
    toast.failure(startError, 'Failed to start meeting');
  }
}

/** The error of a restart without a confirmation: the server would refuse it after it had stored the rest. */
function restartErrors(
  { status, confirmsRestart }: MeetingFormValues,
  stored: Meeting | null,
): Record<string, string> {
  return stored && status === 'ACTIVE' && startsAgain(stored) && !confirmsRestart
    ? { confirmsRestart: 'Confirm this, or choose another status.' }
    : {};
}

/** The error of a choice over the limit, as far as it can be known before saving: not for groups, whose members count. */
function limitError(values: MeetingFormValues, change: InvitationChange, activeCount: number): string | null {
  const count = values.isForAll ? activeCount : values.endUserIds.length;
  const limit = limitOf(values);
  return change.add && values.groupIds.length === 0 && limit !== null && count > limit
    ? `The meeting has room for ${limit} participants`
    : null;
}
