import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'plenum-bench-test-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a short measurement with the debug binaries, and returns its result. */
function bench(args, variables = {}) {
  const binaries = ['--binary', 'target/debug/plenum', '--load', 'target/debug/plenum-load'];
  const places = ['--measured', join(folder, 'measured'), '--to', join(folder, 'page.md')];
  return spawnSync(process.execPath, ['tools/loadtest/bench/run.mjs', '--short', ...binaries, ...places, ...args], {
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    // Many times the usual duration, so that a hanging test differs from a slow one.
    timeout: 15 * 60_000,
  });
}

function read(file) {
  return readFileSync(join(folder, file), 'utf8');
}

test('every row that can be measured here is, and no vote is lost or doubled', () => {
  const { status, stderr } = bench([]);
  assert.equal(status, 0, stderr);
  const outcomes = ['plenum', 'secret'].map((name) => JSON.parse(read(`measured/run-1/ballots.${name}-64.json`)));
  assert.ok(outcomes.every(({ journal }) => journal.acknowledged > 0));
  assert.ok(outcomes[1].figures.some(({ name, value }) => name === 'urn_opened' && value > 0));
  assert.match(read('page.md'), /The urn of 10,000 secret ballots is opened/);
});

test('a helper that does not start costs its own rows, and the page tells so', () => {
  // It is an executable, but not nats-server.
  const { status, stderr } = bench(['--only', 'instances'], { NATS_SERVER: process.execPath });
  assert.equal(status, 1, stderr);
  const reason = 'nats-server ended before it was ready.';
  const rows = ['one', 'two', 'three'].flatMap((count) => [`instances.event-${count}`, `instances.ballots-${count}`]);
  assert.deepEqual(JSON.parse(read('measured/missing.json')), Object.fromEntries(rows.map((row) => [row, reason])));
  assert.match(read('page.md'), new RegExp(reason));
});
