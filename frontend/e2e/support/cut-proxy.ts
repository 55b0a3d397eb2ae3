import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * fair: all data pass. cut: every connection breaks, and new ones fail. stalled: connections stay, but no data pass, as
 * with bad Wi-Fi. answersLost: requests arrive, but responses are lost.
 */
type Weather = 'fair' | 'cut' | 'stalled' | 'answersLost';

interface Line {
  near: Socket;
  far: Socket;
}

/**
 * The connection of one device to the server, which a test can disturb. A browser's own "offline" does not affect open
 * streams.
 */
export class CutProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #lines = new Set<Line>();
  #weather: Weather = 'fair';

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (near) => this.#connect(near));
  }

  static async start(targetUrl: string): Promise<CutProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CutProxy(server, new URL(targetUrl));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#weather = 'cut';
    for (const { near, far } of this.#lines) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  stall(): void {
    this.#change('stalled');
  }

  loseAnswers(): void {
    this.#change('answersLost');
  }

  /** Sends the delayed data. Broken connections stay broken until the device connects again. */
  restore(): void {
    this.#change('fair');
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(near: Socket): void {
    near.on('error', () => {});
    if (this.#weather === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(this.#target.port), this.#target.hostname);
    const line = { near, far };
    this.#lines.add(line);
    far.on('error', () => near.resetAndDestroy());
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => near.write(chunk));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
    near.on('close', () => {
      this.#lines.delete(line);
      far.destroy();
    });
    this.#expose(line);
  }

  #change(weather: Weather): void {
    this.#weather = weather;
    for (const line of this.#lines) {
      this.#expose(line);
    }
  }

  #expose({ near, far }: Line): void {
    letThrough(near, this.#weather === 'fair' || this.#weather === 'answersLost');
    letThrough(far, this.#weather === 'fair');
  }
}

function letThrough(from: Socket, isOpen: boolean): void {
  if (isOpen) {
    from.resume();
  } else {
    from.pause();
  }
}
