import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { superAdmin } from './world.mjs';

/** Starts `binary` on a free port with its own database. `stop` removes everything. */
export async function startServer(binary) {
  const dataDir = await mkdtemp(join(tmpdir(), 'plenum-lighthouse-'));
  // If root starts it, the database runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755);
  const { DATABASE_URL, PLENUM_BASE_PATH, ...environment } = process.env;
  const server = spawn(binary, ['serve'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...environment,
      PLENUM_LISTEN: '127.0.0.1:0',
      PLENUM_DATA_DIR: dataDir,
      PLENUM_SUPER_ADMIN_EMAIL: superAdmin.email,
      PLENUM_SUPER_ADMIN_PASSWORD: superAdmin.password,
    },
  });
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { url: await addressOf(server, binary), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(server, binary) {
  server.on('error', () => undefined);
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /^listening on (http:\/\/\S+)/.exec(line)?.[1];
    if (url) {
      server.stdout.resume();
      return url;
    }
  }
  throw new Error(`${binary} ended before it listened.`);
}
