import { type Answer, sentenceOf } from '../run/answer';
import { several } from '../run/several';
import { type Injection, SLEEP_MS } from './injections';

/** A place in a request that takes a text. */
export interface Place {
  name: string;
  send: (text: string) => Promise<Answer>;
  /** The statuses documented for a missing thing, an invalid value, or plain text. */
  allowed: number[];
  /** Returns another error in an answer of such a status. */
  check?: (answer: Answer, text: string) => string | null;
}

export interface InjectionProblem {
  place: string;
  kind: Injection['kind'];
  text: string;
  problem: string;
  /** Whether the text was executed, or made the server fail. */
  isHole: boolean;
}

export interface Injected {
  calls: number;
  problems: InjectionProblem[];
}

const HARMLESS = 'TEST_harmless';
const AT_ONCE = 4;
/** The delay over a harmless text from which an injected sleep counts as executed. */
const LATE_MS = SLEEP_MS * 0.75;
/** A single slow answer may be chance. */
const LATE_ATTEMPTS = 3;

export async function injectInto(place: Place, injections: Injection[], outcome: Injected): Promise<void> {
  const usual = await place.send(HARMLESS);
  outcome.calls += 1;
  await several(injections, AT_ONCE, async (injection) => {
    const answer = await place.send(injection.text);
    outcome.calls += 1;
    const found =
      problemWith(place, answer, injection) ?? (await delayOf(place, answer, usual.ms, injection));
    if (found) {
      outcome.problems.push({ place: place.name, ...injection, ...found });
    }
  });
}

type Found = Pick<InjectionProblem, 'problem' | 'isHole'> | null;

export function problemWith({ allowed, check }: Place, answer: Answer, { text }: Injection): Found {
  const { status } = answer;
  if (status >= 500) {
    return { problem: `the server failed with ${status}${sentenceOf(answer)}`, isHole: true };
  }
  if (!allowed.includes(status)) {
    return { problem: `answered ${status} instead of ${allowed.join(' or ')}`, isHole: status < 400 };
  }
  const problem = check?.(answer, text) ?? null;
  return problem === null ? null : { problem, isHole: true };
}

async function delayOf(place: Place, first: Answer, usual: number, injection: Injection): Promise<Found> {
  if (injection.kind !== 'sleeping') {
    return null;
  }
  let { ms } = first;
  for (let attempt = 1; ms >= usual + LATE_MS; attempt += 1) {
    if (attempt === LATE_ATTEMPTS) {
      const problem = `was answered after ${Math.round(ms)} ms, a harmless text after ${Math.round(usual)} ms: the database executed the pause`;
      return { problem, isHole: true };
    }
    ({ ms } = await place.send(injection.text));
  }
  return null;
}

/** For lists: every row that a search returns must contain the text. */
export function onlyRowsWith(answer: Answer, text: string): string | null {
  const rows = (answer.body as { data?: unknown }).data;
  if (!Array.isArray(rows)) {
    return 'the answer is not a list';
  }
  const wanted = text.toLowerCase();
  const others = rows.filter((row) => !textsIn(row).some((one) => one.toLowerCase().includes(wanted)));
  return others.length > 0 ? `listed ${others.length} rows that do not contain the text` : null;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
