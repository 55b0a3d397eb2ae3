import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionStatus } from './connection-status';
import type { ConnectionStatus as Status } from './live-connection';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function show() {
  const at = (status: Status) => (
    <MantineProvider env="test">
      <ConnectionStatus status={status} />
    </MantineProvider>
  );
  const { rerender } = render(at('connecting'));
  return (status: Status) => rerender(at(status));
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('shows each state in words, and that it has been connected before', () => {
  const become = show();
  expect(screen.getByText('Connecting…')).toBeInTheDocument();
  become('live');
  expect(screen.getByText('Connected')).toBeInTheDocument();
  become('connecting');
  expect(screen.getByText('Reconnecting…')).toBeInTheDocument();
  become('polling');
  expect(screen.getByText('Updated every few seconds')).toBeInTheDocument();
  become('delayed');
  expect(screen.getByText('Updated every few seconds')).toBeInTheDocument();
  become('offline');
  expect(screen.getByText('No connection')).toBeInTheDocument();
});

it.each(['delayed', 'polling'] as const)('comes back also to a connection that was %s', (status) => {
  const become = show();
  become(status);
  become('connecting');
  expect(screen.getByText('Reconnecting…')).toBeInTheDocument();
});

it('says what lasts, and nothing of a short break', async () => {
  const become = show();
  become('live');
  await wait(3_000);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  become('connecting');
  await wait(1_000);
  become('live');
  await wait(3_000);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  become('offline');
  await wait(2_100);
  expect(screen.getByRole('status')).toHaveTextContent('The connection is lost.');
  become('live');
  await wait(2_100);
  expect(screen.getByRole('status')).toHaveTextContent('The connection is back.');
});
