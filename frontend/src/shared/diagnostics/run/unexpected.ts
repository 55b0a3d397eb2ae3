import { type Answer, sentenceOf } from './answer';

/** The server's answer does not allow the test to go on. The message is for people. */
export class Unexpected extends Error {
  readonly answer: Answer | null;

  constructor(message: string, answer: Answer | null = null) {
    super(message);
    this.name = 'Unexpected';
    this.answer = answer;
  }
}

/** Returns the answer's body. Throws `Unexpected` if the status is not an expected one. */
export function bodyOf<T>(answer: Answer, ...expected: number[]): T {
  if (!expected.includes(answer.status)) {
    throw new Unexpected(
      `${answer.call} answered ${answer.status} instead of ${expected.join(' or ')}${sentenceOf(answer)}`,
      answer,
    );
  }
  return answer.body as T;
}
