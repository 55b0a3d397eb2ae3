import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import type { Ballot } from '../../../shared/ballot/ballot';
import { MEETING_ID } from '../../../test/live-samples';
import { VOTE } from '../../../test/live-voting-fixture';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';
import { voterQueries } from '../queries';
import { useBallotDelivery } from './use-ballot-delivery';

const ballot: Ballot = {
  questionId: 'q1',
  roundId: 'r1',
  text: 'Shall the accounts be approved?',
  type: 'SINGLE_CHOICE',
  orderIndex: 1,
  answers: ['Yes'],
};

it('does not take the answer to an earlier request for the vote that was stored meanwhile', async () => {
  window.localStorage.setItem('accessToken', tokenOf({ sub: 'u1' }));
  let meetings = 0;
  server.use(
    http.get('/voting/meetings/{meetingId}', async ({ response }) => {
      meetings += 1;
      const isFirst = meetings === 1;
      if (isFirst) {
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      const questions = [voterQuestion({ hasVoted: !isFirst, castOn: isFirst ? null : 'PAPER' })];
      return response(200).json({ success: true, meeting: voterMeeting({ questions }) });
    }),
    http.post(VOTE, ({ response }) =>
      response.untyped(
        HttpResponse.json({ error: 'x', message: 'x', code: 'already_voted' }, { status: 409 }),
      ),
    ),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result } = renderHook(
    () =>
      useBallotDelivery({
        meetingId: MEETING_ID,
        userId: 'u1',
        connection: 'live',
        onStored: () => undefined,
        onRefused: () => undefined,
      }),
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  const underWay = client.fetchQuery(voterQueries.meeting(MEETING_ID)).catch(() => undefined);
  await waitFor(() => expect(meetings).toBe(1));
  act(() => void result.current.deliver(ballot));
  await waitFor(() => expect(result.current.delivery.state).toBe('refused'));
  expect(result.current.delivery).toMatchObject({ counted: { castOn: 'PAPER' } });
  await underWay;
});
