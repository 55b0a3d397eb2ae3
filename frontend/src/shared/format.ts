const LOCALE = 'en-GB';
const NBSP = '\u00a0';

/** Follows a number on the same line. */
export const PERCENT_SIGN = `${NBSP}%`;

/** The same for a sentence from the server. */
export function withWholePercents(sentence: string): string {
  return sentence.replaceAll(' %', PERCENT_SIGN);
}

/** "21 Nov, 14:05", with the year if it is not the current one. */
export function formatDateTime(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return `${formatDay(date, now)}, ${formatTime(iso)}`;
}

/** "21 Nov, 14:05:09", with the year if it is not the current one. */
export function formatDateSeconds(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const time = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return `${formatDay(date, now)}, ${time.format(date)}`;
}

/** "14:05" */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
}

/** "21 Nov 2026" */
export function formatDate(iso: string): string {
  return new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(iso),
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "Just now", "12 min ago"; "21 Nov, 14:05" if older than an hour. */
export function formatRecent(iso: string, now = new Date()): string {
  const age = now.getTime() - new Date(iso).getTime();
  // This device's clock may be behind the server's.
  if (Math.abs(age) < MINUTE_MS) {
    return 'Just now';
  }
  return age > 0 && age < HOUR_MS ? `${Math.floor(age / MINUTE_MS)} min ago` : formatDateTime(iso, now);
}

/** "Saturday, 21 November 2026 at 14:05:09", with every detail. */
export function formatExact(iso: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium' }).format(new Date(iso));
}

/** "Saturday, 21 November 2026 at 14:05", in a sentence. */
export function formatLongDateTime(iso: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(iso));
}

function formatDay(date: Date, now: Date): string {
  return new Intl.DateTimeFormat(LOCALE, {
    day: 'numeric',
    month: 'short',
    ...(date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(date);
}

/** "21 Nov, 14:05 – 16:00", or both days if they differ. */
export function formatPeriod(startIso: string, endIso: string, now = new Date()): string {
  const sameDay = new Date(startIso).toDateString() === new Date(endIso).toDateString();
  const start = formatDateTime(startIso, now);
  const end = sameDay ? formatTime(endIso) : formatDateTime(endIso, now);
  // A line may break between the two, not inside one.
  return `${start.replaceAll(' ', NBSP)}${NBSP}– ${end.replaceAll(' ', NBSP)}`;
}

const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 });

/** A count or a weight, with all its decimals. */
export function formatNumber(value: number): string {
  return number.format(value);
}

/** The sum of weights, with one decimal as in the specification. */
export function formatTotalWeight(value: number): string {
  return new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}

/** "75 seconds" as "1:15". */
export function formatElapsed(totalSeconds: number): string {
  const seconds = Math.max(0, Math.floor(totalSeconds));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const padded = (part: number) => String(part).padStart(2, '0');
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(seconds % 60)}`
    : `${minutes}:${padded(seconds % 60)}`;
}

/** 1 → "1 participant", 2 → "2 participants". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}
