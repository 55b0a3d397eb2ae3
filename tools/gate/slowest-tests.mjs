import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `test http::identity::… ... ok <1.204s>`, as libtest prints it with --report-time. */
const OF_RUST = /^test (\S+) \.\.\. \w+ <([\d.]+)s>$/;
/** `  ✓  12 meeting-day.spec.ts:31:1 › a meeting day (12.3s)`, as Playwright's list reporter prints it. */
const OF_PLAYWRIGHT = /^\s*\S+\s+\d+ (\S+ › .+) \((?:([\d.]+)m|([\d.]+)(m?s))\)$/;

/**
 * The tests in a recipe's output with their times: `{name, seconds}` each.
 * @param {string} output
 */
export function testsIn(output) {
  return output.split('\n').flatMap((line) => {
    const rust = OF_RUST.exec(line);
    if (rust) {
      return [{ name: rust[1], seconds: Number(rust[2]) }];
    }
    const browser = OF_PLAYWRIGHT.exec(line);
    return browser ? [{ name: browser[1], seconds: secondsOf(browser) }] : [];
  });
}

function secondsOf([, , minutes, number, unit]) {
  if (minutes !== undefined) {
    return Number(minutes) * 60;
  }
  return unit === 'ms' ? Number(number) / 1000 : Number(number);
}

/**
 * The slowest tests, the slowest first, of the outputs and of the front end's report below `folder`, because Vitest's
 * output names failed tests only.
 * @param {{recipe: string, name: string, seconds: number}[]} tests
 * @param {string} folder
 * @param {number} number
 */
export function slowestTests(tests, folder, number) {
  const all = [...tests, ...testsOfReports(folder)];
  return all.sort((one, other) => other.seconds - one.seconds).slice(0, number);
}

function testsOfReports(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).testResults)
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ fullName, duration }) => ({ recipe: 'test-frontend', name: fullName, seconds: (duration ?? 0) / 1000 }));
}
