import { ApiError } from '../../api/api-error';
import type { Ballot } from './ballot';

/** Why a ballot was not counted. `round_replaced`: it was made for a round that another one has followed. */
export type Refusal =
  | 'already_voted'
  | 'round_not_open'
  | 'not_in_register'
  | 'invalid_ballot'
  | 'round_replaced'
  | 'other';

export type Delivery =
  | { state: 'idle' }
  /** `isDelayed`: at least one try failed; whether the server has the vote is not known. */
  | { state: 'sending'; ballot: Ballot; isDelayed: boolean }
  | { state: 'stored'; ballot: Ballot; castAt: string | null }
  | { state: 'refused'; ballot: Ballot; refusal: Refusal; message: string | null };

export interface StoredVote {
  answers: string[];
  castAt: string | null;
}

export interface DeliveryPorts {
  /** Hands the ballot in; throws an `ApiError` when there was no answer, or a refusal. */
  send: (ballot: Ballot, signal: AbortSignal) => Promise<StoredVote>;
  /** What the server holds for this voter and question; null for nothing. */
  find: (ballot: Ballot) => Promise<StoredVote | null>;
  /** False once another round of the same question is known to be open: this ballot must not get into it. */
  isItsRound: (ballot: Ballot) => boolean;
  onChange: (delivery: Delivery) => void;
}

const ANSWER_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** Phones that lost the same server must not all come back in the same instant. */
const PAUSE_SPREAD = 0.5;

const REFUSALS: Partial<Record<string, Refusal>> = {
  already_voted: 'already_voted',
  round_not_open: 'round_not_open',
  not_in_register: 'not_in_register',
  invalid_ballot: 'invalid_ballot',
};

/** No decision: the same ballot is sent again. 401 too, for it waits until the person signed in anew. */
function isUndecided(error: unknown): boolean {
  return (
    !(error instanceof ApiError) ||
    error.status === 0 ||
    error.status === 401 ||
    error.status === 408 ||
    error.status === 429 ||
    error.status >= 500
  );
}

function sameAnswers(left: string[], right: string[]): boolean {
  return left.length === right.length && left.every((answer) => right.includes(answer));
}

/**
 * Brings one ballot to the server, and says "stored" or "refused" only when the server said so. An answer that is
 * lost leaves open whether the vote counts; the same content is sent again until an answer arrives, and the server
 * answers a repeat as it answered the first time.
 */
export class BallotDelivery {
  readonly #ports: DeliveryPorts;
  #delivery: Delivery = { state: 'idle' };
  #isStopped = false;
  #endPause: (() => void) | null = null;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** Does nothing while another ballot is on its way. */
  deliver(ballot: Ballot, { isResumed = false } = {}): void {
    if (this.#delivery.state !== 'sending') {
      void this.#run(ballot, isResumed);
    }
  }

  /** The connection is back: no reason to wait for the next try. */
  wake(): void {
    this.#endPause?.();
  }

  /** The voter has seen how it ended. */
  dismiss(): void {
    if (this.#delivery.state !== 'sending') {
      this.#set({ state: 'idle' });
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#endPause?.();
  }

  async #run(ballot: Ballot, isResumed: boolean): Promise<void> {
    let isUncertain = isResumed;
    let pauseMs = FIRST_PAUSE_MS;
    this.#set({ state: 'sending', ballot, isDelayed: isResumed });
    while (!this.#isStopped) {
      const outcome = await this.#try(ballot, isUncertain);
      if (this.#isStopped) {
        return;
      }
      if (!(outcome instanceof Error)) {
        this.#set(outcome);
        return;
      }
      isUncertain = true;
      this.#set({ state: 'sending', ballot, isDelayed: true });
      const askedMs = outcome instanceof ApiError ? (outcome.retryAfterSeconds ?? 0) * 1_000 : 0;
      await this.#pause(Math.max(askedMs, pauseMs) * (1 + Math.random() * PAUSE_SPREAD), askedMs === 0);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** How it ended, or the error that left it undecided. */
  async #try(ballot: Ballot, isUncertain: boolean): Promise<Delivery | Error> {
    if (!this.#ports.isItsRound(ballot)) {
      return { state: 'refused', ballot, refusal: 'round_replaced', message: null };
    }
    try {
      const vote = await this.#send(ballot);
      return { state: 'stored', ballot: { ...ballot, answers: vote.answers }, castAt: vote.castAt };
    } catch (error) {
      if (isUndecided(error)) {
        return error instanceof Error ? error : new Error('The vote could not be sent.');
      }
      return this.#refusalOf(ballot, error as ApiError, isUncertain);
    }
  }

  async #send(ballot: Ballot): Promise<StoredVote> {
    const timeout = new AbortController();
    const timer = window.setTimeout(() => timeout.abort(), ANSWER_TIMEOUT_MS);
    try {
      return await this.#ports.send(ballot, timeout.signal);
    } finally {
      window.clearTimeout(timer);
    }
  }

  async #refusalOf(ballot: Ballot, error: ApiError, isUncertain: boolean): Promise<Delivery | Error> {
    const refusal = REFUSALS[error.code] ?? 'other';
    // After a lost answer the refusal is of this repeat only: the first try may well have been counted.
    if (refusal === 'round_not_open' && isUncertain) {
      try {
        const vote = await this.#ports.find(ballot);
        if (vote !== null && sameAnswers(vote.answers, ballot.answers)) {
          return { state: 'stored', ballot, castAt: vote.castAt };
        }
      } catch (findError) {
        return findError instanceof Error ? findError : new Error('The vote could not be checked.');
      }
    }
    const message = error.fields.answers?.[0] ?? (error.hasServerMessage ? error.message : null);
    return { state: 'refused', ballot, refusal, message };
  }

  #pause(durationMs: number, canBeCutShort: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        window.clearTimeout(timer);
        this.#endPause = null;
        resolve();
      };
      const timer = window.setTimeout(end, durationMs);
      // A server that asked for a pause gets it, also when the connection comes back meanwhile.
      this.#endPause = canBeCutShort || this.#isStopped ? end : null;
    });
  }

  #set(delivery: Delivery): void {
    this.#delivery = delivery;
    if (!this.#isStopped) {
      this.#ports.onChange(delivery);
    }
  }
}
