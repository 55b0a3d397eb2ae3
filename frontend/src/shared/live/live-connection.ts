import { ApiError } from '../../api/api-error';
import type { Applied } from './live-state';
import { hearServerTime } from './server-clock';

/**
 * connecting: nothing was received yet, or the stream broke a moment ago. live: the stream is open. delayed: the stream
 * is open, but its server cannot receive the other servers' notifications and polls the database every few seconds.
 * polling: no stream is possible, but the server answers. offline: the server does not answer.
 */
export type ConnectionStatus = 'connecting' | 'live' | 'delayed' | 'polling' | 'offline';

/** Whether the server answers, by stream or polling, so that the screen is up to date. */
export function isReachable(status: ConnectionStatus): boolean {
  return status !== 'connecting' && status !== 'offline';
}

/** Fields of every snapshot. */
export interface Versioned {
  /** The server that counts the versions. Versions of two servers cannot be compared. */
  instance: string;
  version: number;
  isDelayed: boolean;
  /** Counted in the database, so it is comparable between servers. The presentation does not receive it. */
  step?: number;
}

export interface LiveSnapshot<State> {
  /** The last state received; it stays when the connection is lost. */
  state: State | null;
  status: ConnectionStatus;
  lastContactAt: number | null;
  /** The reason not to reconnect: the meeting is deleted, or this person has no access. */
  refusal: ApiError | null;
}

export function silentSnapshot<State>(): LiveSnapshot<State> {
  return { state: null, status: 'connecting', lastContactAt: null, refusal: null };
}

interface StreamEvent {
  type: string;
  data: unknown;
}

/** The stream that a screen watches. */
export interface LiveSource<State extends Versioned, Event extends StreamEvent> {
  /** With a valid token: each stream is opened with a new one. */
  streamUrl: () => Promise<string>;
  fetchState: (signal: AbortSignal) => Promise<State>;
  /** Returns null for a frame that this screen does not understand. */
  parse: (frame: unknown) => Event | null;
  apply: (state: State | null, event: Event, version: number) => Applied<State>;
  /** Called after the server ended the session that opened the stream. */
  renewToken: () => Promise<unknown>;
  /** Called with each frame of the stream: the network works now. */
  onFrame?: () => void;
  pollEveryMs: number;
  /** Whether the connection pauses while the tab is hidden: a phone in a pocket must not hold a stream. */
  pausesWhenHidden: boolean;
}

export interface LiveListener<State> {
  onSnapshot: (snapshot: LiveSnapshot<State>) => void;
  /** Called after each new state: by an event, a new connection or polling. */
  onChange: (previous: State | null, next: State) => void;
  onServerError: (message: string) => void;
}

const RECONNECT_MS = 3_000;
/** Spreads the reconnects of a hall of phones that all lost the same server at the same moment. */
const RECONNECT_JITTER_MS = 2_000;
const POLL_JITTER_MS = 1_000;
/** The time that a server may be away after it announced its stop, before that is shown. Most return sooner. */
const RESTART_GRACE_MS = 5_000;
/** The interval between attempts during that time. */
const RESTART_RETRY_MS = 1_000;
/** The server sends at once. A stream that a proxy holds back sends nothing, and does not fail either. */
const OPEN_TIMEOUT_MS = 5_000;
/** The time that an empty screen waits for the stream before it also requests the state. */
const FIRST_WORD_MS = 1_500;
/** A proxy that passes answers but no stream will not change soon, and each attempt costs a connection. */
const HELD_BACK_MS = 30_000;
/** The server sends at least every 15 s; a cut cable sends nothing. */
const SILENCE_MS = 25_000;
/** A phone that slept this long may hold a dead stream. */
const STALE_AFTER_SLEEP_MS = 20_000;
/** Short, because a restored network answers a new request sooner than an old one. */
const FETCH_TIMEOUT_MS = 4_000;
/** While the server does not answer. Every screen must be current within five seconds of the network's return. */
const POLL_OFFLINE_EVERY_MS = 3_000;
const SHORTEST_PAUSE_MS = 500;
/** A brief look at another app does not pause the connection. */
const PAUSE_AFTER_MS = 30_000;

/** Keeps the snapshot of one meeting current, by a stream or, while no stream is possible, by polling. */
export class LiveConnection<State extends Versioned, Event extends StreamEvent> {
  readonly #source: LiveSource<State, Event>;
  readonly #listener: LiveListener<State>;
  #snapshot: LiveSnapshot<State> = silentSnapshot();
  #stream: EventSource | null = null;
  #isStopped = true;
  /** Distinguishes the answer to an earlier attempt from one to the current attempt. */
  #attempt = 0;
  #fetching: Promise<void> | null = null;
  /** The last stream sent nothing, although the server answered meanwhile. */
  #isHeldBack = false;
  /** An event was missed, and the snapshot was not fetched yet. */
  #hasGap = false;
  #isPaused = false;
  /** The end of the time in which an announced stop of the server is not shown. */
  #graceUntil = 0;
  #pauseTimer: number | undefined;
  #firstWordTimer: number | undefined;
  #reconnectTimer: number | undefined;
  /** Runs while a new stream is planned to close a gap. */
  #gapTimer: number | undefined;
  #watchdog: number | undefined;
  /** The time at which the watchdog is due. */
  #watchdogAt = 0;
  #pollTimer: number | undefined;

  constructor(source: LiveSource<State, Event>, listener: LiveListener<State>) {
    this.#source = source;
    this.#listener = listener;
  }

  start(): void {
    this.#isStopped = false;
    window.addEventListener('online', this.#handleOnline);
    window.addEventListener('offline', this.#handleOffline);
    document.addEventListener('visibilitychange', this.#handleVisibility);
    this.#pauseLaterIfHidden();
    void this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    window.removeEventListener('online', this.#handleOnline);
    window.removeEventListener('offline', this.#handleOffline);
    document.removeEventListener('visibilitychange', this.#handleVisibility);
    window.clearTimeout(this.#pauseTimer);
    this.#rest();
  }

  /** Holds no stream and sends no requests. */
  #rest(): void {
    this.#closeStream();
    this.#stopPolling();
  }

  /** Fetches a new snapshot. It does not reuse a request that is under way, because its answer may be older. */
  async refresh(): Promise<void> {
    await this.#fetching;
    await this.#fetchWhole();
  }

  async #connect(): Promise<void> {
    this.#closeStream();
    const attempt = this.#attempt;
    let url: string;
    try {
      url = await this.#source.streamUrl();
    } catch {
      if (attempt === this.#attempt && !this.#isStopped) {
        this.#lose();
      }
      return;
    }
    if (attempt !== this.#attempt || this.#isStopped) {
      return;
    }
    const stream = new EventSource(url, { withCredentials: true });
    this.#stream = stream;
    this.#watch(OPEN_TIMEOUT_MS);
    if (this.#snapshot.state === null) {
      this.#firstWordTimer = window.setTimeout(() => void this.#fetchWhole(), FIRST_WORD_MS);
    }
    stream.onmessage = (message) => this.#receive(message);
    // The browser would retry with the same token. We reconnect with a new one.
    stream.onerror = () => this.#lose();
  }

  #receive(message: MessageEvent<string>): void {
    if (Date.now() > this.#watchdogAt) {
      // The tab was frozen: no timer ran, and this frame may have waited as long. A new stream begins with the present state.
      void this.#connect();
      return;
    }
    this.#watch(SILENCE_MS);
    this.#source.onFrame?.();
    window.clearTimeout(this.#firstWordTimer);
    this.#isHeldBack = false;
    const event = this.#parse(message.data);
    if (event === null) {
      this.#closeGap();
      return;
    }
    if (event.type === 'error') {
      this.#hearError(event.data as { message: string; code?: string });
      return;
    }
    if (event.type === 'server_stopping') {
      this.#hearStopping((event.data as { retryAfterMs: number }).retryAfterMs);
      return;
    }
    this.#graceUntil = 0;
    this.#takeTime(event.data);
    const { state, isGap } = this.#source.apply(this.#snapshot.state, event, Number(message.lastEventId));
    this.#stopPolling();
    if (state === event.data) {
      // A snapshot is complete, so there is no gap any more.
      this.#forgetGap();
    }
    this.#update({ state, status: 'live', lastContactAt: Date.now() });
    if (isGap) {
      this.#closeGap();
    }
  }

  #closeGap(): void {
    this.#hasGap = true;
    void this.#fetchWhole();
  }

  #forgetGap(): void {
    this.#hasGap = false;
    window.clearTimeout(this.#gapTimer);
    this.#gapTimer = undefined;
  }

  /** After a random delay: an event that one screen missed or does not understand affects the whole hall. */
  #closeGapByNewStream(): void {
    this.#gapTimer ??= window.setTimeout(() => void this.#connect(), Math.random() * RECONNECT_JITTER_MS);
  }

  #parse(data: string): Event | null {
    try {
      return this.#source.parse(JSON.parse(data));
    } catch {
      return null;
    }
  }

  #takeTime(data: unknown): void {
    const { serverTime } = data as { serverTime?: unknown };
    if (typeof serverTime === 'string') {
      hearServerTime(serverTime);
    }
  }

  #hearError({ message, code }: { message: string; code?: string }): void {
    if (code === 'session_ended') {
      // If the session has really ended, the renewal signs out and the guard redirects to the sign-in.
      void this.#source.renewToken().catch(() => undefined);
      this.#lose();
      return;
    }
    if (code === 'meeting_gone') {
      // Nearly always, this person was removed: the streams of a deleted meeting end without this error.
      this.#refuse(new ApiError(403, { error: message, code }));
      return;
    }
    this.#listener.onServerError(message);
  }

  /** The server spreads the reconnects. The screen keeps its state, as nothing changes meanwhile. */
  #hearStopping(retryAfterMs: number): void {
    this.#graceUntil = Date.now() + RESTART_GRACE_MS;
    this.#closeStream();
    this.#connectIn(retryAfterMs);
  }

  #lose(): void {
    this.#closeStream();
    if (Date.now() < this.#graceUntil) {
      this.#connectIn(RESTART_RETRY_MS * (0.5 + Math.random()));
      return;
    }
    this.#update({ status: this.#snapshot.status === 'live' ? 'connecting' : this.#snapshot.status });
    this.#connectAfter(this.#isHeldBack ? HELD_BACK_MS : RECONNECT_MS);
    if (this.#pollTimer === undefined) {
      this.#pollAfter(Math.random() * POLL_JITTER_MS);
    }
  }

  #connectAfter(delayMs: number): void {
    this.#connectIn(delayMs + Math.random() * RECONNECT_JITTER_MS);
  }

  /** Call it after `#closeStream`, which ends an earlier plan. */
  #connectIn(delayMs: number): void {
    this.#reconnectTimer = window.setTimeout(() => void this.#connect(), delayMs);
  }

  #refuse(refusal: ApiError): void {
    this.stop();
    this.#update({ refusal, status: 'offline' });
  }

  #pollAfter(delayMs: number): void {
    this.#pollTimer = window.setTimeout(async () => {
      const askedAt = Date.now();
      await this.#fetchWhole();
      if (this.#pollTimer !== undefined && !this.#isStopped) {
        this.#pollAfter(this.#pauseSince(askedAt));
      }
    }, delayMs);
  }

  #pauseSince(askedAt: number): number {
    if (this.#snapshot.status !== 'offline') {
      return this.#source.pollEveryMs;
    }
    const rest = POLL_OFFLINE_EVERY_MS - (Date.now() - askedAt);
    return Math.max(SHORTEST_PAUSE_MS, rest) + Math.random() * POLL_JITTER_MS;
  }

  #stopPolling(): void {
    window.clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** Sends one request at a time. The answer is dropped if events have gone further meanwhile. */
  #fetchWhole(): Promise<void> {
    this.#fetching ??= this.#fetchOnce().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #fetchOnce(): Promise<void> {
    const timeout = new AbortController();
    const timer = window.setTimeout(() => timeout.abort(), FETCH_TIMEOUT_MS);
    try {
      const state = await this.#source.fetchState(timeout.signal);
      this.#takeTime(state);
      if (!this.#isStopped && !this.#isPaused) {
        this.#takeWhole(state);
      }
    } catch (error) {
      if (!this.#isStopped && !this.#isPaused) {
        this.#missWhole(error);
      }
    } finally {
      window.clearTimeout(timer);
    }
  }

  #takeWhole(state: State): void {
    const isLive = this.#snapshot.status === 'live';
    if (isLive && this.#snapshot.state !== null && !this.#follows(this.#snapshot.state, state)) {
      return;
    }
    this.#forgetGap();
    if (this.#snapshot.status === 'offline' && !this.#isHeldBack) {
      // The server is back. A stream that is still opening may depend on the lost network.
      void this.#connect();
    }
    const isOpening = this.#snapshot.status === 'connecting' && this.#pollTimer === undefined;
    this.#update({ state, lastContactAt: Date.now(), ...(isLive || isOpening ? {} : { status: 'polling' }) });
  }

  /**
   * Decides whether to show a fetched snapshot. A snapshot of another server is newer for certain if its step is
   * higher: it is shown, and a new stream replaces the old one. Otherwise the order is unknown and the stream
   * continues. If the stream has a gap, a new stream begins with a snapshot.
   */
  #follows(known: State, fetched: State): boolean {
    if (known.instance === fetched.instance) {
      return fetched.version >= known.version;
    }
    if ((fetched.step ?? 0) > (known.step ?? 0)) {
      this.#closeStream();
      this.#connectAfter(0);
      return true;
    }
    if (this.#hasGap) {
      this.#closeGapByNewStream();
    }
    return false;
  }

  #missWhole(error: unknown): void {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) {
      this.#refuse(error);
      return;
    }
    if (this.#snapshot.status === 'live') {
      // Events are missing and the snapshot cannot be fetched. A new stream begins with a snapshot.
      this.#lose();
      return;
    }
    if (this.#pollTimer !== undefined) {
      this.#update({ status: 'offline' });
    }
  }

  #watch(silenceMs: number): void {
    window.clearTimeout(this.#watchdog);
    this.#watchdogAt = Date.now() + silenceMs;
    this.#watchdog = window.setTimeout(() => {
      this.#isHeldBack = this.#snapshot.status === 'polling';
      this.#lose();
    }, silenceMs);
  }

  #closeStream(): void {
    this.#attempt += 1;
    this.#forgetGap();
    window.clearTimeout(this.#reconnectTimer);
    window.clearTimeout(this.#watchdog);
    window.clearTimeout(this.#firstWordTimer);
    if (this.#stream !== null) {
      this.#stream.onmessage = null;
      this.#stream.onerror = null;
      this.#stream.close();
      this.#stream = null;
    }
  }

  #update(change: Partial<LiveSnapshot<State>>): void {
    const previous = this.#snapshot.state;
    this.#snapshot = { ...this.#snapshot, ...change };
    const isDelayed = this.#snapshot.status === 'live' && this.#snapshot.state?.isDelayed === true;
    this.#listener.onSnapshot(isDelayed ? { ...this.#snapshot, status: 'delayed' } : this.#snapshot);
    const next = this.#snapshot.state;
    if (next !== null && next !== previous) {
      this.#listener.onChange(previous, next);
    }
  }

  #pauseLaterIfHidden(): void {
    window.clearTimeout(this.#pauseTimer);
    if (this.#source.pausesWhenHidden && document.visibilityState === 'hidden') {
      this.#pauseTimer = window.setTimeout(() => {
        this.#isPaused = true;
        this.#rest();
        this.#update({ status: 'connecting' });
      }, PAUSE_AFTER_MS);
    }
  }

  readonly #handleOnline = (): void => {
    if (this.#snapshot.status !== 'live' && !this.#isPaused) {
      this.#isHeldBack = false;
      void this.#connect();
    }
  };

  readonly #handleOffline = (): void => {
    if (!this.#isPaused) {
      this.#lose();
      this.#update({ status: 'offline' });
    }
  };

  readonly #handleVisibility = (): void => {
    this.#pauseLaterIfHidden();
    if (document.visibilityState !== 'visible') {
      return;
    }
    const silence = Date.now() - (this.#snapshot.lastContactAt ?? 0);
    if (this.#isPaused || silence > STALE_AFTER_SLEEP_MS) {
      this.#isPaused = false;
      this.#isHeldBack = false;
      void this.#connect();
    }
  };
}
