import { expect, it, vi } from 'vitest';
import { toast, toasts } from './toast';

const messages = () => toasts.shown().map(({ message }) => message);

it('always shows the newest: the oldest give way', () => {
  for (const message of ['one', 'two', 'three', 'four']) {
    toast.success(message);
  }
  expect(messages()).toEqual(['two', 'three', 'four']);
});

it('leaves the errors of a screen behind with it, but not what the screen was left for', () => {
  vi.useFakeTimers();
  toast.error('Failed to save');
  toast.success('Stored');
  vi.advanceTimersByTime(1_000);
  toast.error('Failed to load meeting');
  toasts.leaveScreen();
  expect(messages()).toEqual(['Stored', 'Failed to load meeting']);
  vi.useRealTimers();
});

it('says anew what is said again, and does not pile it up', () => {
  toast.error('Failed to delete client');
  const [before] = toasts.shown();
  toast.info('Question moved up');
  toast.error('Failed to delete client');
  expect(messages()).toEqual(['Question moved up', 'Failed to delete client']);
  expect(toasts.shown().at(-1)?.id).not.toBe(before?.id);
});
