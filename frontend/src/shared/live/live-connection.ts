import { ApiError } from '../../api/api-error';
import type { Applied } from './live-state';

/**
 * connecting: nothing was heard yet, or the stream broke a moment ago. live: the stream is held.
 * polling: it cannot be held, but the server answers. offline: the server does not answer.
 */
export type ConnectionStatus = 'connecting' | 'live' | 'polling' | 'offline';

export interface LiveSnapshot<State> {
  /** The last state that was heard of; it stays when the connection is lost. */
  state: State | null;
  status: ConnectionStatus;
  heardAt: number | null;
  /** Why there is nothing to reconnect to: the meeting is gone, or not for this person. */
  refusal: ApiError | null;
}

export function silentSnapshot<State>(): LiveSnapshot<State> {
  return { state: null, status: 'connecting', heardAt: null, refusal: null };
}

interface StreamEvent {
  type: string;
  data: unknown;
}

/** What a screen watches, and where. */
export interface LiveSource<State extends { version: number }, Event extends StreamEvent> {
  /** With a token that is good now: each stream is opened with its own. */
  streamUrl: () => Promise<string>;
  fetchState: (signal: AbortSignal) => Promise<State>;
  /** Null for a frame that this screen does not understand. */
  parse: (frame: unknown) => Event | null;
  apply: (state: State | null, event: Event, version: number) => Applied<State>;
  /** After the server ended the session that the stream was opened with. */
  renewToken: () => Promise<unknown>;
  pollEveryMs: number;
}

export interface LiveListener<State> {
  onSnapshot: (snapshot: LiveSnapshot<State>) => void;
  /** After each new state, however it came: by an event, by a new connection or by polling. */
  onChange: (previous: State | null, next: State) => void;
  onServerError: (message: string) => void;
}

const RECONNECT_MS = 3_000;
/** Spreads a hall full of phones that all lost the same server at the same moment. */
const RECONNECT_JITTER_MS = 2_000;
const FIRST_POLL_JITTER_MS = 1_000;
/** A stream that a proxy holds back neither opens nor fails. */
const OPEN_TIMEOUT_MS = 10_000;
/** The server speaks every 15 s at least; a cut cable says nothing at all. */
const SILENCE_MS = 40_000;
/** A phone that slept this long may hold a stream that nobody feeds any more. */
const STALE_AFTER_SLEEP_MS = 20_000;
const FETCH_TIMEOUT_MS = 10_000;

/** Holds the picture of one meeting: by a stream, or by asking for as long as no stream can be held. */
export class LiveConnection<State extends { version: number }, Event extends StreamEvent> {
  readonly #source: LiveSource<State, Event>;
  readonly #listener: LiveListener<State>;
  #snapshot: LiveSnapshot<State> = silentSnapshot();
  #stream: EventSource | null = null;
  #isStopped = true;
  /** Tells an answer to an earlier attempt from one to the present. */
  #attempt = 0;
  #fetching: Promise<void> | null = null;
  #reconnectTimer: number | undefined;
  #watchdog: number | undefined;
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
    void this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    window.removeEventListener('online', this.#handleOnline);
    window.removeEventListener('offline', this.#handleOffline);
    document.removeEventListener('visibilitychange', this.#handleVisibility);
    this.#closeStream();
    window.clearTimeout(this.#reconnectTimer);
    window.clearTimeout(this.#pollTimer);
  }

  /** Asks for the whole state as it is from now on: an answer that is under way may be older. */
  async refresh(): Promise<void> {
    await this.#fetching;
    await this.#fetchWhole();
  }

  async #connect(): Promise<void> {
    this.#closeStream();
    window.clearTimeout(this.#reconnectTimer);
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
    stream.onmessage = (message) => this.#receive(message);
    // The browser would try again with the same token; we come back with a fresh one.
    stream.onerror = () => this.#lose();
  }

  #receive(message: MessageEvent<string>): void {
    this.#watch(SILENCE_MS);
    const event = this.#parse(message.data);
    if (event === null) {
      void this.#fetchWhole();
      return;
    }
    if (event.type === 'error') {
      this.#hearError(event.data as { message: string; code?: string });
      return;
    }
    const { state, isGap } = this.#source.apply(this.#snapshot.state, event, Number(message.lastEventId));
    this.#stopPolling();
    this.#update({ state, status: 'live', heardAt: Date.now() });
    if (isGap) {
      void this.#fetchWhole();
    }
  }

  #parse(data: string): Event | null {
    try {
      return this.#source.parse(JSON.parse(data));
    } catch {
      return null;
    }
  }

  #hearError({ message, code }: { message: string; code?: string }): void {
    if (code === 'session_ended') {
      // Where the session is really over, renewing signs out, and the guard leads to the sign-in.
      void this.#source.renewToken().catch(() => undefined);
      this.#lose();
      return;
    }
    if (code === 'meeting_gone') {
      this.#refuse(new ApiError(404, { error: message, code }));
      return;
    }
    this.#listener.onServerError(message);
  }

  #lose(): void {
    this.#closeStream();
    this.#update({ status: this.#snapshot.status === 'live' ? 'connecting' : this.#snapshot.status });
    window.clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = window.setTimeout(
      () => void this.#connect(),
      RECONNECT_MS + Math.random() * RECONNECT_JITTER_MS,
    );
    if (this.#pollTimer === undefined) {
      this.#pollAfter(Math.random() * FIRST_POLL_JITTER_MS);
    }
  }

  #refuse(refusal: ApiError): void {
    this.stop();
    this.#update({ refusal, status: 'offline' });
  }

  #pollAfter(delayMs: number): void {
    this.#pollTimer = window.setTimeout(async () => {
      await this.#fetchWhole();
      if (this.#pollTimer !== undefined && !this.#isStopped) {
        this.#pollAfter(this.#source.pollEveryMs);
      }
    }, delayMs);
  }

  #stopPolling(): void {
    window.clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** One request at a time; what it brings is dropped where events have gone further meanwhile. */
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
      if (!this.#isStopped) {
        this.#takeWhole(state);
      }
    } catch (error) {
      if (!this.#isStopped) {
        this.#missWhole(error);
      }
    } finally {
      window.clearTimeout(timer);
    }
  }

  #takeWhole(state: State): void {
    const isLive = this.#snapshot.status === 'live';
    if (isLive && this.#snapshot.state !== null && state.version < this.#snapshot.state.version) {
      return;
    }
    this.#update({ state, status: isLive ? 'live' : 'polling', heardAt: Date.now() });
  }

  #missWhole(error: unknown): void {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) {
      this.#refuse(error);
      return;
    }
    if (this.#snapshot.status === 'live') {
      // Events are missing and the whole cannot be had: a new stream begins with it.
      this.#lose();
      return;
    }
    this.#update({ status: 'offline' });
  }

  #watch(silenceMs: number): void {
    window.clearTimeout(this.#watchdog);
    this.#watchdog = window.setTimeout(() => this.#lose(), silenceMs);
  }

  #closeStream(): void {
    this.#attempt += 1;
    window.clearTimeout(this.#watchdog);
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
    this.#listener.onSnapshot(this.#snapshot);
    const next = this.#snapshot.state;
    if (next !== null && next !== previous) {
      this.#listener.onChange(previous, next);
    }
  }

  readonly #handleOnline = (): void => {
    if (this.#snapshot.status !== 'live') {
      void this.#connect();
    }
  };

  readonly #handleOffline = (): void => {
    this.#lose();
    this.#update({ status: 'offline' });
  };

  readonly #handleVisibility = (): void => {
    const silence = Date.now() - (this.#snapshot.heardAt ?? 0);
    if (document.visibilityState === 'visible' && silence > STALE_AFTER_SLEEP_MS) {
      void this.#connect();
    }
  };
}
