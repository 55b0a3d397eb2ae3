import { causeOf, databaseSentence, databaseVerdict, type Route } from '../parts/slowness';
import { type Finding, type Verdict, worst } from '../run/finding';
import type { AssemblyFigures } from './measurements';

/** After a second without a response, people tap again and believe that voting does not work. */
const VOTE_RED_MS = 1000;
/** A response within half a second feels immediate. */
const VOTE_AMBER_MS = 500;
/** Members do not wait ten minutes to join a meeting that has begun. */
const SIGN_IN_RED_S = 600;
/** Longer than the chair's welcome: members must be asked to come early. */
const SIGN_IN_AMBER_S = 180;
/** Half of the usual countdown of two minutes. The server must not make voters late who take their time. */
const VOTE_ALL_AMBER_S = 60;
/** People notice that a screen is a second behind the chair's words. */
const EVENT_AMBER_MS = 1000;
/** The doors open at least this long before the start. */
const DOORS_MINUTES = 5;
/** People do not arrive evenly. The estimate assumes that for half of the time no one arrives. */
const UNEVENNESS = 2;

interface Reason {
  verdict: Exclude<Verdict, 'success'>;
  /** The observation, and the remedy. */
  text: string;
}

const ANSWERS: Record<Verdict, string> = {
  success: 'Ready.',
  warning: 'Ready, after the steps below.',
  error: 'Not ready.',
};

/** Judges whether an assembly of this size can be held on this server, and names the remedies. */
export function judged(figures: AssemblyFigures): Finding {
  const reasons = [
    ...correctnessReasons(figures),
    ...voteReasons(figures),
    ...signInReasons(figures),
    ...eventReasons(figures),
    ...databaseReasons(figures),
  ];
  const verdict = worst(reasons.map((reason) => reason.verdict));
  // The worst first: those must be fixed first.
  const ordered = [
    ...reasons.filter((reason) => reason.verdict === 'error'),
    ...reasons.filter((reason) => reason.verdict === 'warning'),
  ];
  const texts = ordered.map(({ text }) => text);
  const rest = verdict === 'error' ? [] : [measuredSentence(figures)];
  return { verdict, message: [ANSWERS[verdict], ...texts, ...rest].join(' '), details: figures };
}

function correctnessReasons({
  differences,
  serverErrors,
  failures,
  signIn,
  vote,
  load,
}: AssemblyFigures): Reason[] {
  const reasons: Reason[] = [];
  if (differences.length > 0) {
    reasons.push({
      verdict: 'error',
      text: `The counted or displayed results do not match the actions of the test: ${differences[0]} Do not vote on this server until the cause is known. Keep these figures for the server's operator.`,
    });
  }
  if (serverErrors.length > 0) {
    reasons.push({
      verdict: 'error',
      text: `The server failed while it was under load (${serverErrors.join('; ')}). Check its log and the memory and disk of its machine, and run this check again before the assembly.`,
    });
  }
  const lost = signIn.failed + load.failed + vote.failed;
  if (lost > 0 && failures.length > 0) {
    reasons.push({
      verdict: 'error',
      text: `Not everyone could take part: ${signIn.failed} could not sign in, ${load.failed} could not open the meeting, ${vote.failed} votes were not taken (${failures.join('; ')}).`,
    });
  }
  if (lost === 0 && failures.length > 0) {
    reasons.push({
      verdict: 'warning',
      text: `Some requests had to be repeated (${failures.join('; ')}). Check the network and any proxy for lost connections.`,
    });
  }
  return reasons;
}

function voteReasons({ vote, forecast, register, ...figures }: AssemblyFigures): Reason[] {
  const cause = causeOf(vote.p95, routeOf(figures));
  if (vote.p95 >= VOTE_AMBER_MS) {
    const isRed = vote.p95 >= VOTE_RED_MS;
    return [
      {
        verdict: isRed ? 'error' : 'warning',
        text: `Votes are ${isRed ? 'too slow' : 'slow'}: one in twenty takes ${vote.p95} ms or more. ${cause}`,
      },
    ];
  }
  const seconds = forecast.voteSeconds ?? 0;
  return seconds > VOTE_ALL_AMBER_S
    ? [
        {
          verdict: 'warning',
          text: `At ${vote.perSecond} votes per second it takes about ${inWords(seconds)} until all ${register} have voted. Leave each question open for at least ${minutes(seconds * UNEVENNESS)}.`,
        },
      ]
    : [];
}

function signInReasons({ signIn, forecast, register, roundTripMs }: AssemblyFigures): Reason[] {
  const seconds = forecast.signInSeconds ?? 0;
  if (seconds <= SIGN_IN_AMBER_S) {
    return [];
  }
  const doors = Math.max(DOORS_MINUTES, Math.ceil((seconds * UNEVENNESS) / 60));
  const bottleneck =
    roundTripMs >= signIn.p50 / 2
      ? `The connection from this browser to the server is slow (${roundTripMs} ms round trip). Run this check on the network of the hall.`
      : `Sign-ins are slow: each one checks a password on the server's processors (${signIn.p50} ms each, several at once). More or faster processors help.`;
  return [
    {
      verdict: seconds > SIGN_IN_RED_S ? 'error' : 'warning',
      text: `At ${signIn.perSecond} sign-ins per second it takes about ${inWords(seconds)} until all ${register} are signed in. ${bottleneck} Ask people to sign in early: open the doors of the meeting ${doors} minutes before it starts.`,
    },
  ];
}

function eventReasons({ event, count, ...figures }: AssemblyFigures): Reason[] {
  const slowest = Math.max(event.p95, count.p95);
  return slowest >= EVENT_AMBER_MS
    ? [
        {
          verdict: 'warning',
          text: `Screens are behind: they show each step up to ${slowest} ms late. ${causeOf(slowest, routeOf(figures))} Wait a moment after each step before you announce it.`,
        },
      ]
    : [];
}

/** Reports a slow database, even if it did not slow down the votes of so few voters. */
function databaseReasons({ vote, ...figures }: AssemblyFigures): Reason[] {
  const route = routeOf(figures);
  const verdict = databaseVerdict(route);
  return verdict === 'success' ? [] : [{ verdict, text: databaseSentence(route) }];
}

function routeOf({ databaseMs, roundTripMs }: Pick<AssemblyFigures, 'databaseMs' | 'roundTripMs'>): Route {
  return { databaseMs, healthMs: roundTripMs };
}

function measuredSentence({
  voters,
  register,
  signIn,
  vote,
  votesCounted,
  forecast,
}: AssemblyFigures): string {
  const counted = `${voters} simulated voters signed in (${signIn.perSecond} per second) and voted (${vote.perSecond} per second, 95 % within ${vote.p95} ms); all ${votesCounted} votes were counted as they were sent.`;
  const { signInSeconds, voteSeconds } = forecast;
  return signInSeconds === null || voteSeconds === null
    ? counted
    : `${counted} At that pace all ${register} are signed in after about ${inWords(signInSeconds)}, and a vote of all takes about ${inWords(voteSeconds)}.`;
}

function inWords(seconds: number): string {
  if (seconds <= 1) {
    return 'a second';
  }
  return seconds < 120 ? `${seconds} seconds` : minutes(seconds);
}

function minutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} minutes`;
}
