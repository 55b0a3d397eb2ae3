import { growth } from './growth.mjs';
import { instances } from './instances.mjs';
import { attempt, measureRows } from './row.mjs';
import { ROWS } from './rows.mjs';
import { newHome, onServer } from './server.mjs';
import { STARTS, timeToFirstAnswer } from './starting.mjs';
import { whereTheTimeGoes } from './where.mjs';

/** What is measured in one go, on servers of its own. */
export const STAGES = [{ rows: [...STARTS, ...ROWS], measure: inTurn }, instances, whereTheTimeGoes, growth];

/** Each run with a new database. */
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
  for (const sharing of byServer(rows)) {
    const measure = (server) => measureRows(context, sharing, repeat, server);
    await attempt(context, sharing, repeat, () => onServer(context.binary, home, measure));
  }
}

/** Rows that follow one another on the same server: each that wants a new one begins anew. */
function byServer(rows) {
  const groups = [];
  for (const row of rows) {
    if (groups.length === 0 || row.isOnNewServer) {
      groups.push([]);
    }
    groups.at(-1).push(row);
  }
  return groups;
}

async function measureStarts(context, rows, repeat, home) {
  for (const start of STARTS) {
    await attempt(context, [start], repeat, async () => {
      // Also where nobody asks for it: the warm start needs the cold one.
      const outcome = await timeToFirstAnswer(context.binary, home, start.variant);
      if (rows.some((row) => row.name === start.name)) {
        context.folder.add(repeat, start.name, outcome);
      }
    });
  }
}
