import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../lighthouse/server.mjs';
import { startFirefox } from './firefox.mjs';
import { meetingJourney, voterJourney } from './journeys.mjs';
import { startWebkit } from './webkit.mjs';

const ENGINES = { firefox: startFirefox, webkit: startWebkit };

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string', default: 'target/debug/plenum' },
    /** Only the voter, in all browsers at once. */
    voter: { type: 'boolean', default: false },
    /** Only the whole meetings. */
    meeting: { type: 'boolean', default: false },
    /** `firefox` or `webkit`. */
    only: { type: 'string', default: '' },
    /** A folder for screenshots. */
    pictures: { type: 'string', default: '' },
  },
});

if (!existsSync(options.binary)) {
  throw new Error(`${options.binary} does not exist.`);
}
if (options.only !== '' && !(options.only in ENGINES)) {
  throw new Error(`--only takes ${Object.keys(ENGINES).join(' or ')}.`);
}
if (options.pictures !== '') {
  await mkdir(options.pictures, { recursive: true });
}

const pictures = (page, who) => async (what) => {
  if (options.pictures !== '') {
    await page.picture(join(options.pictures, `${who}-${what}.png`));
  }
};

const begun = Date.now();
const server = await startServer(options.binary);
const browsers = [];
try {
  const wanted = Object.entries(ENGINES).filter(([name]) => options.only === '' || options.only === name);
  for (const [name, start] of wanted) {
    const browser = await start();
    if (browser) {
      browsers.push(browser);
    } else {
      console.error(`SKIPPED ${name}: it is not installed. scripts/install-browsers.sh says what is missing.`);
    }
  }
  if (browsers.length > 0 && !options.meeting) {
    await voterJourney(server.url, browsers, pictures);
    report('a voter', browsers);
  }
  if (!options.voter) {
    for (const browser of browsers) {
      await meetingJourney(server.url, browser, pictures);
      report('a whole meeting', [browser]);
    }
  }
} finally {
  await Promise.allSettled(browsers.map((browser) => browser.stop()));
  await server.stop();
}

function report(what, played) {
  const names = played.map(({ name, version }) => `${name} ${version}`).join(' and ');
  console.log(`${what} in ${names}: passed (${Math.round((Date.now() - begun) / 1000)} s since the start)`);
}
