import { perSecond, type Timing, timingOf } from '../run/statistics';

/** The latencies of some calls, their throughput per second, and the number that failed for good. */
export interface Pace extends Timing {
  perSecond: number;
  failed: number;
}

export function paceOf(milliseconds: number[], failed: number, elapsedMs: number): Pace {
  return { ...timingOf(milliseconds), perSecond: perSecond(milliseconds.length, elapsedMs), failed };
}

/** The measurements of a simulated assembly. Times are in milliseconds unless the name says otherwise. */
export interface AssemblyFigures {
  /** The number of simulated voters. */
  voters: number;
  /** The number of people who may vote in the real meeting. The forecast is made for it. */
  register: number;
  signIn: Pace;
  /** Finding and opening the meeting after the sign-in. */
  load: Pace;
  vote: Pace;
  /** From the organizer's request to the event on a screen. */
  event: Timing;
  /** From the answer to the last vote to the full count on a screen. */
  count: Timing;
  /** One round trip of a request that does not use the database. */
  roundTripMs: number;
  /** One round trip of a statement, as the server measures it. */
  databaseMs: number;
  /** The number of votes that the server accepted. */
  votesSent: number;
  /** The number of votes in the tallies. */
  votesCounted: number;
  /** The differences between the sent votes and the tallies or screens, a sentence each. */
  differences: string[];
  /** The responses of 5xx, each with its count. */
  serverErrors: string[];
  /** The other failures, each with its count. */
  failures: string[];
  forecast: Forecast;
}

/**
 * The time for the whole register at the measured throughput. Null if nothing was measured because everything failed.
 */
export interface Forecast {
  signInSeconds: number | null;
  voteSeconds: number | null;
}

export function forecastFor(register: number, signIn: Pace, vote: Pace): Forecast {
  const secondsAt = ({ perSecond: pace }: Pace) => (pace > 0 ? Math.ceil(register / pace) : null);
  return { signInSeconds: secondsAt(signIn), voteSeconds: secondsAt(vote) };
}
