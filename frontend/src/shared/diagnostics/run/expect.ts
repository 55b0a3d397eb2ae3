import { type Answer, codeOf } from './answer';
import { bodyOf, Unexpected } from './unexpected';

/** Returns the answer if it is the expected refusal: this status, this code, and a message at these fields. */
export function refused(
  answer: Answer,
  status: number,
  code?: string | readonly string[],
  fields: readonly string[] = [],
): Answer {
  bodyOf(answer, status);
  const found = codeOf(answer);
  const wanted = code === undefined ? [] : [code].flat();
  if (wanted.length > 0 && !wanted.includes(found ?? '')) {
    throw new Unexpected(
      `${answer.call} was refused with the code ${found ?? '(none)'} instead of ${wanted.join(' or ')}`,
      answer,
    );
  }
  const named = Object.keys((answer.body as { fields?: object } | undefined)?.fields ?? {});
  const missing = fields.filter((field) => !named.includes(field));
  if (missing.length > 0) {
    throw new Unexpected(`${answer.call} was refused without naming ${missing.join(', ')}`, answer);
  }
  return answer;
}

/** Throws if a value differs from the wanted one. Compares as JSON does. */
export function same(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Unexpected(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  }
}

/** Throws if a condition does not hold. `sentence` describes the error. */
export function hold(condition: boolean, sentence: string, answer: Answer | null = null): void {
  if (!condition) {
    throw new Unexpected(sentence, answer);
  }
}
