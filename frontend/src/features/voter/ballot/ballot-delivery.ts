import type { ApiError } from '../../../api/api-error';
import type { Ballot } from '../../../shared/ballot/ballot';
import { type CastVote, castElsewhere } from '../cast-elsewhere';
import { isUndecided, retryPauses } from './retry-pause';

/** The server's reasons why a ballot was not counted. `round_over`: another round has followed the ballot's round. */
const REFUSALS = [
  'already_voted',
  'round_not_open',
  'round_over',
  'not_in_register',
  'invalid_ballot',
] as const;

export type Refusal = (typeof REFUSALS)[number] | 'other';

export interface StoredVote extends CastVote {
  answers: string[];
  castAt: string | null;
  /** The receipt of a sealed ballot. */
  receipt: string | null;
}

export type Delivery =
  | { state: 'idle' }
  /** `isDelayed`: there is no response yet, or an attempt failed. It is unknown whether the server has the vote. */
  | { state: 'sending'; ballot: Ballot; isDelayed: boolean }
  | { state: 'stored'; ballot: Ballot; castAt: string | null; receipt: string | null }
  /** `counted`: the vote of this voter that the server has instead, if it could be fetched. */
  | {
      state: 'refused';
      ballot: Ballot;
      refusal: Refusal;
      message: string | null;
      counted: StoredVote | null;
    }
  /** The voter went on before the outcome was known. */
  | { state: 'setAside'; ballot: Ballot };

export interface DeliveryPorts {
  /** Submits the ballot. Throws an `ApiError` without a response, or after a refusal. */
  send: (ballot: Ballot, signal: AbortSignal) => Promise<StoredVote>;
  /** The stored vote of this voter in the ballot's round; null without one. */
  find: (ballot: Ballot) => Promise<StoredVote | null>;
  onChange: (delivery: Delivery) => void;
}

const ANSWER_TIMEOUT_MS = 10_000;
/** After this time the screen shows that there is no response yet. */
const SLOW_MS = 3_000;

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function sameAnswers(left: string[], right: string[]): boolean {
  return left.length === right.length && left.every((answer) => right.includes(answer));
}

/**
 * Whether the stored vote is this ballot. The server seals answers with another key each time, so the receipt of a repeat
 * is not known: after a lost response, the vote in the urn is taken for this one.
 */
function isStored(vote: StoredVote, { answers, shown, sealed }: Ballot, isUncertain: boolean): boolean {
  if (castElsewhere(vote) !== null) {
    return false;
  }
  if (sealed) {
    return sealed.receipt === null ? isUncertain : sealed.receipt === vote.receipt;
  }
  return sameAnswers(vote.answers, answers) || (shown !== undefined && sameAnswers(vote.answers, shown));
}

/** The ballot as the server has stored it. The server returns the answers of an election in words. */
function storedAs({ answers, castAt, receipt }: StoredVote, ballot: Ballot): Delivery {
  const isInWords = ballot.shown !== undefined && !sameAnswers(answers, ballot.answers);
  const stored = { ...ballot, ...(isInWords ? { shown: answers } : { answers }) };
  return { state: 'stored', ballot: stored, castAt, receipt };
}

/**
 * Delivers one ballot to the server, and reports "stored" or "refused" only after the server has. After a lost response
 * it is unknown whether the vote counts. So the same content is sent again until a response arrives, and the server
 * answers a repetition as it answered the first request. The ballot names its round, so it cannot count in another one.
 */
export class BallotDelivery {
  readonly #ports: DeliveryPorts;
  #delivery: Delivery = { state: 'idle' };
  #isStopped = false;
  /** Distinguishes the current ballot from a discarded one. */
  #run = 0;
  #pause = retryPauses();
  #request: { controller: AbortController; isSlow: boolean } | null = null;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** Returns false while another ballot is being sent. */
  deliver(ballot: Ballot, { isResumed = false } = {}): boolean {
    const isFree = this.#delivery.state !== 'sending';
    if (isFree) {
      void this.#bring(ballot, isResumed);
    }
    return isFree;
  }

  /** Called when the connection is back: ends the pause before the next attempt, and aborts a slow request. */
  wake(): void {
    if (this.#request?.isSlow) {
      this.#request.controller.abort();
    }
    this.#pause.end();
  }

  /** Called when the voter goes on without knowing the outcome of this ballot. */
  setAside(): void {
    if (this.#delivery.state === 'sending') {
      const { ballot } = this.#delivery;
      this.#run += 1;
      this.#request?.controller.abort();
      this.#pause.end();
      this.#set({ state: 'setAside', ballot });
    }
  }

  /** Called when the voter has seen the outcome. */
  dismiss(): void {
    if (this.#delivery.state !== 'sending') {
      this.#set({ state: 'idle' });
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  async #bring(ballot: Ballot, isResumed: boolean): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const isOver = () => this.#isStopped || run !== this.#run;
    let isUncertain = isResumed;
    this.#pause = retryPauses();
    this.#set({ state: 'sending', ballot, isDelayed: isResumed });
    while (!isOver()) {
      const outcome = await this.#try(ballot, isUncertain);
      if (isOver()) {
        return;
      }
      if (!(outcome instanceof Error)) {
        this.#set(outcome);
        return;
      }
      isUncertain = true;
      this.#set({ state: 'sending', ballot, isDelayed: true });
      await this.#pause.wait(outcome);
    }
  }

  /** The outcome, or the error that left it open. */
  async #try(ballot: Ballot, isUncertain: boolean): Promise<Delivery | Error> {
    try {
      return storedAs(await this.#send(ballot), ballot);
    } catch (error) {
      if (isUndecided(error)) {
        return asError(error);
      }
      return this.#outcomeOfRefusal(ballot, error as ApiError, isUncertain);
    }
  }

  async #send(ballot: Ballot): Promise<StoredVote> {
    const request = { controller: new AbortController(), isSlow: false };
    this.#request = request;
    const timer = window.setTimeout(() => request.controller.abort(), ANSWER_TIMEOUT_MS);
    const slow = window.setTimeout(() => {
      request.isSlow = true;
      if (this.#request === request && this.#delivery.state === 'sending') {
        this.#set({ state: 'sending', ballot, isDelayed: true });
      }
    }, SLOW_MS);
    try {
      return await this.#ports.send(ballot, request.controller.signal);
    } finally {
      window.clearTimeout(timer);
      window.clearTimeout(slow);
    }
  }

  /**
   * The outcome after a refusal. The refusal concerns this attempt only: an earlier attempt or another device may have
   * stored a vote.
   */
  async #outcomeOfRefusal(ballot: Ballot, error: ApiError, isUncertain: boolean): Promise<Delivery | Error> {
    const refusal = REFUSALS.find((one) => one === error.code) ?? 'other';
    const message = error.fields.answers?.[0] ?? (error.hasServerMessage ? error.message : null);
    if (refusal !== 'round_not_open' && refusal !== 'already_voted') {
      return { state: 'refused', ballot, refusal, message, counted: null };
    }
    let counted: StoredVote | null = null;
    try {
      counted = await this.#ports.find(ballot);
    } catch (findError) {
      // A repeat in another session, or that the server seals, is refused also if the first attempt was stored.
      if (isUncertain) {
        return asError(findError);
      }
    }
    if (counted !== null && isStored(counted, ballot, isUncertain)) {
      return storedAs(counted, ballot);
    }
    return {
      state: 'refused',
      ballot,
      refusal: counted === null ? refusal : 'already_voted',
      message,
      counted,
    };
  }

  #set(delivery: Delivery): void {
    this.#delivery = delivery;
    if (!this.#isStopped) {
      this.#ports.onChange(delivery);
    }
  }
}
