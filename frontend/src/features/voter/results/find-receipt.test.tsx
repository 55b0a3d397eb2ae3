import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { arrangeVoting, given, join } from '../../../test/live-voting-fixture';
import { sampleResult } from '../../../test/result-samples';
import { http, server } from '../../../test/server';
import { keepReceipt } from '../secret/receipt-notes';

const OWN = 'ABCD-EFGH-JKLM-NPQR';
const OTHER = 'WXYZ-EFGH-JKLM-NPQR';
let asked: (string | null)[];

beforeEach(() => {
  arrangeVoting();
  asked = [];
  given.results = [
    {
      result: sampleResult({
        secrecy: 'secret',
        status: 'DECLARED',
        declared: { at: '2026-11-21T18:10:00Z', by: 'Maria Keller' },
      }),
      damaged: null,
      hasVoted: true,
      ownVote: null,
    },
  ];
});
afterEach(() => localStorage.clear());

function publish(receipts: string[]) {
  server.use(
    http.get('/voting/meetings/{meetingId}/rounds/{roundId}/receipts', ({ request, response }) => {
      const startsWith = new URL(request.url).searchParams.get('startsWith') ?? '';
      asked.push(startsWith);
      const data = receipts.filter((receipt) => receipt.startsWith(startsWith));
      return response(200).json({ data, meta: { page: 1, pageSize: 50, total: data.length } });
    }),
  );
}

async function openDetails() {
  const { user } = await join();
  const [summary] = await screen.findAllByText('Details');
  await user.click(summary as HTMLElement);
  await screen.findByRole('heading', { name: 'Find your receipt' });
  return user;
}

it('marks the receipt of this device, and sends four letters of it only', async () => {
  keepReceipt('r1', OWN);
  publish([OWN, OTHER]);
  const user = await openDetails();
  expect(await screen.findByText(/was found: your ballot was in the urn/)).toHaveTextContent(OWN);
  expect(asked).toEqual(['ABCD']);
  await user.type(screen.getByLabelText('Look for another receipt'), 'wxyz efgh jklm npqr');
  await user.click(screen.getByRole('button', { name: 'Find' }));
  expect(await screen.findByText(/was found: this ballot was in the urn/)).toHaveTextContent(OTHER);
});

it('says that a receipt is missing, and what a receipt is', async () => {
  keepReceipt('r1', OWN);
  publish([OTHER]);
  const user = await openDetails();
  expect(await screen.findByText(/was not found\. Tell the organizer/)).toBeInTheDocument();
  await user.type(screen.getByLabelText('Look for another receipt'), 'ABC');
  await user.click(screen.getByRole('button', { name: 'Find' }));
  expect(screen.getByText('A receipt has 16 letters.')).toBeInTheDocument();
});
