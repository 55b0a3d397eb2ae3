import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveState } from '../../shared/live/live-events';
import { liveQuestion, liveState } from '../../test/live-samples';
import { voter } from '../../test/people';
import { voterMeeting } from '../../test/voter-samples';
import { ByProxyFailed, ByProxyLoading } from './by-proxy-loading';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function Loading({ state, hasFailed = false }: { state: LiveState; hasFailed?: boolean }) {
  const [ownShownIn, onOwnShown] = useState<string | null>(null);
  const Part = hasFailed ? ByProxyFailed : ByProxyLoading;
  return (
    <Part
      meetingId="m1"
      user={voter}
      meeting={voterMeeting()}
      live={{ state, status: 'live' }}
      canVote={state.currentQuestion !== null}
      markStored={() => undefined}
      {...{ ownShownIn, onOwnShown }}
    >
      <p>The own screen</p>
    </Part>
  );
}

const loading = () => screen.queryByText(/^Loading the votes you hold…/);
const ownScreen = () => screen.queryByText('The own screen');

it('shows the screen as it is without proxies while no question is open', () => {
  render(<Loading state={liveState()} />);
  expect(ownScreen()).toBeInTheDocument();
  expect(loading()).not.toBeInTheDocument();
});

it('keeps the own ballot waiting for three seconds, and says what is loaded', () => {
  render(<Loading state={liveState({ currentQuestion: liveQuestion() })} />);
  expect(loading()).toBeInTheDocument();
  expect(ownScreen()).not.toBeInTheDocument();
  act(() => vi.advanceTimersByTime(3_000));
  expect(loading()).toBeInTheDocument();
  expect(ownScreen()).toBeInTheDocument();
});

it('shows the own ballot at once if the screen cannot be loaded, and says what is missing', () => {
  render(<Loading hasFailed state={liveState({ currentQuestion: liveQuestion() })} />);
  expect(ownScreen()).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent(/^Votes that others gave you cannot be shown now\./);
});
