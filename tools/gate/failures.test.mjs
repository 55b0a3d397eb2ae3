import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedIn } from './failures.mjs';

test('a failure far from the end is named, and the end follows', () => {
  const output = ['test a::b ... FAILED <0.1s>', 'test a::c ... ok <0.1s>', '', 'error: 1 target failed', ''].join('\n');
  assert.deepEqual(failedIn(output, 1), ['test a::b ... FAILED <0.1s>', 'error: 1 target failed']);
});

test('a short output is repeated once', () => {
  assert.deepEqual(failedIn('thread panicked at x.rs:1:1\n', 40), ['thread panicked at x.rs:1:1']);
});
