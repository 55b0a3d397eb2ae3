/** "Europe/Berlin (UTC+1)": the zone of this device, with its offset at that time (summer has another one). */
export function timeZoneAt(date: Date): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const offset = offsetText(-date.getTimezoneOffset());
  return zone && zone !== 'UTC' ? `${zone} (${offset})` : offset;
}

/** 60 → "UTC+1", 330 → "UTC+5:30". */
export function offsetText(offset: number): string {
  // Before time zones, offsets were not whole minutes. Half-typed years are among those dates.
  const minutes = Math.round(offset);
  if (minutes === 0) {
    return 'UTC';
  }
  const sign = minutes < 0 ? '\u2212' : '+';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/**
 * The time zone of a form's times: the one at the start, and another one at the end if the clocks change in between.
 */
export function timeZoneNote(startTime: string, endTime: string): string {
  const start = startTime ? new Date(startTime) : new Date();
  const end = endTime ? new Date(endTime) : start;
  const note = `Times are in ${timeZoneAt(start)}`;
  const changes = start.getTimezoneOffset() !== end.getTimezoneOffset();
  return changes ? `${note}, the end in ${offsetText(-end.getTimezoneOffset())}` : note;
}
