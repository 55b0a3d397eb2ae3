import type { ApiError } from '../../../api/api-error';
import { isUndecided, retryPauses } from '../ballot/retry-pause';

/** A ballot of a holder for one person. It never changes, even if it is sent several times. */
export interface HeldBallot {
  /** `self`, or the id of the principal. */
  for: string;
  name: string;
  answers: string[];
  /** The sealed ballot in base64, in a secret question. */
  envelope: string | null;
  /** Its receipt, as this device computed it. Missing in a note of an earlier version. */
  receipt?: string | null | undefined;
}

/** The ballots that a holder submitted together. */
export interface HeldBallots {
  userId: string;
  questionId: string;
  roundId: string;
  /** The place of the question on the agenda. */
  orderIndex?: number | undefined;
  /** Whether the question is secret. Ballots without an envelope are then sealed by the server. */
  isSecret?: boolean | undefined;
  /** "25 votes: 9 Yes, 16 No". In a secret question, the number alone. */
  summary: string;
  ballots: HeldBallot[];
  outcomes: HeldOutcome[];
}

/**
 * The code for a ballot that the server seals and whose repeat is refused after a lost response. The server cannot compare
 * the two, so a vote of the person is counted, and nobody can say whether it is this one.
 */
export const PERHAPS_STORED = 'perhaps_stored';

/** What became of one ballot. Without an error it is stored. */
export interface HeldOutcome {
  for: string;
  name: string;
  receipt: string | null;
  code: string | null;
  error: string | null;
}

export interface HeldAnswer {
  for: string;
  code: string | null;
  error: string | null;
  vote: { receipt: string | null } | null;
}

export interface HeldPorts {
  send: (sent: HeldBallots, ballots: HeldBallot[], signal: AbortSignal) => Promise<HeldAnswer[]>;
  onChange: (sent: HeldBallots, isDelayed: boolean) => void;
}

/** The most ballots of one request. */
const AT_ONCE = 100;
const ANSWER_TIMEOUT_MS = 15_000;
/** After this time the screen shows that there is no response yet. */
const SLOW_MS = 3_000;

/** The ballots without an outcome. */
export function pending({ ballots, outcomes }: HeldBallots): HeldBallot[] {
  return ballots.filter((ballot) => !outcomes.some((outcome) => outcome.for === ballot.for));
}

/** The receipt of the stored ballot as this device computed it; null if the server sealed the ballot. */
export function keptReceiptOf(outcome: HeldOutcome, { ballots }: HeldBallots): string | null {
  return ballots.find((ballot) => ballot.for === outcome.for)?.receipt ?? null;
}

/**
 * The next ballots of a holder with the outcomes of those before in the same round, so that their receipts stay on the
 * screen.
 */
export function following(earlier: HeldBallots | null, next: HeldBallots): HeldBallots {
  if (earlier?.roundId !== next.roundId) {
    return next;
  }
  // People who were refused before may be among the next ones.
  const isOver = ({ for: id }: { for: string }) => !next.ballots.some((ballot) => ballot.for === id);
  return {
    ...next,
    summary: `${earlier.summary}. Then ${next.summary}`,
    ballots: [...earlier.ballots.filter(isOver), ...next.ballots],
    // Kept ballots may have outcomes from the page that was left.
    outcomes: [...earlier.outcomes.filter(isOver), ...next.outcomes],
  };
}

/**
 * Delivers the ballots of a holder, as `BallotDelivery` delivers one: the same content is sent again until the server has
 * answered for each person. The server counts each ballot once.
 */
export class HeldDelivery {
  readonly #ports: HeldPorts;
  #isStopped = false;
  /** The ballots were kept, perhaps over a new sign-in. The server repeats its answer to the same session only. */
  #isResumed = false;
  #isRunning = false;
  #pause = retryPauses();
  /** The error of the last attempt, if there was no answer. */
  #failure: unknown;
  #request: { controller: AbortController; isSlow: boolean } | null = null;
  /** The people whose ballots were sent without an outcome. */
  readonly #uncertain = new Set<string>();

  constructor(ports: HeldPorts) {
    this.#ports = ports;
  }

  /** Does nothing while other ballots are being sent. */
  deliver(sent: HeldBallots, isResumed = false): void {
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#bring(sent, isResumed).finally(() => {
        this.#isRunning = false;
      });
    }
  }

  /** Called when the connection is back: ends the pause before the next attempt, and aborts a slow request. */
  wake(): void {
    if (this.#request?.isSlow) {
      this.#request.controller.abort();
    }
    this.#pause.end();
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  async #bring(first: HeldBallots, isResumed: boolean): Promise<void> {
    let sent = first;
    let isDelayed = isResumed;
    this.#uncertain.clear();
    this.#isResumed = isResumed;
    if (isResumed) {
      this.#note(pending(sent));
    }
    this.#pause = retryPauses();
    this.#ports.onChange(sent, isDelayed);
    while (!this.#isStopped && pending(sent).length > 0) {
      const before = pending(sent).length;
      sent = await this.#try(sent);
      if (this.#isStopped) {
        return;
      }
      isDelayed = pending(sent).length === before;
      this.#ports.onChange(sent, isDelayed);
      if (isDelayed) {
        await this.#pause.wait(this.#failure);
      }
    }
  }

  /** The ballots with the outcomes of the next ones, or as they were if there is no answer. */
  async #try(sent: HeldBallots): Promise<HeldBallots> {
    const next = pending(sent).slice(0, AT_ONCE);
    const request = { controller: new AbortController(), isSlow: false };
    this.#request = request;
    const timer = window.setTimeout(() => request.controller.abort(), ANSWER_TIMEOUT_MS);
    const slow = window.setTimeout(() => {
      request.isSlow = true;
      if (!this.#isStopped) {
        this.#ports.onChange(sent, true);
      }
    }, SLOW_MS);
    this.#failure = undefined;
    try {
      const answers = await this.#ports.send(sent, next, request.controller.signal);
      const isDecided = ({ code }: HeldAnswer) => code !== 'temporarily_unavailable';
      const outcomes = answers.filter(isDecided).map((answer) => this.#outcomeOf(answer, sent));
      this.#note(answers.filter((answer) => !isDecided(answer)));
      return { ...sent, outcomes: [...sent.outcomes, ...outcomes] };
    } catch (error) {
      if (isUndecided(error)) {
        this.#failure = error;
        this.#note(next);
        return sent;
      }
      const { code, message } = error as ApiError;
      const refused = next.map((ballot) => ({
        for: ballot.for,
        name: ballot.name,
        receipt: null,
        code,
        error: message,
      }));
      return { ...sent, outcomes: [...sent.outcomes, ...refused] };
    } finally {
      window.clearTimeout(timer);
      window.clearTimeout(slow);
      this.#request = null;
    }
  }

  #note(ballots: { for: string }[]): void {
    for (const { for: id } of ballots) {
      this.#uncertain.add(id);
    }
  }

  #outcomeOf({ for: id, vote, code, error }: HeldAnswer, { ballots, isSecret }: HeldBallots): HeldOutcome {
    const ballot = ballots.find((one) => one.for === id);
    // Ballots that the device sealed are compared in any case.
    const isCompared = ballot?.envelope !== null || (isSecret !== true && !this.#isResumed);
    const isRepeat = code === 'already_voted' && !isCompared && this.#uncertain.has(id);
    return {
      for: id,
      name: ballot?.name ?? '',
      receipt: vote?.receipt ?? null,
      code: isRepeat ? PERHAPS_STORED : code,
      error,
    };
  }
}
