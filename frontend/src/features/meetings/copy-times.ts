import type { Meeting } from '../../api/types';
import { toLocalTime } from './meeting-form';

const DAYS_OF_WEEK = 7;

/** The times of a copy, for date-time fields: the same time of day, the first week after both the original and now. */
export function copyTimes(
  { scheduledStartTime, scheduledEndTime }: Pick<Meeting, 'scheduledStartTime' | 'scheduledEndTime'>,
  now = Date.now(),
) {
  let days = DAYS_OF_WEEK;
  while (daysLater(scheduledStartTime, days).getTime() < now) {
    days += DAYS_OF_WEEK;
  }
  return {
    scheduledStartTime: toLocalTime(daysLater(scheduledStartTime, days).toISOString()),
    scheduledEndTime: toLocalTime(daysLater(scheduledEndTime, days).toISOString()),
  };
}

/** By the calendar: a day on which the clocks change has 23 or 25 hours. */
function daysLater(instant: string, days: number): Date {
  const date = new Date(instant);
  date.setDate(date.getDate() + days);
  return date;
}
