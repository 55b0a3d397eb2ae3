import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { RECIPES } from './recipes.mjs';
import { slowestTests, testsIn } from './slowest-tests.mjs';

test('times are read from the output of Rust and browser tests', () => {
  const output = [
    'test http::identity::a_wrong_password_is_refused ... ok <1.204s>',
    'test http::identity::ignored ... ignored',
    '  ✓   7 meeting-day.spec.ts:31:1 › a meeting day (12.3s)',
    '  ✓   8 hall.spec.ts:9:1 › a hall (1.2m)',
    '  ✘   9 wall.spec.ts:9:1 › a wall (904ms)',
    'test result: ok. 2 passed; 0 failed; finished in 3.00s',
  ].join('\n');
  assert.deepEqual(testsIn(output), [
    { name: 'http::identity::a_wrong_password_is_refused', seconds: 1.204 },
    { name: 'meeting-day.spec.ts:31:1 › a meeting day', seconds: 12.3 },
    { name: 'hall.spec.ts:9:1 › a hall', seconds: 72 },
    { name: 'wall.spec.ts:9:1 › a wall', seconds: 0.904 },
  ]);
});

test('the slowest come first, those of the front end among them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plenum-gate-test-'));
  const assertionResults = [{ fullName: 'a form', duration: 2000 }, { fullName: 'skipped' }];
  writeFileSync(join(folder, 'vitest.json'), JSON.stringify({ testResults: [{ assertionResults }] }));
  const tests = [
    { recipe: 'e2e', name: 'quick', seconds: 1 },
    { recipe: 'e2e', name: 'slow', seconds: 3 },
  ];
  const names = slowestTests(tests, folder, 2).map(({ name }) => name);
  rmSync(folder, { recursive: true });
  assert.deepEqual(names, ['slow', 'a form']);
});

test('every recipe waits for recipes that come before it', () => {
  const before = new Set();
  for (const { name, after } of RECIPES) {
    assert.ok(
      after.every((needed) => before.has(needed)),
      `${name} waits for a recipe that does not come before it`,
    );
    before.add(name);
  }
});
