import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../../api/schema';
import type { VoterQuestion } from '../../../api/types';
import type { LiveState } from '../../../shared/live/live-events';
import { liveQuestion, liveState } from '../../../test/live-samples';
import { arrangeVoting, given, join, send } from '../../../test/live-voting-fixture';
import { http, server } from '../../../test/server';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';

type Entry = components['schemas']['PresenceEntry'];

const ENTRY: Entry = {
  id: 'e1',
  number: 1,
  endUserId: 'u1',
  name: 'Vera Lind',
  username: 'vera',
  kind: 'IN',
  at: '2026-11-21T13:00:00Z',
  notedAt: '2026-11-21T13:00:00Z',
  role: 'DESK',
  by: 'Front door',
};

/** The requests for the check-in so far. */
let asked: number;
/** The entry in the record. */
let entry: Entry | null;

beforeEach(() => {
  arrangeVoting();
  asked = 0;
  entry = null;
  server.use(
    http.get('/voting/meetings/{meetingId}/check-in', ({ response }) => {
      asked += 1;
      return response(200).json({
        checkIn: 'ON',
        code: 'PLENUM-IN:019A9D5E000070008000000000000003',
        entry,
        selfCheckIn: false,
      });
    }),
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

describe('the requests', () => {
  const checkIn = { eligible: 3_000, selfCheckIn: false };
  const here = () => screen.findByText(/^You are checked in since /);

  /** A voter whom a desk has checked in. */
  async function checkedIn() {
    await open({ checkIn });
    await text();
    entry = ENTRY;
    send('own_check_in', { checkedIn: true }, 10);
    await here();
    expect(asked).toBe(2);
  }

  it('follow the voter’s own event, and not a whole state, which all phones get at the same moment', async () => {
    await checkedIn();
    for (const version of [11, 12]) {
      send('meeting_update', liveState({ checkIn, version, title: `Title ${version}` }), version);
      await screen.findByText(`Title ${version}`);
    }
    await new Promise((resolve) => window.setTimeout(resolve, 50));
    expect(asked).toBe(2);
    expect(await here()).toBeVisible();
  });

  it.each([true, false])('follow the next event after a whole state, also %s', async (isIn) => {
    await checkedIn();
    send('meeting_update', liveState({ checkIn, version: 11 }), 11);
    entry = isIn ? ENTRY : null;
    send('own_check_in', { checkedIn: isIn }, 11);
    await waitFor(() => expect(asked).toBe(3));
    expect(await (isIn ? here() : text())).toBeVisible();
  });
});
