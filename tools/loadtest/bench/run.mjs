import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endAll, run } from './children.mjs';
import { endEverythingAtExit } from './exit.mjs';
import { Folder } from './folder.mjs';
import { machine } from './machine.mjs';
import { findPrograms } from './programs.mjs';
import { attempt } from './row.mjs';
import { FULL, SHORT } from './sizes.mjs';
import { STAGES } from './stages.mjs';

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string', default: 'target/release/plenum' },
    load: { type: 'string', default: 'target/release/plenum-load' },
    repeats: { type: 'string' },
    /** Less of everything, once: it takes about a minute, and judges no target. */
    short: { type: 'boolean', default: false },
    /**
     * Only rows whose name begins with this: `ballots`, `fan-out`, `sign-in-burst`, `assembly`, `instances`, `growth`,
     * `start`, `where`.
     */
    only: { type: 'string', default: '' },
    /** The page. An incomplete one is written below target, not into the documentation. */
    to: { type: 'string' },
    /** The folder of the page's outcomes, which may contain nothing else. */
    measured: { type: 'string', default: 'target/bench/measured' },
  },
});

const isWhole = !options.short && options.only === '';
const to = options.to ?? (isWhole ? 'docs/performance.md' : 'target/bench/performance.md');
const sizes = options.short ? SHORT : FULL;
const repeats = Number(options.repeats ?? (options.short ? 1 : 5));

for (const binary of [options.binary, options.load]) {
  if (!existsSync(binary)) {
    throw new Error(`There is no ${binary}.`);
  }
}
endEverythingAtExit();

const programs = findPrograms();
const folder = new Folder(options.measured);
const context = { binary: options.binary, load: options.load, programs, sizes, folder, eventBytes: undefined };
try {
  folder.begin(await machine(options.binary, programs, options.short));
  for (const stage of STAGES) {
    const rows = stage.rows.filter(({ name }) => name.startsWith(options.only));
    if (rows.length > 0) {
      await attempt(context, rows, 1, () => stage.measure(context, rows, repeats));
    }
  }
} catch (error) {
  await endAll();
  throw error;
}
const table = await run(options.load, ['report', '--from', folder.path, '--to', to]);
console.log(`\n${table}\nWritten to ${to}.`);
if (folder.hasFailures) {
  process.exitCode = 1;
}
