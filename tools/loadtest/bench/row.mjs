import { isEnding } from './children.mjs';
import { missingFiles, missingFor } from './programs.mjs';

/** Measures one row after another; one that fails does not keep the others from being measured. */
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
 * Carries out what several rows need, a server that starts above all. If it breaks off, those that it left without an
 * outcome say why, and whatever comes after it is measured.
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

/** Somebody wants all of it to end. */
function unlessEnding(error) {
  if (isEnding()) {
    throw error;
  }
}
