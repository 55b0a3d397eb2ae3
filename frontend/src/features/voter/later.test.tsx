import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { later } from './later';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('is loaded again after failures, however long they last', async () => {
  let isDown = true;
  const load = vi.fn(async () => {
    if (isDown) {
      throw new TypeError('Failed to fetch dynamically imported module');
    }
    return () => <p>The part</p>;
  });
  const Part = later<object>(load, () => <p>Without the part</p>);
  await act(async () => {
    render(<Part />);
  });
  await act(() => vi.advanceTimersByTimeAsync(10 * 60_000));
  expect(screen.getByText('Without the part')).toBeInTheDocument();
  expect(load.mock.calls.length).toBeLessThan(100);
  isDown = false;
  await act(() => vi.advanceTimersByTimeAsync(16_000));
  expect(screen.getByText('The part')).toBeInTheDocument();
});
