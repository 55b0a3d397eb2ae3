import { play } from './load.mjs';
import { figure, outcome } from './outcome.mjs';
import { processorTimeOf } from './processes.mjs';
import { attempt, measureRows } from './row.mjs';
import { newHome, onServer } from './server.mjs';
import { keepStatements, logBytes, statements } from './statements.mjs';

const NEEDS = ['/proc'];
const STATEMENTS_SHOWN = 4;
const LOG = "PostgreSQL's write-ahead log";

/**
 * The costs of a ballot, of an event and of an opening, by process, with the bytes of PostgreSQL's write-ahead log.
 * They are read whenever `plenum-load` reports progress. Its work before the first report (creating the voters and
 * signing them in) and after the last one (comparing its journal with the results) is excluded.
 */
export const costBreakdown = {
  rows: [
    {
      name: 'where.ballot',
      scenario: 'ballots',
      args: ({ connections, voters, whereRounds }) => [
        ...['--connections', connections, '--voters', voters],
        ...['--rounds', whereRounds],
      ],
      done: /round (\d+): /,
      times: ({ voters }) => voters,
    },
    {
      name: 'where.event',
      scenario: 'fan-out',
      args: ({ watchers, whereSteps }) => [
        ...['--as', 'screens', '--step', 'show', '--voters', 1, '--watchers', watchers],
        ...['--steps', whereSteps, '--pause', '100ms'],
      ],
      done: /(\d+) of \d+ steps/,
      times: () => 1,
    },
    {
      name: 'where.opening',
      scenario: 'fan-out',
      args: ({ watchers, whereSteps }) => [
        ...['--as', 'voters', '--step', 'open', '--watchers', watchers, '--steps', whereSteps, '--pause', '100ms'],
      ],
      done: /(\d+) of \d+ steps/,
      times: () => 1,
    },
  ],
  measure,
};

async function measure(context, rows, repeats) {
  const home = newHome();
  try {
    await onServer(context.binary, home, async (server) => {
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        const asked = rows.map((row) => ({ ...row, needs: NEEDS, measure: () => costOfOne(context, server, row) }));
        await measureRows(context, asked, repeat, server);
      }
      await keepStatements(server.database);
    });
    // In a separate run, because recording statements takes time as well.
    await onServer(context.binary, home, (server) => addStatements(context, server, rows));
  } finally {
    home.remove();
  }
}

async function costOfOne(context, server, row) {
  const read = async (players) => ({ ...processorTimes(server, players), [LOG]: await logBytes(server.database) });
  const { [LOG]: bytes, ...seconds } = await spentOnOne(context, server, row, read);
  const parts = Object.entries(seconds).map(([name, value]) => figure(name, 'µs', value * 1e6));
  const sum = parts.reduce((total, { value }) => total + value, 0);
  return outcome('where', row.scenario, {}, [...parts, figure('all of them', 'µs', sum), figure(LOG, 'B', bytes)]);
}

/** Adds the durations of the slowest statements to the first run. */
async function addStatements(context, server, rows) {
  for (const row of rows.filter(({ name }) => context.folder.has(1, name))) {
    await attempt(context, [row], 1, async () => {
      const read = () => statements(server.database);
      const milliseconds = await spentOnOne(context, server, row, read);
      const parts = Object.entries(milliseconds).map(([text, value]) => figure(`statement: ${text}`, 'µs', value * 1e3));
      const measured = context.folder.outcome(1, row.name);
      measured.figures.push(...parts.toSorted((one, other) => other.value - one.value).slice(0, STATEMENTS_SHOWN));
      context.folder.add(1, row.name, measured);
    });
  }
}

/** The cost of one ballot or event, as counted by `read`. */
async function spentOnOne(context, server, row, read) {
  const looks = [];
  const look = (line, players) => {
    const done = row.done.exec(line)?.[1];
    if (done !== undefined) {
      looks.push({ done: Number(done), spent: read(players.pid) });
    }
  };
  await play(context, server, row.scenario, row.args(context.sizes), context.folder.fileAside(), look);
  const [first, last] = [looks[0], looks.at(-1)];
  const count = (last.done - first.done) * row.times(context.sizes);
  const [before, after] = [await first.spent, await last.spent];
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - (before[name] ?? 0)) / count]));
}

function processorTimes(server, playersPid) {
  const plenum = processorTimeOf(server.pid);
  const postgres = processorTimeOf(server.database.pid, true);
  const players = processorTimeOf(playersPid);
  return {
    'Plenum: itself': plenum.user,
    'Plenum: in the kernel': plenum.system,
    'PostgreSQL: itself': postgres.user,
    'PostgreSQL: in the kernel': postgres.system,
    'voters and watchers: themselves': players.user,
    'voters and watchers: in the kernel': players.system,
  };
}
