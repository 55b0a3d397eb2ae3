import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

const PROGRAM = [process.env.NGINX ?? '', '/usr/sbin/nginx'].find((program) => existsSync(program));
const START_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** No settings: Plenum needs none. */
export const DEFAULT_SETTINGS = '';

/** Buffers every response. */
export const BUFFERING = `
  proxy_buffering on;
  proxy_ignore_headers X-Accel-Buffering;`;

/** Compresses streams as well, and forwards no data until the compressor's buffer is full. */
export const HOLDING_BACK = `${BUFFERING}
  proxy_set_header Accept-Encoding "";
  proxy_hide_header Content-Encoding;
  gzip_proxied any;
  gzip_types *;`;

/** A reverse proxy in front of the server, on a free port. Its files are deleted afterwards. */
export class Nginx {
  readonly url: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  static readonly isInstalled = PROGRAM !== undefined;

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#process = process;
  }

  static async start(targetUrl: string, settings: string): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'plenum-nginx-'));
    // If root starts nginx, its workers run as another user.
    await chmod(folder, 0o755);
    const port = await freePort();
    const configuration = join(folder, 'nginx.conf');
    await writeFile(configuration, configured(folder, port, targetUrl, settings));
    const child = spawn(PROGRAM ?? 'nginx', ['-p', folder, '-c', configuration], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const nginx = new Nginx(`http://127.0.0.1:${port}`, folder, child);
    await nginx.#untilItAnswers();
    return nginx;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #untilItAnswers(): Promise<void> {
    const said: string[] = [];
    this.#process.stderr?.on('data', (chunk) => said.push(String(chunk)));
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline && this.#process.exitCode === null) {
      const answer = await fetch(`${this.url}/health`).catch(() => null);
      if (answer?.ok) {
        return;
      }
      await pass(LOOK_EVERY_MS);
    }
    await this.stop();
    throw new Error(`nginx did not start:\n${said.join('')}`);
  }
}

/** Debian's configuration with a site that forwards all requests; only file paths are changed. */
function configured(folder: string, port: number, targetUrl: string, settings: string): string {
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
worker_processes auto;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  default_type application/octet-stream;
  gzip on;
  access_log off;
  client_body_temp_path ${folder}/client-body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;${settings}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${targetUrl}; }
  }
}
`;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
