import { play, sqlCommand } from './load.mjs';
import { measureRows } from './row.mjs';
import { newHome, onServer } from './server.mjs';
import { query } from './sql.mjs';

const FILL_HISTORY = 'tools/loadtest/bench/fill-history.sql';

/**
 * The same operations in an empty database and in one with a long history, in turn. So a change on the machine during
 * the run affects both.
 */
export const growth = { rows: [{ name: 'growth.empty' }, { name: 'growth.filled' }], measure };

async function measure(context, _rows, repeats) {
  await onNewServer(context, (empty) =>
    onNewServer(context, async (filled) => {
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        const turns = [
          () => measureLevel(context, empty, 'empty', repeat, () => []),
          () => measureLevel(context, filled, 'filled', repeat, async () => ['--fill', await fill(context, filled)]),
        ];
        for (const turn of repeat % 2 === 1 ? turns : turns.toReversed()) {
          await turn();
        }
      }
    }),
  );
}

async function onNewServer(context, work) {
  const home = newHome();
  try {
    await onServer(context.binary, home, work);
  } finally {
    home.remove();
  }
}

async function measureLevel(context, server, level, repeat, argsOf) {
  const asked = Object.entries(context.sizes.growth).flatMap(([option, value]) => [`--${option}`, value]);
  const measure = async (_, running, file) =>
    play(context, running, 'growth', ['--seed', repeat, '--level', level, ...asked, ...(await argsOf())], file);
  await measureRows(context, [{ name: `growth.${level}`, needs: [], measure }], repeat, server);
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
