import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromBase64, toBase64 } from '../../../shared/sealing/sealing';
import { liveQuestion, MEETING_ID } from '../../../test/live-samples';
import { activate, arrangeVoting, given, join, reopen } from '../../../test/live-voting-fixture';
import { newUrn, openEnvelope } from '../../../test/open-envelope';
import { voter } from '../../../test/people';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';
import { heldBallotsNote } from './held-notes';

const ROUND_ID = 'c0000000-0000-7000-8000-000000000001';
const PRINCIPAL = {
  id: 'c0000000-0000-7000-8000-000000000002',
  name: 'Ben Birch',
  username: 'ben',
};

let received: { for: string; envelope?: string | null }[][];

beforeEach(() => {
  arrangeVoting();
  received = [];
  given.meeting = voterMeeting({ hasProxies: true, questions: [voterQuestion()] });
  const proxy = {
    id: 'x1',
    principal: PRINCIPAL,
    holder: { id: voter.id, name: 'Vera Lind', username: 'vera' },
    questionIds: null,
    weight: 1,
    note: null,
    reference: null,
    grantedAt: '2026-11-20T13:00:00Z',
    grantedBy: 'Olga Orr',
    isByPrincipal: true,
    rests: false,
    revokedAt: null,
    revokedBy: null,
  };
  server.use(
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    http.get('/voting/meetings/{meetingId}/proxies', ({ response }) =>
      response(200).json({ isOn: true, mayGrant: true, given: [], held: [proxy], uses: [] }),
    ),
    http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', ({ response }) => {
      const state = received.length > 0 ? 'CAST_BY_HOLDER' : 'OPEN';
      const votes = [{ principal: PRINCIPAL, weight: 1, note: null, state } as const];
      return response(200).json({ roundId: ROUND_ID, votes });
    }),
    http.post('/voting/meetings/{meetingId}/questions/{questionId}/votes', async ({ request, response }) => {
      const { ballots } = await request.json();
      received.push(ballots);
      return response(200).json({
        outcomes: ballots.map(({ for: id }) => ({
          for: id,
          vote: { id, answers: [], castAt: null, receipt: null },
          code: null,
          error: null,
        })),
      });
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('the ballots of a holder whose page was left while they were sealed', () => {
  it('are dropped if the holder has submitted others since, which are still being sealed', async () => {
    const urn = await newUrn();
    const { user, goBack } = await join();
    await screen.findByText(/^You hold \d/);
    const sealing = { publicKey: toBase64(urn.publicKey), size: 64 };
    activate(liveQuestion({ roundId: ROUND_ID, secrecy: 'secret', sealing }), 11);

    let seal = () => {};
    const isReady = new Promise<void>((resolve) => {
      seal = resolve;
    });
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
    const encrypting = vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...input) => {
      await isReady;
      return encrypt(...input);
    });

    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    await waitFor(() => expect(encrypting).toHaveBeenCalledTimes(2));
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByText('No Meetings Available');
    window.localStorage.setItem('accessToken', tokenOf({ sub: voter.id }));
    await reopen(goBack);
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    await waitFor(() => expect(encrypting).toHaveBeenCalledTimes(4));
    seal();

    expect(await screen.findByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    expect(received).toHaveLength(1);
    const own = received[0]?.find((ballot) => ballot.for === 'self');
    const envelope = fromBase64(own?.envelope ?? '');
    expect(await openEnvelope(envelope, urn, ROUND_ID, voter.id)).toBe('{"options":[2]}');
    expect(heldBallotsNote.read(MEETING_ID, voter.id)).toBeNull();
  });
});
