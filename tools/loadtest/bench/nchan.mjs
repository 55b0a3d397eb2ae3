import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { end, start } from './children.mjs';
import { removeFolder, temporaryFolder } from './folders.mjs';
import { childrenOf } from './processes.mjs';

const START_MS = 15_000;
const LOOK_EVERY_MS = 20;

/** nginx with nchan on a free port: messages posted to `publishUrl` go to all subscribers of `subscribeUrl`. */
export async function startNchan(programs, watchers) {
  const folder = temporaryFolder('nchan');
  const port = await freePort();
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, configured(folder, port, programs.nchan, watchers));
  const child = start(programs.nginx, ['-p', folder, '-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = async () => {
    await end(child);
    removeFolder(folder);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilItAnswers(child, url);
    return { subscribeUrl: `${url}/watch`, publishUrl: `${url}/publish`, pid: workerOf(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * One worker, which holds all streams. With two, a message goes from one process to the other first, and the watchers
 * need the machine's other core. One process also has a memory that can be read.
 */
function configured(folder, port, nchan, watchers) {
  return `
load_module ${nchan};
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
worker_processes 1;
worker_rlimit_nofile ${watchers + 2200};
events { worker_connections ${watchers + 2000}; }
http {
  access_log off;
  client_body_temp_path ${folder}/client-body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /health { return 204; }
    location = /publish { nchan_publisher; nchan_channel_id meeting; }
    location = /watch { nchan_subscriber eventsource; nchan_channel_id meeting; nchan_subscriber_first_message newest; }
  }
}
`;
}

async function untilItAnswers(child, url) {
  const said = [];
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await pass(LOOK_EVERY_MS);
  }
  throw new Error(`nginx with nchan did not start:\n${said.join('')}`);
}

function workerOf(child) {
  const [worker] = childrenOf(child.pid);
  return worker ?? child.pid;
}

async function freePort() {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
