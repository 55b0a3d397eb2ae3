// Runs the recipes of `just test`, each as soon as its dependencies have passed, and prints the time of each recipe and
// the slowest tests. The output of a recipe is printed at its end, so that outputs do not mix.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { failedIn } from './failures.mjs';
import { RECIPES } from './recipes.mjs';
import { slowestTests, testsIn } from './slowest-tests.mjs';

const SLOWEST = 10;
/**
 * The nice value of background recipes: a third of the others' share of a busy core. At 10, a tenth, the API's tests took more than
 * twice as long as alone, close to the limits that find a server that hangs.
 */
const PRIORITY_IN_BACKGROUND = 5;
/** The number of lines of a failed recipe that are repeated at the very end, where a reader looks first. */
const LINES_OF_FAILURE = 40;
/** The longest time without a line of output, so that a long recipe does not look stuck. */
const SIGN_OF_LIFE_MS = 60_000;

const just = process.env.JUST ?? 'just';
const reports = mkdtempSync(join(tmpdir(), 'plenum-test-reports-'));
const started = Date.now();
const waiting = new Map(RECIPES.map((recipe) => [recipe.name, recipe]));
const running = new Map();
const ended = new Map();

/** The time since then in minutes and seconds, such as `12:05`. */
function since(time) {
  const seconds = Math.round((Date.now() - time) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Runs a recipe to its end. Never rejects: `ended` records whether it passed. */
function run({ name, arguments: given = [], isBackground }) {
  const begun = Date.now();
  const output = [];
  const environment = { ...process.env, PLENUM_TEST_REPORTS: reports };
  const child = spawn(just, [name, ...given], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  if (isBackground && child.pid !== undefined) {
    setPriority(child.pid, PRIORITY_IN_BACKGROUND);
  }
  running.set(name, { begun, child });
  console.log(`[${since(started)}] ${name} starts`);
  child.stdout.on('data', (data) => output.push(data));
  child.stderr.on('data', (data) => output.push(data));
  return new Promise((done) => {
    const end = (hasPassed, reason) => {
      running.delete(name);
      const text = Buffer.concat(output).toString();
      ended.set(name, { hasPassed, took: since(begun), tests: testsIn(text), text });
      console.log(`\n===== ${name}: ${hasPassed ? 'passed' : `FAILED (${reason})`} in ${since(begun)} =====\n${text}`);
      done();
    };
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code, signal) => end(code === 0, signal ?? `exit code ${code}`));
  });
}

/** The recipes that can start now. A recipe with a failed dependency never starts. */
function startable() {
  return [...waiting.values()].filter(({ after }) => after.every((name) => ended.get(name)?.hasPassed));
}

async function runAll() {
  const active = new Set();
  for (;;) {
    for (const recipe of startable()) {
      waiting.delete(recipe.name);
      const end = run(recipe).then(() => active.delete(end));
      active.add(end);
    }
    if (active.size === 0) {
      return;
    }
    await Promise.race(active);
  }
}

function summary() {
  const lines = ['', '===== Time of each recipe, while others ran ====='];
  for (const { name } of RECIPES) {
    const { hasPassed, took } = ended.get(name) ?? { hasPassed: false, took: 'not run' };
    lines.push(`${took.padStart(8)}  ${hasPassed ? 'passed' : 'FAILED'}  ${name}`);
  }
  lines.push(`${since(started).padStart(8)}  in all`, '', `===== The ${SLOWEST} slowest tests =====`);
  const tests = [...ended].flatMap(([recipe, { tests }]) => tests.map((test) => ({ recipe, ...test })));
  for (const { recipe, name, seconds } of slowestTests(tests, reports, SLOWEST)) {
    lines.push(`${seconds.toFixed(1).padStart(7)} s  ${recipe}: ${name}`);
  }
  return lines.join('\n');
}

/** What failed in each recipe that did not pass, and the end of its output. */
function failures() {
  const lines = [];
  for (const [name, { hasPassed, text }] of ended) {
    if (!hasPassed) {
      lines.push('', `===== ${name} failed =====`, ...failedIn(text, LINES_OF_FAILURE));
    }
  }
  return lines.join('\n');
}

const signOfLife = setInterval(() => {
  const names = [...running].map(([name, { begun }]) => `${name} (${since(begun)})`);
  console.log(`[${since(started)}] running: ${names.join(', ')}`);
}, SIGN_OF_LIFE_MS);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const { child } of running.values()) {
      child.kill(signal);
    }
    process.exitCode = 1;
  });
}

await runAll();
clearInterval(signOfLife);
console.log(summary());
console.log(failures());
rmSync(reports, { recursive: true, force: true });
const failed = RECIPES.filter(({ name }) => !ended.get(name)?.hasPassed).length;
console.log(`\n${RECIPES.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
