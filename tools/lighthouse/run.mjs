import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measure } from './measure.mjs';
import { misses, report } from './report.mjs';
import { screensOf } from './screens.mjs';
import { startServer } from './server.mjs';
import { makeWorld } from './world.mjs';

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string', default: 'target/release/plenum' },
    runs: { type: 'string', default: '3' },
    /** A part of an address: measures only matching screens, and writes no page. */
    only: { type: 'string', default: '' },
  },
});

if (!existsSync(options.binary)) {
  throw new Error(`${options.binary} does not exist.`);
}
const server = await startServer(options.binary);
let results;
try {
  const world = await makeWorld(`${server.url}/api`);
  const screens = screensOf(world).filter(({ path }) => path.includes(options.only));
  results = await measure(server.url, world, screens, Number(options.runs));
} finally {
  await server.stop();
}

const text = report(results, Number(options.runs));
console.log(`\n${text}`);
if (options.only === '') {
  await writeFile('docs/lighthouse.md', text);
}
const missed = misses(results);
if (missed.length > 0) {
  console.error(missed.join('\n'));
  process.exitCode = 1;
}
