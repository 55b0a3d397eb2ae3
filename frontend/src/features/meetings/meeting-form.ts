import * as z from 'zod/mini';
import type { CreateMeetingBody } from '../../api/types';
import type { Invitation } from './mutations';

const MISSING = 'Required';

export const createMeetingFormSchema = z
  .object({
    title: z.string().check(z.trim(), z.minLength(1, { error: MISSING })),
    description: z.string(),
    /** What a date-time field holds: local time, cut to the minute. */
    scheduledStartTime: z.string().check(z.minLength(1, { error: MISSING })),
    scheduledEndTime: z.string().check(z.minLength(1, { error: MISSING })),
    status: z.enum(['DRAFT', 'SCHEDULED', 'ACTIVE', 'COMPLETED', 'CANCELLED']),
    // A number field that was emptied holds '': no limit.
    maxParticipants: z.union([z.number(), z.string()]),
    isRecurring: z.boolean(),
    recurringPattern: z.string(),
    isForAll: z.boolean(),
    endUserIds: z.array(z.string()),
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
  );

export type CreateMeetingFormValues = z.infer<typeof createMeetingFormSchema>;

/** True where one of the fields that must be filled in is not. */
export function hasMissingField(errors: Record<string, unknown>): boolean {
  return Object.values(errors).includes(MISSING);
}

/** "2026-11-21T14:05" of this device's time zone as an instant. */
export function toInstant(localTime: string): string {
  return new Date(localTime.slice(0, 16)).toISOString();
}

export function toCreateMeetingBody(values: CreateMeetingFormValues): CreateMeetingBody {
  const description = values.description.trim();
  const recurringPattern = values.recurringPattern.trim();
  const maxParticipants = Number.parseInt(String(values.maxParticipants), 10);
  return {
    title: values.title.trim(),
    scheduledStartTime: toInstant(values.scheduledStartTime),
    scheduledEndTime: toInstant(values.scheduledEndTime),
    status: values.status,
    isRecurring: values.isRecurring,
    ...(description ? { description } : {}),
    ...(Number.isNaN(maxParticipants) ? {} : { maxParticipants }),
    ...(values.isRecurring && recurringPattern ? { recurringPattern } : {}),
  };
}

export function toInvitation(values: CreateMeetingFormValues): Invitation {
  return values.isForAll ? { addAllActive: true } : { endUserIds: values.endUserIds };
}
