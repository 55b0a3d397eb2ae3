import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { MeetingStatus } from '../../api/types';
import { formatLongDateTime } from '../../shared/format';
import { renderPart } from '../../test/render-part';
import { Idle } from './idle';

const START = '2026-11-21T13:00:00Z';

function idle(status: MeetingStatus, hasRun: boolean) {
  renderPart(
    <Idle
      status={status}
      hasRun={hasRun}
      isRehearsing={false}
      isKnown
      outsideOf={null}
      voided={null}
      votedBefore={null}
      answers={[]}
      results={[]}
      latest={null}
      meeting={{
        id: 'm1',
        title: 'Annual General Meeting',
        description: null,
        status,
        startTime: START,
        endTime: '2026-11-21T16:00:00Z',
        organization: 'Riverside',
        canResetVote: false,
        hasProxies: false,
        questions: [],
      }}
      onReset={undefined}
      isResetting={false}
    />,
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => vi.useRealTimers();
});

it.each(['SCHEDULED', 'DRAFT'] as const)('says of a meeting that is %s when it starts', (status) => {
  vi.setSystemTime('2026-11-21T12:00:00Z');
  idle(status, false);
  expect(screen.getByRole('heading', { name: 'Meeting Not Started Yet' })).toBeInTheDocument();
  expect(
    screen.getByText(
      `It is planned to start on ${formatLongDateTime(START)}. This page will show the first question automatically.`,
    ),
  ).toBeInTheDocument();
  expect(screen.queryByText('Meeting Paused')).not.toBeInTheDocument();
});

it('says that a meeting starts late', () => {
  vi.setSystemTime('2026-11-21T13:10:00Z');
  idle('SCHEDULED', false);
  expect(
    screen.getByText(/^It was planned to start on .* As soon as the organizer starts it/),
  ).toBeInTheDocument();
});

it.each(['SCHEDULED', 'DRAFT'] as const)('a meeting that ran and is %s again is paused', (status) => {
  idle(status, true);
  expect(screen.getByRole('heading', { name: 'Meeting Paused' })).toBeInTheDocument();
  expect(screen.getByText('Please wait for the meeting to resume.')).toBeInTheDocument();
});

it('a meeting that is over is completed', () => {
  idle('COMPLETED', true);
  expect(screen.getByRole('heading', { name: 'Meeting Completed' })).toBeInTheDocument();
  expect(screen.getByText('Thank you for your participation!')).toBeInTheDocument();
});
