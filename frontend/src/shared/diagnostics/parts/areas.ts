import { type Answer, codeOf } from '../run/answer';
import type { Run } from '../run/diagnostic';
import { beginningOfStream } from './stream-call';
import type { Refusal } from './token-attempts';

/** A read-only call that tests who has access. */
export interface Area {
  path: string;
  /** The place of the token: in the header of a call or of a stream, or in a stream's address. */
  by: 'call' | 'stream' | 'streamAddress';
}

export const calls = (...paths: string[]): Area[] => paths.map((path) => ({ path, by: 'call' }));

/** The live state and the stream of a meeting, with the token in each place that the server accepts. */
export function liveAreas(meetingId: string): Area[] {
  const state = `/sse/meetings/${meetingId}/state`;
  const stream = `/sse/meetings/${meetingId}/stream`;
  return [
    { path: state, by: 'call' },
    { path: state, by: 'streamAddress' },
    { path: stream, by: 'stream' },
    { path: stream, by: 'streamAddress' },
  ];
}

export function nameOf({ path, by }: Area): string {
  return `GET ${path}${by === 'streamAddress' ? '?token=…' : ''}`;
}

export function callArea(run: Run, { path, by }: Area, token: string | null): Promise<Answer> {
  if (by === 'call') {
    return run.own.as(token === null ? null : { token }).get(path);
  }
  if (by === 'stream' || token === null) {
    return beginningOfStream(path, token, run.signal);
  }
  return beginningOfStream(`${path}?token=${encodeURIComponent(token)}`, null, run.signal);
}

const WORDS_OF_ERRORS = ['error', 'message', 'code', 'fields'];

/** Describes an answer that is not the expected refusal; undefined if it is. */
export function wrongRefusal(answer: Answer, expected: Refusal): string | undefined {
  if (answer.status < 300) {
    return `was let in (${answer.status})`;
  }
  if (answer.status !== expected.status) {
    return `answered ${answer.status} instead of ${expected.status}`;
  }
  if (codeOf(answer) !== expected.code) {
    return `answered ${answer.status} with the code ${codeOf(answer) ?? 'none'} instead of ${expected.code}`;
  }
  const more = Object.keys(answer.body as object).filter((key) => !WORDS_OF_ERRORS.includes(key));
  return more.length > 0 ? `was refused, but still sent data (${more.join(', ')})` : undefined;
}
