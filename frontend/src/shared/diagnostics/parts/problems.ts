import { throwIfAborted } from '../../abort';
import { type Answer, codeOf, sentenceOf } from '../run/answer';
import type { Run } from '../run/diagnostic';

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Why an answer is another one than expected, to stand before a full stop; null where it is not. */
export function refusalIn(answer: Answer, expected: number): string | null {
  if (answer.status === expected) {
    return null;
  }
  const code = codeOf(answer);
  const call = answer.call.replaceAll(ID, '{id}');
  return `${call} answered ${answer.status}${code ? ` ${code}` : ''}${sentenceOf(answer).replace(/\.$/, '')}`;
}

/** What went wrong, for people; rethrows where the test was only stopped. */
export function problemIn(error: unknown, { signal }: Run): string {
  throwIfAborted(signal);
  return error instanceof Error && error.message ? error.message : 'Unknown error';
}
