import type { RehearsalReport } from '../../api/types';
import { formatElapsed, formatNumber, formatTime } from '../../shared/format';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** From here on, tenths of a second do not matter. */
const WHOLE_SECONDS_FROM_MS = 10 * SECOND_MS;
/** A longer delay makes people doubt that it works. */
const SLOW_MS = 2 * SECOND_MS;

/** "0.4 s", "12 s", "1:15 min"; a dash without a measurement. */
export function delayWords(milliseconds: number | null): string {
  if (milliseconds === null) {
    return '–';
  }
  if (milliseconds >= MINUTE_MS) {
    return `${formatElapsed(milliseconds / SECOND_MS)} min`;
  }
  return milliseconds >= WHOLE_SECONDS_FROM_MS
    ? `${Math.floor(milliseconds / SECOND_MS)} s`
    : `${(milliseconds / SECOND_MS).toFixed(1)} s`;
}

/** The state of the rehearsal. */
export function standingWords(rehearsal: RehearsalReport['rehearsal']): string {
  if (rehearsal === null) {
    return 'No rehearsal has been held yet.';
  }
  const { startedAt, endedAt, startedBy } = rehearsal;
  return endedAt === null
    ? `Running since ${formatTime(startedAt)}, started by ${startedBy}.`
    : `Held from ${formatTime(startedAt)} to ${formatTime(endedAt)}, started by ${startedBy}.`;
}

/** The conclusions from the figures, and the remedies: a sentence each. */
export function advice({ rehearsal, counts, received }: RehearsalReport): string[] {
  const { invited, answered, absent, neverSignedIn } = counts;
  const silent = silentOf(counts);
  if (invited === 0) {
    return ['Nobody may vote in this meeting: invite people first.'];
  }
  if (rehearsal === null) {
    return [
      `${areOf(silent)} connected now. Start the rehearsal when everybody who can be there has opened the meeting.`,
    ];
  }
  if (answered === invited) {
    return ['Everybody has answered: all phones work.', ...slownessWords(received)];
  }
  return [
    ...(silent > 0
      ? [
          `${areOf(silent)} connected but did not answer: ask them to reload the page and to tap “I see this”.`,
        ]
      : []),
    ...(absent > 0
      ? [`${areOf(absent)} not connected: ask them to sign in and to open the meeting on their phone.`]
      : []),
    ...(neverSignedIn > 0
      ? [
          `${formatNumber(neverSignedIn)} ${neverSignedIn === 1 ? 'has' : 'have'} never signed in: check that they have their invitation, their username and their password.`,
        ]
      : []),
    ...slownessWords(received),
  ];
}

/** Whether the devices can seal secret ballots by themselves. */
export function sealingWords({ rehearsal, counts, cannotSeal }: RehearsalReport): string {
  if (cannotSeal > 0) {
    const devices = cannotSeal === 1 ? '1 device' : `${formatNumber(cannotSeal)} devices`;
    return `${devices} cannot seal a ballot, mostly because Plenum was opened over http. The server seals ${cannotSeal === 1 ? 'its ballot' : 'their ballots'} on arrival, and the voter is told so.`;
  }
  return rehearsal !== null && counts.received + counts.answered > 0
    ? 'All devices in the rehearsal can seal a ballot.'
    : 'A rehearsal shows whether the devices can seal a ballot.';
}

function slownessWords({ p95Ms }: RehearsalReport['received']): string[] {
  return p95Ms !== null && p95Ms >= SLOW_MS
    ? [
        `The slowest phones got the rehearsal only ${delayWords(p95Ms)} after its start. Their people opened the meeting late, or their network is slow: if they were there before, look at the Wi-Fi of the room.`,
      ]
    : [];
}

function areOf(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'is' : 'are'}`;
}

/** The people who connected but did not answer, even if the rehearsal has not reached their phone. */
export function silentOf({ received, connected }: RehearsalReport['counts']): number {
  return received + connected;
}
