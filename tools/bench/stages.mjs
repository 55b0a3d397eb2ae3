import { growth } from './growth.mjs';
import { instances } from './instances.mjs';
import { measureRows } from './row.mjs';
import { ROWS } from './rows.mjs';
import { newHome, startServer } from './server.mjs';
import { STARTS, timeToFirstAnswer } from './starting.mjs';
import { whereTheTimeGoes } from './where.mjs';

/** What is measured in one go, on servers of its own. */
export const STAGES = [{ rows: [...STARTS, ...ROWS], measure: inTurn }, instances, whereTheTimeGoes, growth];

/** Each run on a new server with a new database. */
async function inTurn(context, rows, repeats) {
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const home = newHome();
    try {
      await measureStarts(context, rows, repeat, home);
      // The other way round each second time, so that nobody always comes after the same one.
      const order = rows.filter(({ measure }) => measure !== undefined);
      await measureAll(context, repeat % 2 === 1 ? order : order.toReversed(), repeat, home);
    } finally {
      home.remove();
    }
  }
}

async function measureAll(context, rows, repeat, home) {
  let server = await startServer(context.binary, home);
  try {
    for (const row of rows) {
      if (row.isOnNewServer) {
        await server.stop();
        server = await startServer(context.binary, home);
      }
      await measureRows(context, [row], repeat, server);
    }
  } finally {
    await server.stop();
  }
}

async function measureStarts(context, rows, repeat, home) {
  for (const { name, variant } of STARTS) {
    // Also where nobody asks for it: the warm start needs the cold one.
    const outcome = await timeToFirstAnswer(context.binary, home, variant);
    if (rows.some((row) => row.name === name)) {
      context.folder.add(repeat, name, outcome);
    }
  }
}
