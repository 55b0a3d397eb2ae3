import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The server's executable. */
export const BINARY = resolve(process.env.PLENUM_BIN ?? '../target/debug/plenum');
const START_MS = 90_000;
const STOP_MS = 30_000;

export const superAdmin = { email: 'root@plenum.test', password: 'correct horse battery' };

/** A real server with its own database, on a free port. Its data are deleted afterwards. */
export class PlenumServer {
  readonly #dataDir: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess;
  #url: string;

  private constructor(dataDir: string, settings: Record<string, string>, process: ChildProcess, url: string) {
    this.#dataDir = dataDir;
    this.#settings = settings;
    this.#process = process;
    this.#url = url;
  }

  /** `settings`: environment variables in addition to those of every test server. */
  static async start(settings: Record<string, string> = {}): Promise<PlenumServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'plenum-e2e-'));
    // If root starts the server, the database runs as another user, who needs access.
    await chmod(dataDir, 0o755);
    const { process, url } = await launch(dataDir, '127.0.0.1:0', settings);
    return new PlenumServer(dataDir, settings, process, url);
  }

  get url(): string {
    return this.#url;
  }

  /** The settings that other servers on the same database need: both of its keys. */
  get sharedKeys(): Record<string, string> {
    return {
      PLENUM_EVIDENCE_KEY_FILE: this.evidenceKeyFile,
      PLENUM_JWT_SECRET: readFileSync(join(this.#dataDir, 'signing-key'), 'utf8'),
    };
  }

  get evidenceKeyFile(): string {
    return join(this.#dataDir, 'evidence-key');
  }

  /** The folder of the socket of this server's own database. */
  get databaseSocket(): string {
    return join(this.#dataDir, 'run');
  }

  /** As in a power cut: no message is sent, and nothing is cleaned up. */
  async kill(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }

  /** With the same data and the same address, so that the screens find it again. */
  async startAgain(): Promise<void> {
    const { process, url } = await launch(this.#dataDir, new URL(this.#url).host, this.#settings);
    this.#process = process;
    this.#url = url;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MS);
      this.#process.kill('SIGTERM');
      await exited;
      clearTimeout(timer);
    }
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

async function launch(
  dataDir: string,
  listen: string,
  settings: Record<string, string>,
): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(BINARY, ['serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...settings,
      PLENUM_LISTEN: listen,
      PLENUM_DATA_DIR: dataDir,
      PLENUM_SUPER_ADMIN_EMAIL: superAdmin.email,
      PLENUM_SUPER_ADMIN_PASSWORD: superAdmin.password,
    },
  });
  const said: string[] = [];
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`The server did not start in time:\n${said.join('\n')}`));
    }, START_MS);
    child.once('error', fail);
    child.once('exit', () => {
      clearTimeout(timer);
      fail(new Error(`The server ended while starting:\n${said.join('\n')}`));
    });
    createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      const url = /^listening on (http:\/\/\S+)/.exec(line)?.[1];
      if (url) {
        clearTimeout(timer);
        child.removeAllListeners('exit');
        done({ process: child, url });
      }
    });
  });
}
