import { throwIfAborted } from '../../../api/abort';
import { type Answer, codeOf, sentenceOf } from '../run/answer';
import type { Run } from '../run/diagnostic';

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Describes an answer with an unexpected status, without a full stop; null if the status is the expected one. */
export function refusalIn(answer: Answer, expected: number): string | null {
  if (answer.status === expected) {
    return null;
  }
  const code = codeOf(answer);
  const call = answer.call.replaceAll(ID, '{id}');
  return `${call} answered ${answer.status}${code ? ` ${code}` : ''}${sentenceOf(answer).replace(/\.$/, '')}`;
}

/** The message of an error, for people. Rethrows if the test was only stopped. */
export function problemIn(error: unknown, { signal }: Run): string {
  throwIfAborted(signal);
  return error instanceof Error && error.message ? error.message : 'Unknown error';
}
