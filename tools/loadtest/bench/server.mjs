import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { end, start } from './children.mjs';
import { removeFolder, temporaryFolder } from './folders.mjs';

/** The credentials of the scenarios. */
export const superAdmin = { email: 'root@plenum.test', password: 'correct horse battery' };

/** The folder of a future server, and its future database. */
export function newHome() {
  const folder = temporaryFolder('server');
  return { folder, remove: () => removeFolder(folder) };
}

/** Starts `binary` on a free port with the embedded database of `home`. */
export async function startServer(binary, home) {
  const server = await startWith(binary, home, {});
  try {
    return { ...server, database: databaseOf(home) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Works on a server with the embedded database of `home`, and stops it afterwards. */
export async function onServer(binary, home, work) {
  const server = await startServer(binary, home);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Starts `binary` on a free port with these environment variables, and with `home` for its data. */
export async function startWith(binary, home, variables) {
  const child = start(binary, ['serve'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...environmentOf(home),
      PLENUM_LISTEN: '127.0.0.1:0',
      PLENUM_LOG: 'warn',
      PLENUM_SUPER_ADMIN_EMAIL: superAdmin.email,
      PLENUM_SUPER_ADMIN_PASSWORD: superAdmin.password,
      ...variables,
    },
  });
  try {
    const url = await addressOf(child, binary);
    return { url, pid: child.pid, stop: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

/** Runs a command of `binary` on the stopped server of `home`. */
export function runCommand(binary, home, args) {
  execFileSync(binary, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environmentOf(home) });
}

/** The environment without the settings of another server. */
function environmentOf(home) {
  const { DATABASE_URL, PLENUM_BASE_PATH, PLENUM_EVIDENCE_KEY_FILE, PLENUM_JWT_SECRET, PLENUM_NATS_URL, PLENUM_SECRET_KEYS_DIR, ...environment } =
    process.env;
  return { ...environment, PLENUM_DATA_DIR: home.folder };
}

async function addressOf(child, binary) {
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (http:\/\/\S+)/.exec(line)?.[1];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error(`${binary} ended before it listened.`);
}

/**
 * The address of the embedded database, from its own files: a Unix socket, and a port that is only a part of its name.
 */
function databaseOf(home) {
  const clusters = readdirSync(home.folder, { recursive: true }).filter((path) => path.endsWith('postmaster.pid'));
  if (clusters.length !== 1) {
    throw new Error('The server has no database of its own.');
  }
  const [pid, , , port, socketFolder] = readFileSync(join(home.folder, clusters[0]), 'utf8').split('\n');
  const environment = { PGHOST: socketFolder, PGPORT: port, PGUSER: 'plenum', PGDATABASE: 'plenum' };
  return { pid: Number(pid), environment: { ...process.env, ...environment } };
}
