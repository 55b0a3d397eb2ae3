import { play, sqlCommand } from './load.mjs';
import { figure, medianOutcome, outcome } from './outcome.mjs';
import { attempt, measureRows } from './row.mjs';
import { newHome, onServer } from './server.mjs';
import { query } from './sql.mjs';
import { buffers, keepStatements } from './statements.mjs';

const FILL_HISTORY = 'tools/loadtest/bench/fill-history.sql';
const LEVELS = ['empty', 'filled'];
const TURNS = 3;
const STATEMENTS_SHOWN = 6;
const BUFFERS_ROW = 'growth.buffers';

/**
 * The same operations in an empty database and in one with a long history, in turn. So a change on the machine during
 * the run affects both. Then the buffers that each statement reads in either.
 */
export const growth = {
  rows: [...LEVELS.map((level) => ({ name: rowOf(level) })), { name: BUFFERS_ROW }],
  measure,
};

function rowOf(level) {
  return `growth.${level}`;
}

async function measure(context, rows, repeats) {
  const homes = LEVELS.map(() => newHome());
  try {
    for (const home of homes) {
      await onServer(context.binary, home, ({ database }) => keepStatements(database));
    }
    await onServers(context, homes, async (servers) => {
      // Recording statements takes time as well, so it is off while the time counts.
      await recordStatements(servers, 'none');
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        await measureInTurn(context, servers, repeat);
      }
      await recordStatements(servers, 'top');
      for (const row of rows.filter(({ name }) => name === BUFFERS_ROW)) {
        await attempt(context, [row], 1, () => addBuffers(context, servers));
      }
    });
  } finally {
    for (const home of homes) {
      home.remove();
    }
  }
}

async function recordStatements(servers, which) {
  for (const { database } of servers) {
    await query(database.environment, `ALTER SYSTEM SET pg_stat_statements.track = ${which}`);
    await query(database.environment, 'SELECT pg_reload_conf()');
  }
}

/** Works on a server for each home. */
function onServers(context, [first, second], work) {
  return onServer(context.binary, first, (one) => onServer(context.binary, second, (other) => work([one, other])));
}

/** Each level several times, and each second time in reverse order. An outcome is the medians of its turns. */
async function measureInTurn(context, servers, repeat) {
  const turns = LEVELS.map(() => []);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const order = (repeat + turn) % 2 === 0 ? LEVELS.keys() : [...LEVELS.keys()].toReversed();
    for (const level of order) {
      const measure = async (_, server, file) => {
        turns[level].push(await playOn(context, server, level, repeat * TURNS + turn, file));
        return medianOutcome(turns[level]);
      };
      await measureRows(context, [{ name: rowOf(LEVELS[level]), needs: [], measure }], repeat, servers[level]);
    }
  }
}

/** Plays the scenario in one of the two databases. */
async function playOn(context, server, level, seed, file) {
  const sizes = Object.entries(context.sizes.growth).flatMap(([option, value]) => [`--${option}`, value]);
  const filling = LEVELS[level] === 'filled' ? ['--fill', await fill(context, server)] : [];
  return play(context, server, 'growth', ['--seed', seed, '--level', LEVELS[level], ...sizes, ...filling], file);
}

/** The buffers of a call, for the statements of all rounds whose buffers grew most. */
async function addBuffers(context, servers) {
  const counted = [];
  for (const [level, server] of servers.entries()) {
    await playOn(context, server, level, 0, context.folder.fileAside());
    counted.push(await buffers(server.database, context.sizes.growth.repeats));
  }
  const [empty, filled] = counted;
  const growthOf = (text) => (filled[text].each - empty[text].each) * filled[text].calls;
  const texts = Object.keys(filled).filter((text) => empty[text] !== undefined);
  const figures = texts
    .toSorted((one, other) => growthOf(other) - growthOf(one))
    .slice(0, STATEMENTS_SHOWN)
    .flatMap((text) => [figure(`empty: ${text}`, '1', empty[text].each), figure(`full: ${text}`, '1', filled[text].each)]);
  context.folder.add(1, BUFFERS_ROW, outcome('growth', 'buffers', {}, figures));
}

/** The history is filled in once; the data of the measured organization are needed for each. */
async function fill({ sizes }, server) {
  const past = "SELECT EXISTS (SELECT FROM clients WHERE client_code LIKE 'past-%') AS is_there";
  const [{ is_there: isThere }] = await query(server.database.environment, past);
  if (!isThere) {
    console.error('Filling the database takes minutes.');
  }
  const wanted = isThere ? { ...sizes.history, clients: 1, ...shareOf(sizes.history) } : sizes.history;
  const settings = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return sqlCommand(FILL_HISTORY, ['client="$PLENUM_LOAD_CLIENT_ID"', ...settings]);
}

/** The past meetings of the measured organization, with as many votes each as all others have. */
function shareOf({ meetings, client_meetings: own, votes }) {
  return { meetings: own, votes: Math.ceil((votes / meetings) * own) };
}
