import { perSecond, type Timing, timingOf } from '../run/statistics';

/** How long some calls took, how many of them came to an end in a second, and how many failed for good. */
export interface Pace extends Timing {
  perSecond: number;
  failed: number;
}

export function paceOf(milliseconds: number[], failed: number, elapsedMs: number): Pace {
  return { ...timingOf(milliseconds), perSecond: perSecond(milliseconds.length, elapsedMs), failed };
}

/** What a simulated assembly measured. Times are in milliseconds where the name says nothing else. */
export interface AssemblyFigures {
  /** The voters of the simulation. */
  voters: number;
  /** How many may vote in the real meeting: what the forecast is for. */
  register: number;
  signIn: Pace;
  /** Finding and opening the meeting after the sign-in. */
  load: Pace;
  vote: Pace;
  /** From the organizer's request to the event on a screen. */
  event: Timing;
  /** From the answer to the last vote to the full count on a screen. */
  count: Timing;
  /** One request there and back that asks the database nothing. */
  roundTripMs: number;
  /** One statement there and back, as the server measures it. */
  databaseMs: number;
  /** Votes that the server has taken. */
  votesSent: number;
  /** Votes in the tallies. */
  votesCounted: number;
  /** What tallies and screens have otherwise than it was done, a sentence each. */
  differences: string[];
  /** Answers of 5xx, and how often each came. */
  serverErrors: string[];
  /** Other failures, and how often each came. */
  failures: string[];
  forecast: Forecast;
}

/** For the whole register at the pace that was measured; null where nothing was, because everything failed. */
export interface Forecast {
  signInSeconds: number | null;
  voteSeconds: number | null;
}

export function forecastFor(register: number, signIn: Pace, vote: Pace): Forecast {
  const secondsAt = ({ perSecond: pace }: Pace) => (pace > 0 ? Math.ceil(register / pace) : null);
  return { signInSeconds: secondsAt(signIn), voteSeconds: secondsAt(vote) };
}
