import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { LiveState } from '../../shared/live/live-events';
import { liveQuestion, liveState } from '../../test/live-samples';
import { voter } from '../../test/people';
import { voterMeeting } from '../../test/voter-samples';
import { ByProxyLoading } from './by-proxy-loading';

function Loading({ state }: { state: LiveState }) {
  const [ownShownIn, onOwnShown] = useState<string | null>(null);
  return (
    <ByProxyLoading
      meetingId="m1"
      user={voter}
      meeting={voterMeeting()}
      live={{ state, status: 'live' }}
      canVote={state.currentQuestion !== null}
      isSendingOwn={false}
      markStored={() => undefined}
      noteHeld={() => undefined}
      {...{ ownShownIn, onOwnShown }}
    >
      <p>The own screen</p>
      <output>{ownShownIn}</output>
    </ByProxyLoading>
  );
}

const loading = () => screen.queryByText(/^Loading the votes you hold…/);
const ownScreen = () => screen.queryByText('The own screen');

it('shows the screen as it is without proxies while no question is open', () => {
  render(<Loading state={liveState()} />);
  expect(ownScreen()).toBeInTheDocument();
  expect(loading()).not.toBeInTheDocument();
});

it('shows the own ballot at once, notes that it is shown, and says what is missing', () => {
  render(<Loading state={liveState({ currentQuestion: liveQuestion() })} />);
  expect(ownScreen()).toBeInTheDocument();
  expect(loading()).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('r1');
});
