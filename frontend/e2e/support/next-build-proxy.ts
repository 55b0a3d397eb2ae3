import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** today: as the server. next: as the server of a later build. withoutWorker: as one without a service worker. */
type ServedBuild = 'today' | 'next' | 'withoutWorker';

/** The text on the page of the later build. */
export const NEXT_BUILD = 'the next build';

/** A server with other builds of the front end, and without a connection. */
export class NextBuildProxy {
  readonly #server: Server;
  #build: ServedBuild = 'today';

  private constructor(server: Server, target: URL) {
    this.#server = server;
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => {
      const headers = { ...asked.headers, 'accept-encoding': 'identity' };
      const { hostname, port } = target;
      const onward = request({ hostname, port, path: asked.url, method: asked.method, headers }, (served) =>
        this.#answer(asked.url ?? '', served, answer),
      );
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    });
  }

  static async start(targetUrl: string): Promise<NextBuildProxy> {
    const server = createServer();
    const proxy = new NextBuildProxy(server, new URL(targetUrl));
    await proxy.#listen(0);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  serve(build: ServedBuild): void {
    this.#build = build;
  }

  /** Ends all connections. Returns the function that makes the server reachable again, at the same address. */
  async cut(): Promise<() => Promise<void>> {
    const { port } = this.#server.address() as AddressInfo;
    await this.stop();
    return () => this.#listen(port);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  #answer(path: string, served: IncomingMessage, answer: ServerResponse): void {
    const isWorker = path.endsWith('/service-worker.js');
    if (this.#build === 'withoutWorker' && isWorker) {
      served.resume();
      answer.writeHead(404).end();
      return;
    }
    const isPage = served.headers['content-type']?.startsWith('text/html') ?? false;
    if (this.#build !== 'next' || !(isWorker || isPage)) {
      answer.writeHead(served.statusCode ?? 502, served.headers);
      served.pipe(answer);
      return;
    }
    void textOf(served).then((text) => {
      const changed = isWorker
        ? text.replace('"version":"', '"version":"next')
        : text.replace('<title>', `<meta name="build" content="${NEXT_BUILD}" /><title>`);
      const { 'content-length': _, ...headers } = served.headers;
      answer.writeHead(served.statusCode ?? 502, headers).end(changed);
    });
  }
}

async function textOf(served: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of served) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}
