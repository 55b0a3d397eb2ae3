import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { play } from './load.mjs';
import { startNats } from './nats.mjs';
import { memoryFigures } from './processes.mjs';
import { missingFor } from './programs.mjs';
import { attempt, measureRows } from './row.mjs';
import { newHome, startServer, startWith } from './server.mjs';
import { query } from './sql.mjs';

const NEEDS = ['nats-server'];
const BUS_MS = 15_000;
const LOOK_EVERY_MS = 50;
/** Open files in addition to one for each connection. */
const OTHER_FILES = 200;

/** The numbers of instances. Several receive calls and streams in turn, all with the same settings. */
const COUNTS = { one: 1, two: 2, three: 3 };
const ORDINALS = ['first', 'second', 'third'];

export const instances = {
  rows: Object.keys(COUNTS).flatMap((count) => [
    // First, before any other use of memory.
    { name: `instances.event-${count}`, count, needs: NEEDS, files: ({ instances: of }) => of.watchers + OTHER_FILES, measure: event },
    { name: `instances.ballots-${count}`, count, needs: NEEDS, measure: ballots },
  ]),
  measure,
};

async function measure(context, rows, repeats) {
  const missing = missingFor(context.programs, NEEDS);
  if (missing !== null) {
    rows.forEach(({ name }) => context.folder.leaveOut(name, missing));
    return;
  }
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    // In reverse order each second time.
    const counts = Object.keys(COUNTS);
    for (const count of repeat % 2 === 1 ? counts : counts.toReversed()) {
      const wanted = rows.filter((row) => row.count === count);
      if (wanted.length > 0) {
        const work = (site) => measureRows(context, wanted, repeat, site);
        await attempt(context, wanted, repeat, () => onSite(context, COUNTS[count], work));
      }
    }
  }
}

/**
 * Uses the database of an otherwise unused server, the same one as for all other rows, with a schema of its own: that server has
 * no NATS, so it shares its tables with no instance.
 */
async function onSite(context, count, work) {
  const stops = [];
  const stopping = (one) => {
    stops.push(one.stop);
    return one;
  };
  const home = () => {
    const made = newHome();
    stops.push(made.remove);
    return made;
  };
  try {
    const keepsDatabase = home();
    const { database } = stopping(await startServer(context.binary, keepsDatabase));
    await query(database.environment, 'CREATE SCHEMA instances');
    await query(database.environment, 'ALTER ROLE plenum IN DATABASE plenum SET search_path = instances');
    const nats = stopping(await startNats(context.programs['nats-server']));
    const shared = {
      DATABASE_URL: addressOf(database),
      PLENUM_JWT_SECRET: readFileSync(join(keepsDatabase.folder, 'signing-key'), 'utf8'),
      PLENUM_EVIDENCE_KEY_FILE: join(keepsDatabase.folder, 'evidence-key'),
      PLENUM_NATS_URL: nats.url,
    };
    const running = [];
    for (let number = 0; number < count; number += 1) {
      running.push(stopping(await startWith(context.binary, home(), shared)));
    }
    for (const { url } of running) {
      await untilConnected(url);
    }
    await work({ urls: running.map(({ url }) => url), pids: running.map(({ pid }) => pid), nats, database });
  } finally {
    for (const stop of stops.toReversed()) {
      await stop();
    }
  }
}

/** In libpq's format: the folder of a socket takes the place of the host. */
function addressOf({ environment: { PGHOST, PGPORT, PGUSER, PGDATABASE } }) {
  return `postgresql://${PGUSER}@/${PGDATABASE}?host=${encodeURIComponent(PGHOST)}&port=${PGPORT}`;
}

async function untilConnected(url) {
  const deadline = Date.now() + BUS_MS;
  while (Date.now() < deadline) {
    const ready = await fetch(`${url}/health/ready`).then((answer) => answer.json());
    if (ready.bus === 'connected') {
      return;
    }
    await pass(LOOK_EVERY_MS);
  }
  throw new Error('An instance does not reach nats-server.');
}

async function event(context, site, file) {
  const { watchers, steps } = context.sizes.instances;
  const played = ['--watchers', watchers, '--steps', steps, '--pause', context.sizes.pause];
  const args = ['--as', 'screens', '--step', 'open', '--voters', 1, ...played];
  const idle = memoryOf(site, 'idle');
  let watched = [];
  const look = (line) => {
    // Each tenth, and the last; the memory of connecting has been released before.
    if (/\d+ of \d+ steps/.test(line)) {
      watched = [...memoryOf(site, 'watched'), ...memoryFigures({ nats_memory: site.nats.pid })];
    }
  };
  const measured = await play(context, site, 'fan-out', args, file, look);
  measured.figures.push(...idle, ...watched);
  return measured;
}

async function ballots(context, site, file) {
  const { voters, rounds } = context.sizes.instances;
  const args = ['--connections', context.sizes.connections, '--voters', voters, '--rounds', rounds];
  const measured = await play(context, site, 'ballots', args, file);
  measured.figures.push(...memoryOf(site, 'after'));
  return measured;
}

function memoryOf({ pids }, when) {
  const named = pids.map((pid, index) => [`${ORDINALS[index]}_memory_${when}`, pid]);
  return memoryFigures(Object.fromEntries(named));
}
