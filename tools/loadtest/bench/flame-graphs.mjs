import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { end, run, start } from './children.mjs';
import { costBreakdown } from './cost-breakdown.mjs';
import { endEverythingAtExit } from './exit.mjs';
import { temporaryFolder } from './folders.mjs';
import { play } from './load.mjs';
import { newHome, onServer } from './server.mjs';
import { FULL } from './sizes.mjs';

const { values: options } = parseArgs({
  options: {
    /** A build with frame pointers and symbols. */
    binary: { type: 'string', default: 'target/frame-pointers/release/plenum' },
    load: { type: 'string', default: 'target/release/plenum-load' },
    /** The folder of `inferno-collapse-perf` and `inferno-flamegraph`. */
    inferno: { type: 'string', default: 'target/inferno/bin' },
    to: { type: 'string', default: 'docs/performance' },
  },
});

const SAMPLES_A_SECOND = '997';
/** Narrower functions, in percent of the width, are left out, which keeps the files small. */
const NARROWEST = '0.3';

/** The rows of "where the time goes", with the progress after which nothing more is measured. */
const GRAPHS = {
  'where.ballot': { file: 'flame-ballot.svg', title: 'Ballots over 64 connections', last: FULL.whereRounds },
  'where.event': { file: 'flame-event.svg', title: 'Events to 10,000 presentations', last: FULL.whereSteps },
  'where.opening': { file: 'flame-opening.svg', title: 'Openings for 10,000 voters', last: FULL.whereSteps },
};

for (const program of [options.binary, options.load, options.inferno]) {
  if (!existsSync(program)) {
    throw new Error(`There is no ${program}.`);
  }
}
endEverythingAtExit();
const folder = temporaryFolder('flame-graphs');
for (const row of costBreakdown.rows) {
  await draw(row, GRAPHS[row.name], join(folder, row.name));
}

/** Profiles a row on a new server, and draws the samples of the server, its database and the simulated people. */
async function draw(row, { file, title, last }, samples) {
  const home = newHome();
  try {
    await onServer(options.binary, home, async (server) => {
      const players = await profile(server, row, last, samples);
      const to = join(options.to, file);
      await run('sh', ['-euc', pipeline({ samples, server, players, title, to })]);
      console.log(`Written to ${to}.`);
    });
  } finally {
    home.remove();
  }
}

/** Records the whole machine from the first progress to the last. Returns the process id of the simulated people. */
async function profile(server, row, last, samples) {
  let recorder;
  let players;
  const look = (line, { pid }) => {
    const done = Number(row.done.exec(line)?.[1]);
    if (recorder === undefined && done > 0) {
      players = pid;
      const record = ['record', '--quiet', '-F', SAMPLES_A_SECOND, '-g', '-a', '-o', samples];
      recorder = start('perf', record, { stdio: 'ignore' });
    } else if (done === last) {
      end(recorder);
    }
  };
  const context = { load: options.load, folder: { hasFailures: false } };
  try {
    await play(context, server, row.scenario, row.args(FULL), `${samples}.json`, look);
  } finally {
    if (recorder !== undefined) {
      await end(recorder);
    }
  }
  return players;
}

/** Groups the samples by program rather than by process, and leaves out the idle processor. */
function pipeline({ samples, server, players, title, to }) {
  const programs = [
    `s/^(.*)-${server.pid};/Plenum;\\1;/`,
    `s/^(.*)-${players};/voters and watchers;\\1;/`,
    's/^postgres-[0-9]+;/PostgreSQL;/',
  ];
  return `
    export PATH="$PWD/${options.inferno}:$PATH"
    perf script -i ${samples} -F comm,pid,tid,time,event,ip,sym,dso 2>/dev/null |
      inferno-collapse-perf --pid |
      sed -nE ${programs.map((one) => `-e '${one}'`).join(' ')} -e '/^(Plenum|voters and watchers|PostgreSQL);/p' |
      inferno-flamegraph --minwidth ${NARROWEST} --title '${title}' >'${to}'`;
}
