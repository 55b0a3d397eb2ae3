import { createInterface } from 'node:readline';
import { end, start } from './children.mjs';

/** nats-server on loopback, on a port that the system chooses. */
export async function startNats(program) {
  const child = start(program, ['--addr', '127.0.0.1', '--port', '-1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    return { url: `nats://127.0.0.1:${await portOf(child)}`, pid: child.pid, stop: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

async function portOf(child) {
  let port;
  for await (const line of createInterface({ input: child.stderr })) {
    port ??= /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined && line.includes('Server is ready')) {
      child.stderr.resume();
      return port;
    }
  }
  throw new Error('nats-server ended before it was ready.');
}
