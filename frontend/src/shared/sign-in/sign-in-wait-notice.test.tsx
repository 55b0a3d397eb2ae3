import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Providers } from '../../app/providers';
import { createQueryClient } from '../../app/query-client';
import type { SignInWait } from './patient-sign-in';
import { SignInWaitNotice } from './sign-in-wait-notice';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const queryClient = createQueryClient({ retry: false });

function notice(wait: SignInWait | null) {
  return (
    <Providers queryClient={queryClient} env="test">
      <SignInWaitNotice wait={wait} />
    </Providers>
  );
}

const inSeconds = (seconds: number) => performance.now() + seconds * 1_000;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The visible text, without the text for screen readers. */
const seen = () => screen.getByRole('status').firstElementChild?.textContent;

it('counts down, says it once, and ends with the turn', async () => {
  render(notice({ reason: 'queue', until: inSeconds(15) }));
  expect(seen()).toBe('Many people are signing in. About 15 seconds to go.');
  await pass(14_000);
  expect(seen()).toBe('Many people are signing in. About 1 second to go.');
  expect(screen.getByRole('status').lastElementChild).toHaveTextContent('About 15 seconds to go.');
  await pass(2_000);
  expect(seen()).toBe('Many people are signing in. It is almost your turn.');
});

it('never jumps back', async () => {
  const { rerender } = render(notice({ reason: 'queue', until: inSeconds(15) }));
  await pass(5_000);
  rerender(notice({ reason: 'queue', until: inSeconds(14) }));
  expect(seen()).toContain('About 10 seconds');
  await pass(3_000);
  expect(seen()).toContain('About 10 seconds');
  await pass(2_000);
  expect(seen()).toContain('About 9 seconds');
  rerender(notice({ reason: 'queue', until: inSeconds(4) }));
  await pass(0);
  expect(seen()).toContain('About 4 seconds');
});

it.each([
  [{ reason: 'queue', seconds: 150 }, 'Many people are signing in. About 3 minutes to go.'],
  [{ reason: 'full', seconds: 12 }, 'Many people are signing in. Trying again in 12 seconds.'],
  [{ reason: 'limit', seconds: 5 }, 'Too many sign-ins have failed. Trying again in 5 seconds.'],
  [{ reason: 'lost', seconds: 1 }, 'The connection was lost. Trying again in 1 second.'],
] as const)('says what %o means', ({ reason, seconds }, text) => {
  render(notice({ reason, until: inSeconds(seconds) }));
  expect(seen()).toBe(text);
});

it('says nothing where nobody waits, and no time where none is known', () => {
  const { rerender } = render(notice(null));
  expect(screen.queryByRole('status')).toBeNull();
  rerender(notice({ reason: 'slow' }));
  expect(screen.getByRole('status')).toHaveTextContent('Signing in takes longer than usual.');
});
