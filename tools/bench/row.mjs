import { missingFiles, missingFor } from './programs.mjs';

/** Measures one row after another; one that fails does not keep the others from being measured. */
export async function measureRows(context, rows, repeat, server) {
  for (const { name, needs, files, measure, after } of rows) {
    const missing = missingFor(context.programs, needs) ?? missingFiles(files?.(context.sizes) ?? 0);
    if (missing !== null) {
      context.folder.leaveOut(name, missing);
      continue;
    }
    console.error(`run ${repeat}: ${name}`);
    try {
      const outcome = await measure(context, server, context.folder.fileOf(repeat, name));
      context.folder.add(repeat, name, outcome);
      after?.(context, outcome);
    } catch (error) {
      context.folder.fail(name, error);
    }
  }
}
