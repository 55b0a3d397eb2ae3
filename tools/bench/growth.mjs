import { play } from './load.mjs';
import { newHome, startServer } from './server.mjs';
import { measureRows } from './row.mjs';

const FILL_HISTORY = 'tools/bench/fill-history.sql';

/** The same operations in an empty database, and then in the same one with a long history. */
export const growth = { rows: [{ name: 'growth.empty' }, { name: 'growth.filled' }], measure };

async function measure(context, _rows, repeats) {
  const home = newHome();
  try {
    const server = await startServer(context.binary, home);
    try {
      await repeat(context, server, 'growth.empty', 'empty', repeats, () => []);
      console.error('Filling the database takes minutes.');
      await repeat(context, server, 'growth.filled', 'filled', repeats, (number) => ['--fill', fill(context, number)]);
    } finally {
      await server.stop();
    }
  } finally {
    home.remove();
  }
}

async function repeat(context, server, name, level, repeats, argsOf) {
  for (let number = 1; number <= repeats; number += 1) {
    const asked = Object.entries(context.sizes.growth).flatMap(([option, value]) => [`--${option}`, value]);
    const args = ['--seed', number, '--level', level, ...asked, ...argsOf(number)];
    const row = { name, needs: ['psql'], measure: (_, running, file) => play(context, running, 'growth', args, file) };
    await measureRows(context, [row], number, server);
  }
}

/** History is there once; what belongs to the organization that is measured is needed for each of them. */
function fill({ programs, sizes }, number) {
  const isFirst = number === 1;
  const wanted = isFirst ? sizes.history : { ...sizes.history, clients: 1, meetings: 1, votes: 1 };
  const variables = Object.entries(wanted).map(([name, value]) => ` --set ${name}=${value}`);
  const psql = `${programs.psql} --no-psqlrc --quiet --set ON_ERROR_STOP=1`;
  return `${psql} --set client="$PLENUM_LOAD_CLIENT_ID"${variables.join('')} --file ${FILL_HISTORY}`;
}
