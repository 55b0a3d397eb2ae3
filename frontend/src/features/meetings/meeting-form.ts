import * as z from 'zod/mini';
import type { CreateMeetingBody, Meeting, UpdateMeetingBody } from '../../api/types';
import { filledUpTo, upTo } from '../../shared/form-checks';
import { numberOf, numberProblem, wholeNumber } from '../../shared/number-text';
import {
  fromQuorum,
  noQuorum,
  type QuorumFields,
  quorumIssues,
  toMeetingQuorum,
} from '../../shared/terms/quorum-form';
import { type TemplateName, templateQuestions } from './templates';

const MISSING = 'Required';

export const participantsRule = wholeNumber(
  2_147_483_647,
  'Must be a whole number of at least 1, or empty for no limit.',
);

/** A required date-time field. */
export function localTime() {
  return z.string().check(
    z.minLength(1, { error: MISSING }),
    z.refine((value) => value === '' || isOnTheClock(value), {
      error: 'The clocks skip this time: they are put forward on that day',
    }),
  );
}

export const meetingFormSchema = z
  .object({
    /** Only for a new meeting. */
    template: z.custom<TemplateName>(),
    title: filledUpTo(200, MISSING),
    description: upTo(5_000),
    /** The value of a date-time field: local time, without seconds. */
    scheduledStartTime: localTime(),
    scheduledEndTime: localTime(),
    status: z.enum(['DRAFT', 'SCHEDULED', 'ACTIVE', 'COMPLETED', 'CANCELLED']),
    /** As typed; empty for no limit. */
    maxParticipants: z.string().check(
      z.refine((text) => numberProblem(text, participantsRule) === null, {
        error: participantsRule.wanted,
      }),
    ),
    isRecurring: z.boolean(),
    recurringPattern: upTo(200),
    quorum: z.custom<QuorumFields>(),
    countsSurveysAtEnd: z.boolean(),
    hasCheckIn: z.boolean(),
    selfCheckIn: z.boolean(),
    confirmsRestart: z.boolean(),
    isForAll: z.boolean(),
    endUserIds: z.array(z.string()),
    groupIds: z.array(z.string()),
    /** Null for the ordinary voting weight. */
    weightKindId: z.nullable(z.string()),
  })
  .check(
    z.refine(
      (values) =>
        !values.scheduledStartTime ||
        !values.scheduledEndTime ||
        values.scheduledEndTime > values.scheduledStartTime,
      {
        path: ['scheduledEndTime'],
        error: 'The end must be after the start',
      },
    ),
    ({ value, issues }) => {
      for (const [path, message] of Object.entries(quorumIssues(value.quorum))) {
        issues.push({ code: 'custom', path: [path], message, input: value });
      }
    },
  );

export type MeetingFormValues = z.infer<typeof meetingFormSchema>;

/** Whether the local time exists. An hour that is skipped in spring would be stored as another one. */
function isOnTheClock(value: string): boolean {
  return !Number.isNaN(Date.parse(value)) && toLocalTime(toInstant(value)) === value.slice(0, 16);
}

/** Whether a required field is empty. */
export function hasMissingField(errors: Record<string, unknown>): boolean {
  return Object.values(errors).includes(MISSING);
}

/** Converts "2026-11-21T14:05" in this device's time zone to an instant. */
export function toInstant(localTime: string): string {
  return new Date(localTime.slice(0, 16)).toISOString();
}

/** Converts an instant to the value of a date-time field: local time, without seconds. */
export function toLocalTime(instant: string): string {
  const date = new Date(instant);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export const emptyMeeting: MeetingFormValues = {
  template: 'blank',
  title: '',
  description: '',
  scheduledStartTime: '',
  scheduledEndTime: '',
  status: 'DRAFT',
  maxParticipants: '',
  isRecurring: false,
  recurringPattern: '',
  quorum: noQuorum,
  countsSurveysAtEnd: true,
  hasCheckIn: false,
  selfCheckIn: false,
  confirmsRestart: false,
  isForAll: true,
  endUserIds: [],
  groupIds: [],
  weightKindId: null,
};

/** The field values of a meeting; its participants are loaded separately. */
export function fromMeeting(meeting: Meeting): Omit<MeetingFormValues, 'isForAll' | 'endUserIds'> {
  return {
    template: 'blank',
    title: meeting.title,
    description: meeting.description ?? '',
    scheduledStartTime: toLocalTime(meeting.scheduledStartTime),
    scheduledEndTime: toLocalTime(meeting.scheduledEndTime),
    status: meeting.status,
    maxParticipants: meeting.maxParticipants?.toString() ?? '',
    isRecurring: meeting.isRecurring,
    recurringPattern: meeting.recurringPattern ?? '',
    quorum: fromQuorum(meeting.quorum),
    countsSurveysAtEnd: meeting.countsSurveysAtEnd,
    hasCheckIn: meeting.checkIn === 'ON',
    selfCheckIn: meeting.selfCheckIn,
    confirmsRestart: false,
    groupIds: meeting.groupIds,
    weightKindId: meeting.weightKindId,
  };
}

/** The limit of participants; null for no limit. */
export function limitOf({ maxParticipants }: Pick<MeetingFormValues, 'maxParticipants'>): number | null {
  return maxParticipants.trim() === '' ? null : numberOf(maxParticipants, participantsRule);
}

export function toCreateMeetingBody(values: MeetingFormValues): CreateMeetingBody {
  const description = values.description.trim();
  const recurringPattern = values.recurringPattern.trim();
  const maxParticipants = limitOf(values);
  const quorum = toMeetingQuorum(values.quorum);
  return {
    title: values.title.trim(),
    scheduledStartTime: toInstant(values.scheduledStartTime),
    scheduledEndTime: toInstant(values.scheduledEndTime),
    status: values.status,
    isRecurring: values.isRecurring,
    ...(values.countsSurveysAtEnd ? {} : { countsSurveysAtEnd: false }),
    ...(values.hasCheckIn ? { checkIn: 'ON' as const, selfCheckIn: values.selfCheckIn } : {}),
    ...(description ? { description } : {}),
    ...(maxParticipants === null ? {} : { maxParticipants }),
    ...(values.isRecurring && recurringPattern ? { recurringPattern } : {}),
    ...(quorum ? { quorum } : {}),
    ...(values.groupIds.length > 0 ? { groupIds: values.groupIds } : {}),
    ...(values.weightKindId === null ? {} : { weightKindId: values.weightKindId }),
    ...templateQuestions(values.template),
  };
}

/**
 * Only the changed values. A form opened before the meeting was started must not set the old status, which would end
 * the running vote.
 */
export function toUpdateMeetingBody(values: MeetingFormValues, meeting: Meeting): UpdateMeetingBody {
  const before = fromMeeting(meeting);
  const quorum = toMeetingQuorum(values.quorum);
  const hasQuorumChanged = JSON.stringify(quorum) !== JSON.stringify(toMeetingQuorum(before.quorum));
  const hasOtherGroups = [...values.groupIds].sort().join() !== [...before.groupIds].sort().join();
  const has = (field: keyof typeof before) => values[field] !== before[field];
  return {
    ...(has('title') ? { title: values.title.trim() } : {}),
    ...(has('description') ? { description: values.description.trim() || null } : {}),
    ...(has('scheduledStartTime') ? { scheduledStartTime: toInstant(values.scheduledStartTime) } : {}),
    ...(has('scheduledEndTime') ? { scheduledEndTime: toInstant(values.scheduledEndTime) } : {}),
    ...(has('status') ? { status: values.status } : {}),
    ...(has('status') && values.status === 'ACTIVE' && values.confirmsRestart
      ? { confirmRestart: true }
      : {}),
    ...(has('maxParticipants') ? { maxParticipants: limitOf(values) } : {}),
    ...(has('isRecurring') ? { isRecurring: values.isRecurring } : {}),
    ...(has('recurringPattern') ? { recurringPattern: values.recurringPattern.trim() || null } : {}),
    ...(hasQuorumChanged ? { quorum } : {}),
    ...(hasOtherGroups ? { groupIds: values.groupIds } : {}),
    ...(has('weightKindId') ? { weightKindId: values.weightKindId } : {}),
    ...(has('countsSurveysAtEnd') ? { countsSurveysAtEnd: values.countsSurveysAtEnd } : {}),
    ...(has('hasCheckIn') ? { checkIn: values.hasCheckIn ? ('ON' as const) : ('OFF' as const) } : {}),
    ...(has('selfCheckIn') ? { selfCheckIn: values.selfCheckIn } : {}),
  };
}
