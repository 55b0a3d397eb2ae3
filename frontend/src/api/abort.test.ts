import { expect, test } from 'vitest';
import { anySignal, throwIfAborted } from './abort';

test('one of several signals is enough, and its reason is kept', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const any = anySignal([first.signal, second.signal]);
  expect(any.aborted).toBe(false);
  second.abort('stopped');
  first.abort('too late');
  expect(any.aborted).toBe(true);
  expect(any.reason).toBe('stopped');
});

test('a signal that was given before counts', () => {
  const any = anySignal([new AbortController().signal, AbortSignal.abort('over')]);
  expect(any.aborted).toBe(true);
  expect(any.reason).toBe('over');
});

test('only a signal that was given throws, and throws its reason', () => {
  const reason = new Error('stopped');
  expect(() => throwIfAborted(new AbortController().signal)).not.toThrow();
  expect(() => throwIfAborted(AbortSignal.abort(reason))).toThrow(reason);
});
