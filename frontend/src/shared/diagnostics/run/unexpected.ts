import { type Answer, sentenceOf } from './answer';

/** The server answered otherwise than a test needs in order to go on. Its message is for people. */
export class Unexpected extends Error {
  readonly answer: Answer | null;

  constructor(message: string, answer: Answer | null = null) {
    super(message);
    this.name = 'Unexpected';
    this.answer = answer;
  }
}

/** The answer's body; `Unexpected` where the status is another one. */
export function bodyOf<T>(answer: Answer, ...expected: number[]): T {
  if (!expected.includes(answer.status)) {
    throw new Unexpected(
      `${answer.call} answered ${answer.status} instead of ${expected.join(' or ')}${sentenceOf(answer)}`,
      answer,
    );
  }
  return answer.body as T;
}
