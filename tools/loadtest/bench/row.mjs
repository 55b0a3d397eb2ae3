import { isEnding } from './children.mjs';
import { missingFiles, missingFor } from './programs.mjs';

/** Measures one row after another. The failure of one does not stop the others. */
export async function measureRows(context, rows, repeat, server) {
  for (const row of rows) {
    const missing = missingFor(context.programs, row.needs) ?? missingFiles(row.files?.(context.sizes) ?? 0);
    if (missing === null) {
      await measureRow(context, row, repeat, server);
    } else {
      context.folder.leaveOut(row.name, missing);
    }
  }
}

async function measureRow(context, { name, measure, after }, repeat, server) {
  console.error(`run ${repeat}: ${name}`);
  try {
    const outcome = await measure(context, server, context.folder.fileOf(repeat, name));
    context.folder.add(repeat, name, outcome);
    after?.(context, outcome);
  } catch (error) {
    unlessEnding(error);
    context.folder.failIn(repeat, name, error);
  }
}

/**
 * Runs the common part of several rows, such as the start of a server. If it fails, its rows without an outcome get the
 * reason, and later rows are still measured.
 */
export async function attempt(context, rows, repeat, part) {
  try {
    await part();
  } catch (error) {
    unlessEnding(error);
    const names = rows.map(({ name }) => name);
    context.folder.failRest(repeat, names, error);
  }
}

/** Rethrows if the user has stopped the whole run. */
function unlessEnding(error) {
  if (isEnding()) {
    throw error;
  }
}
