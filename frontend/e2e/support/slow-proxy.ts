import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { DATABASE_NAME, onDatabase, socketPathOf } from './database';
import type { PlenumServer } from './plenum-server';

/** The schema behind the connection. */
const SLOW_SCHEMA = 'slow';

/** A connection to a server's database that delays every statement. */
export class SlowWay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The delay of data to the database, in milliseconds. */
  delay = 0;

  private constructor(server: Server, socketPath: string) {
    this.#server = server;
    server.on('connection', (near) => this.#join(near, connect(socketPath)));
  }

  static async to(database: PlenumServer): Promise<SlowWay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await onDatabase(database, (sql) => sql`CREATE SCHEMA IF NOT EXISTS ${sql(SLOW_SCHEMA)}`);
    return new SlowWay(server, socketPathOf(database));
  }

  /** For `DATABASE_URL`, with a schema of its own: a server without NATS shares its tables with no other one. */
  get databaseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `postgres://${DATABASE_NAME}@127.0.0.1:${port}/${DATABASE_NAME}?options=-csearch_path%3D${SLOW_SCHEMA}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    near.on('data', (bytes) => setTimeout(() => far.write(bytes), this.delay));
    far.on('data', (bytes) => near.write(bytes));
  }
}
