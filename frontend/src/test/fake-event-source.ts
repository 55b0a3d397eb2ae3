import { afterEach, beforeEach } from 'vitest';

/** A fake of the browser's EventSource: the test is the server. */
export class FakeEventSource {
  static all: FakeEventSource[] = [];

  static get latest(): FakeEventSource {
    const stream = FakeEventSource.all.at(-1);
    if (!stream) {
      throw new Error('No stream was opened.');
    }
    return stream;
  }

  onmessage: ((message: MessageEvent<string>) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeEventSource.all.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  send(type: string, data: unknown, version: number): void {
    this.onmessage?.(
      new MessageEvent('message', { data: JSON.stringify({ type, data }), lastEventId: String(version) }),
    );
  }

  break(): void {
    this.onerror?.();
  }
}

/** Call this at the top of a test file whose screens hold a stream. */
export function installFakeEventSource(): void {
  const original = globalThis.EventSource;
  beforeEach(() => {
    FakeEventSource.all = [];
    globalThis.EventSource = FakeEventSource as unknown as typeof EventSource;
  });
  afterEach(() => {
    globalThis.EventSource = original;
  });
}
