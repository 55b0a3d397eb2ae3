import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromBase64, receiptCode, toBase64 } from '../../../shared/sealing/sealing';
import { heldKey } from '../../../shared/storage';
import { liveQuestion, MEETING_ID } from '../../../test/live-samples';
import { activate, arrangeVoting, given, join } from '../../../test/live-voting-fixture';
import { newUrn } from '../../../test/open-envelope';
import { http, server } from '../../../test/server';
import { voterMeeting } from '../../../test/voter-samples';
import { keptReceipt } from '../secret/receipt-notes';

const ROUND_ID = 'c0000000-0000-7000-8000-000000000001';
const OTHER_CODE = 'WXYZ-EFGH-JKLM-NPQR';
const principal = { id: 'p0', name: 'Ada Berg', username: 'ada' };

/** The receipts of the envelopes that arrived, by person. */
let computed: Map<string, string>;
/** What the device keeps until the server has answered. */
let noted: string;

beforeEach(() => {
  arrangeVoting();
  computed = new Map();
  given.meeting = voterMeeting({ hasProxies: true });
  server.use(
    http.get('/voting/meetings/{meetingId}/proxies', ({ response }) =>
      response(200).json({ isOn: true, mayGrant: true, given: [], held: [], uses: [] }),
    ),
    http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', ({ response }) =>
      response(200).json({ roundId: ROUND_ID, votes: [{ principal, weight: 1, note: null, state: 'OPEN' }] }),
    ),
  );
});

afterEach(() => localStorage.clear());

/** The server names another receipt than that of the envelope for this person. */
function replaceFor(replaced: string) {
  server.use(
    http.post('/voting/meetings/{meetingId}/questions/{questionId}/votes', async ({ request, response }) => {
      const { ballots } = await request.json();
      noted = localStorage.getItem(heldKey(MEETING_ID)) ?? '';
      for (const { for: id, envelope } of ballots) {
        computed.set(id, await receiptCode(fromBase64(envelope ?? '')));
      }
      return response(200).json({
        outcomes: ballots.map(({ for: id }) => {
          const receipt = id === replaced ? OTHER_CODE : (computed.get(id) ?? null);
          return { for: id, vote: { id, answers: [], castAt: null, receipt }, code: null, error: null };
        }),
      });
    }),
  );
}

async function submitBoth() {
  const sealing = { publicKey: toBase64((await newUrn()).publicKey), size: 64 };
  const { user } = await join();
  await screen.findByText('Let somebody vote for you');
  activate(liveQuestion({ roundId: ROUND_ID, secrecy: 'secret', sealing }), 11);
  await user.click(await screen.findByRole('button', { name: 'Vote for yourself and 1 other' }));
  await user.click(await screen.findByRole('radio', { name: 'Yes' }));
  await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
  await screen.findByRole('heading', { name: '2 votes stored' });
  return user;
}

it('are those that the device computed, and the own one is kept on it', async () => {
  replaceFor('');
  const user = await submitBoth();
  await user.click(screen.getByText('Receipts'));
  expect(screen.getByText(`You: ${computed.get('self')}`)).toBeVisible();
  expect(screen.getByText(`Ada Berg: ${computed.get('p0')}`)).toBeVisible();
  expect(screen.queryByText(/another receipt/)).not.toBeInTheDocument();
  expect(keptReceipt(ROUND_ID)).toBe(computed.get('self'));
});

it('are all that is left of secret ballots: their answers are shown nowhere, and not kept', async () => {
  replaceFor('');
  await submitBoth();
  expect(noted).toContain('"envelope":"');
  expect(noted).not.toContain('Yes');
  expect(screen.queryByText(/Yes/)).not.toBeInTheDocument();
});

it('show that a ballot for a principal was replaced', async () => {
  replaceFor('p0');
  await submitBoth();
  const warning = `This device has another receipt of the ballot for Ada Berg: ${computed.get('p0')}. The server names ${OTHER_CODE}. Tell the organizer.`;
  expect(screen.getByText(warning)).toBeInTheDocument();
});

it('show that the own ballot was replaced, also once the server names another one', async () => {
  replaceFor('self');
  await submitBoth();
  const warning = `This device has another receipt of this ballot: ${computed.get('self')}. The server names ${OTHER_CODE}. Tell the organizer.`;
  expect(screen.getByText(warning)).toBeInTheDocument();
  expect(keptReceipt(ROUND_ID)).toBe(computed.get('self'));
});
