import { type Answer, sentenceOf } from '../run/answer';

/** Counts failures, by action and response. */
export class Mishaps {
  readonly #server = new Map<string, number>();
  readonly #others = new Map<string, number>();

  /** `answer` is null if there was no response. */
  note(doing: string, answer: Answer | null): void {
    const isServer = answer !== null && answer.status >= 500;
    const how = answer === null ? 'no answer came' : `answered ${answer.status}${sentenceOf(answer)}`;
    const counts = isServer ? this.#server : this.#others;
    const what = `${doing}: ${how}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  /** "3 × Voting: answered 503: …", for responses of 5xx only. */
  get serverErrors(): string[] {
    return sentencesOf(this.#server);
  }

  get others(): string[] {
    return sentencesOf(this.#others);
  }
}

function sentencesOf(counts: Map<string, number>): string[] {
  return [...counts].map(([what, number]) => `${number} × ${what}`);
}
