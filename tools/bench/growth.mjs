import { play, sqlCommand } from './load.mjs';
import { measureRows } from './row.mjs';
import { newHome, onServer } from './server.mjs';
import { query } from './sql.mjs';

const FILL_HISTORY = 'tools/bench/fill-history.sql';

/** The same operations in an empty database, and then in the same one with a long history. */
export const growth = { rows: [{ name: 'growth.empty' }, { name: 'growth.filled' }], measure };

async function measure(context, _rows, repeats) {
  const home = newHome();
  try {
    await onServer(context.binary, home, async (server) => {
      await repeat(context, server, 'growth.empty', 'empty', repeats, () => []);
      console.error('Filling the database takes minutes.');
      await repeat(context, server, 'growth.filled', 'filled', repeats, async () => ['--fill', await fill(context, server)]);
    });
  } finally {
    home.remove();
  }
}

async function repeat(context, server, name, level, repeats, argsOf) {
  for (let number = 1; number <= repeats; number += 1) {
    const asked = Object.entries(context.sizes.growth).flatMap(([option, value]) => [`--${option}`, value]);
    const args = ['--seed', number, '--level', level, ...asked, ...(await argsOf())];
    const row = { name, needs: [], measure: (_, running, file) => play(context, running, 'growth', args, file) };
    await measureRows(context, [row], number, server);
  }
}

/** History is filled in once; what belongs to the organization that is measured is needed for each of them. */
async function fill({ sizes }, server) {
  const past = "SELECT EXISTS (SELECT FROM clients WHERE client_code LIKE 'past-%') AS is_there";
  const [{ is_there: isThere }] = await query(server.database.environment, past);
  const wanted = isThere ? { ...sizes.history, clients: 1, ...shareOf(sizes.history) } : sizes.history;
  const settings = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return sqlCommand(FILL_HISTORY, ['client="$PLENUM_LOAD_CLIENT_ID"', ...settings]);
}

/** The past meetings of the organization that is measured, with as many votes each as all others have. */
function shareOf({ meetings, client_meetings: own, votes }) {
  return { meetings: own, votes: Math.ceil((votes / meetings) * own) };
}
