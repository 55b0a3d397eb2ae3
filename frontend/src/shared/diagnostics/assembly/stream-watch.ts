import { throwIfAborted } from '../../../api/abort';
import { apiUrl } from '../../../api/base-path';
import type { Versioned } from '../../live/live-connection';
import {
  type LiveState,
  liveEventShape,
  type PresentationState,
  presentationEventShape,
} from '../../live/live-events';
import { type Applied, applyLiveEvent, applyPresentationEvent } from '../../live/live-state';
import { shaped } from '../../shape';
import { tokenOf } from '../parts/own-token';
import type { Caller } from '../run/caller';
import { bodyOf, Unexpected } from '../run/unexpected';

/** Long enough for a slow server. A stream that a proxy holds back never sends anything. */
const PATIENCE_MS = 15_000;

/** The type of an event, the screen's state after it, and its arrival by `performance.now()`. */
export interface Received<State> {
  type: string;
  state: State;
  at: number;
}

/** A parsed frame and its effect on the state. */
interface Read<State> extends Applied<State> {
  type: string;
  data: unknown;
}

interface Source<State extends Versioned> {
  url: string;
  /** Returns null for a frame that no screen understands. */
  read: (frame: unknown, known: State | null, version: number) => Read<State> | null;
  /** Fetches the current snapshot, for a screen that missed an event. */
  fetchWhole: () => Promise<State>;
}

interface Waiting<State> {
  isIt: (received: Received<State>) => boolean;
  found: (received: Received<State>) => void;
  failed: (error: unknown) => void;
}

/** A screen of a test: a real stream, read with the code of the product's screens. */
export class StreamWatch<State extends Versioned> {
  /** The name of the screen in sentences: "the organizer's screen". */
  readonly who: string;
  readonly #source: Source<State>;
  readonly #stream: EventSource;
  readonly #signal: AbortSignal;
  readonly #received: Received<State>[] = [];
  readonly #gaps: string[] = [];
  readonly #unreadable: string[] = [];
  #state: State | null = null;
  #waiting: Waiting<State>[] = [];
  #broken: Unexpected | null = null;

  constructor(who: string, source: Source<State>, signal: AbortSignal) {
    this.who = who;
    this.#source = source;
    this.#signal = signal;
    this.#stream = new EventSource(source.url, { withCredentials: true });
    this.#stream.onmessage = (message) => this.#receive(message);
    this.#stream.onerror = () => this.#break(`The stream of ${who} broke`);
  }

  /** All received events, in order. */
  get received(): readonly Received<State>[] {
    return this.#received;
  }

  /** The detected gaps, a sentence each. Screens fetch the snapshot after a gap. */
  get gaps(): readonly string[] {
    return this.#gaps;
  }

  /** The frames that could not be read, a sentence each. */
  get unreadable(): readonly string[] {
    return this.#unreadable;
  }

  /** Resolves with the first matching event since that time, among the received and the future ones. */
  async until(
    what: string,
    since: number,
    isIt: (received: Received<State>) => boolean,
  ): Promise<Received<State>> {
    const known = this.#received.find((received) => received.at >= since && isIt(received));
    if (known) {
      return known;
    }
    throwIfAborted(this.#signal);
    if (this.#broken) {
      throw this.#broken;
    }
    return this.#nextThatIs(what, isIt);
  }

  close(): void {
    this.#stream.onmessage = null;
    this.#stream.onerror = null;
    this.#stream.close();
  }

  #nextThatIs(what: string, isIt: Waiting<State>['isIt']): Promise<Received<State>> {
    return new Promise((resolve, reject) => {
      const stop = () => end(() => reject(this.#signal.reason));
      const timer = setTimeout(() => end(() => reject(this.#silence(what))), PATIENCE_MS);
      const waiting: Waiting<State> = {
        isIt,
        found: (received) => end(() => resolve(received)),
        failed: (error) => end(() => reject(error)),
      };
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', stop);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        settle();
      };
      this.#signal.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #silence(what: string): Unexpected {
    const seconds = PATIENCE_MS / 1000;
    return new Unexpected(
      `The stream of ${this.who} did not report ${what} within ${seconds} seconds${this.#whySilent()}`,
    );
  }

  #whySilent(): string {
    const [unreadable] = this.#unreadable;
    if (unreadable !== undefined) {
      return `. ${unreadable}`;
    }
    return this.#received.length === 0
      ? '. No data arrived at all. A proxy between this browser and the server may be buffering streams'
      : '';
  }

  #receive(message: MessageEvent<string>): void {
    const at = performance.now();
    const read = this.#read(message);
    if (read === null) {
      this.#unreadable.push(
        `The stream of ${this.who} sent something unreadable: ${message.data.slice(0, 200)}`,
      );
      return;
    }
    const { type, data, state, isGap } = read;
    if (type === 'error') {
      this.#break(`The server ended the stream of ${this.who}${serverMessage(data)}`);
      return;
    }
    if (isGap) {
      this.#gaps.push(`The stream of ${this.who} missed an event before ${type}.`);
      void this.#recover();
    }
    this.#state = state;
    if (state !== null) {
      this.#emit({ type, state, at });
    }
  }

  /** Fetches the snapshot, as the screens of the product do. If that fails, pending waits continue. */
  async #recover(): Promise<void> {
    const whole = await this.#source.fetchWhole().catch(() => null);
    const isOfStream = this.#state === null || whole?.instance === this.#state.instance;
    if (whole !== null && isOfStream && whole.version > (this.#state?.version ?? 0)) {
      this.#state = whole;
      this.#emit({ type: 'fetched', state: whole, at: performance.now() });
    }
  }

  #read({ data, lastEventId }: MessageEvent<string>): Read<State> | null {
    try {
      return this.#source.read(JSON.parse(data), this.#state, Number(lastEventId));
    } catch {
      return null;
    }
  }

  #emit(received: Received<State>): void {
    this.#received.push(received);
    for (const waiting of this.#waiting.filter(({ isIt }) => isIt(received))) {
      waiting.found(received);
    }
  }

  #break(why: string): void {
    this.close();
    this.#broken = new Unexpected(why);
    for (const waiting of [...this.#waiting]) {
      waiting.failed(this.#broken);
    }
  }
}

function serverMessage(data: unknown): string {
  const { message } = data as { message?: string };
  return message ? `: ${message}` : '';
}

export type MeetingWatch = StreamWatch<LiveState>;
export type PresentationWatch = StreamWatch<PresentationState>;

/** Opens the screen of an organizer or a voter. Close it: a browser opens few connections to one server. */
export async function watchMeeting(
  who: string,
  meetingId: string,
  caller: Caller,
  signal: AbortSignal,
): Promise<MeetingWatch> {
  const token = await tokenOf(caller);
  throwIfAborted(signal);
  const url = `${apiUrl}/sse/meetings/${meetingId}/stream?token=${encodeURIComponent(token)}`;
  const fetchWhole = async () => bodyOf<LiveState>(await caller.get(`/sse/meetings/${meetingId}/state`), 200);
  return new StreamWatch(who, { url, read: readLive, fetchWhole }, signal);
}

/** Opens the presentation. */
export function watchPresentation(
  who: string,
  meetingId: string,
  caller: Caller,
  signal: AbortSignal,
): PresentationWatch {
  const url = `${apiUrl}/public/meetings/${meetingId}/presentation/stream`;
  const fetchWhole = async () =>
    bodyOf<PresentationState>(await caller.as(null).get(`/public/meetings/${meetingId}/presentation`), 200);
  return new StreamWatch(who, { url, read: readPresentation, fetchWhole }, signal);
}

function readLive(frame: unknown, known: LiveState | null, version: number): Read<LiveState> | null {
  const event = shaped(liveEventShape, frame);
  return event && { type: event.type, data: event.data, ...applyLiveEvent(known, event, version) };
}

function readPresentation(
  frame: unknown,
  known: PresentationState | null,
  version: number,
): Read<PresentationState> | null {
  const event = shaped(presentationEventShape, frame);
  return event && { type: event.type, data: event.data, ...applyPresentationEvent(known, event, version) };
}
