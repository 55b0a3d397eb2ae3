import { costBreakdown } from './cost-breakdown.mjs';
import { growth } from './growth.mjs';
import { instances } from './instances.mjs';
import { attempt, measureRows } from './row.mjs';
import { ROWS } from './rows.mjs';
import { newHome, onServer } from './server.mjs';
import { STARTS, timeToFirstAnswer } from './starting.mjs';

/** The stages of a measurement, each with its own servers. */
export const STAGES = [{ rows: [...STARTS, ...ROWS], measure: inTurn }, instances, costBreakdown, growth];

/** Each run with a new database. */
async function inTurn(context, rows, repeats) {
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const home = newHome();
    try {
      await measureStarts(context, rows, repeat, home);
      // In reverse order each second time, so that no row always follows the same one.
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

/** Groups consecutive rows for the same server. A row that needs a new server starts a new group. */
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
      // Even if the cold start was not requested, because the warm start needs it.
      const outcome = await timeToFirstAnswer(context.binary, home, start.variant);
      if (rows.some((row) => row.name === start.name)) {
        context.folder.add(repeat, start.name, outcome);
      }
    });
  }
}
