import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { VoterQuestion } from '../../../api/types';
import type { LiveState } from '../../../shared/live/live-events';
import { liveQuestion } from '../../../test/live-samples';
import { arrangeVoting, given, join, send } from '../../../test/live-voting-fixture';
import { http, server } from '../../../test/server';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';

beforeEach(() => {
  arrangeVoting();
  server.use(
    http.get('/voting/meetings/{meetingId}/check-in', ({ response }) =>
      response(200).json({
        checkIn: 'ON',
        code: 'PLENUM-IN:019A9D5E000070008000000000000003',
        entry: null,
        selfCheckIn: false,
      }),
    ),
  );
});

function open(state: Partial<LiveState> = {}, ...questions: VoterQuestion[]) {
  given.meeting = voterMeeting({ questions });
  return join({ checkIn: { eligible: 3, selfCheckIn: false }, ...state });
}

const text = () => screen.findByText(/^Show this code at a check-in desk\./);

it('says what follows for a voter who is not checked in', async () => {
  await open();
  expect(await text()).toHaveTextContent(/you do not count as present and cannot vote\.$/);
});

it.each(['COMPLETED', 'CANCELLED'] as const)('disappears when the meeting is %s', async (status) => {
  await open();
  expect(await text()).toBeVisible();
  send('meeting_status', { status, step: 2 }, 11);
  await screen.findByRole('heading', { name: /^Meeting (Completed|Paused)$/ });
  expect(screen.queryByText(/check-in desk/)).not.toBeInTheDocument();
});

it.each([
  ['the voter is in the register of the open question', [voterQuestion()]],
  ['the question was just opened for the first time', []],
  ['only an earlier round is known', [voterQuestion({ roundId: 'r0', isInRegister: false })]],
])('does not deny the vote where %s', async (_, questions) => {
  await open({ currentQuestion: liveQuestion() }, ...questions);
  expect(await text()).toHaveTextContent(/Until then you do not count as present\.$/);
});

it('denies the vote to a voter outside the register', async () => {
  await open({ currentQuestion: liveQuestion() }, voterQuestion({ isInRegister: false }));
  expect(await text()).toHaveTextContent(/cannot vote\.$/);
});
