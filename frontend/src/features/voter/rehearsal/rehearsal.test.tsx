import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { LiveState } from '../../../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from '../../../test/fake-event-source';
import { liveQuestion, liveState, MEETING_ID, timed } from '../../../test/live-samples';
import { voter } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { renderPart } from '../../../test/render-part';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { voterMeeting } from '../../../test/voter-samples';
import { Rehearsal } from './rehearsal';

installFakeEventSource();

const REHEARSAL = { id: 'h1', startedAt: '2026-11-21T13:00:00Z' };
const THANKS = 'Thank you. The organizer can see that your phone works.';

let live: LiveState;
/** Each step that reached the server. */
let arrived: string[];
/** The server's next refusals, in order; after these it accepts the answers. */
let refusals: (() => HttpResponse<{ error: string; code: string } | null>)[];

beforeEach(() => {
  live = liveState({ rehearsal: REHEARSAL });
  arrived = [];
  refusals = [];
  server.use(
    http.get('/voting/meetings/{meetingId}', ({ response }) =>
      response(200).json({
        success: true,
        meeting: voterMeeting(),
      }),
    ),
    http.get('/voting/meetings/{meetingId}/results', ({ response }) => response(200).json([])),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(live))),
    http.put('/voting/meetings/{meetingId}/rehearsal', async ({ request, response }) => {
      const { rehearsalId, step } = await request.json();
      arrived.push(`${rehearsalId} ${step}`);
      const refusal = step === 'answered' ? refusals.shift() : undefined;
      return refusal ? response.untyped(refusal()) : response(200).json({ success: true });
    }),
  );
});

async function join() {
  const app = await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  send('connected', live);
  return app;
}

function send(type: string, data: unknown) {
  act(() => FakeEventSource.latest.send(type, data, live.version));
}

function hear(change: Partial<LiveState>) {
  live = { ...live, ...change, version: live.version + 1 };
  send('meeting_update', live);
}

const button = () => screen.queryByRole('button', { name: 'I see this' });

it('says by itself that it has arrived, and asks for one tap', async () => {
  const { user } = await join();
  expect(await screen.findByRole('heading', { name: 'Rehearsal' })).toBeInTheDocument();
  expect(
    screen.getByText(
      'This is a rehearsal. Nothing is counted. Tap the button to show the organizer that your phone works.',
    ),
  ).toBeInTheDocument();
  await waitFor(() => expect(arrived).toEqual(['h1 received']));
  await user.click(screen.getByRole('button', { name: 'I see this' }));
  expect(await screen.findByText(THANKS)).toBeInTheDocument();
  expect(button()).not.toBeInTheDocument();
  expect(arrived).toEqual(['h1 received', 'h1 answered']);
});

it('is announced to screen readers, as is what became of the answer', async () => {
  const { user } = await join();
  const card = (await screen.findByRole('heading', { name: 'Rehearsal' })).closest('[role="status"]');
  expect(screen.getByText('A rehearsal has begun.')).toHaveAttribute('role', 'status');
  await user.click(screen.getByRole('button', { name: 'I see this' }));
  await waitFor(() => expect(card).toHaveTextContent(THANKS));
});

it('does not ask again when the page is loaded anew, but does in the next rehearsal', async () => {
  window.sessionStorage.setItem(`rehearsed_${MEETING_ID}`, JSON.stringify('h1'));
  await join();
  expect(await screen.findByText(THANKS)).toBeInTheDocument();
  expect(button()).not.toBeInTheDocument();
  hear({ rehearsal: { ...REHEARSAL, id: 'h2' } });
  expect(button()).toBeInTheDocument();
  await waitFor(() => expect(arrived).toEqual(['h1 received', 'h2 received']));
});

it('is not answered by a form of the content below', async () => {
  window.localStorage.setItem('accessToken', tokenOf({ sub: 'maria' }));
  const { user } = renderPart(
    <Rehearsal meetingId={MEETING_ID} rehearsalId="h1">
      <form onSubmit={(event) => event.preventDefault()}>
        <button type="submit">Find</button>
      </form>
    </Rehearsal>,
  );
  await waitFor(() => expect(arrived).toEqual(['h1 received']));
  await user.click(screen.getByRole('button', { name: 'Find' }));
  expect(screen.getByRole('button', { name: 'I see this' })).not.toHaveAttribute('aria-disabled');
  await user.click(screen.getByRole('button', { name: 'I see this' }));
  expect(await screen.findByText(THANKS)).toBeInTheDocument();
  expect(arrived).toEqual(['h1 received', 'h1 answered']);
});

it('keeps trying on a bad network, and says that it is not yet delivered', async () => {
  refusals = [
    () => HttpResponse.error() as HttpResponse<null>,
    () => new HttpResponse(null, { status: 503 }),
  ];
  const { user } = await join();
  await user.click(await screen.findByRole('button', { name: 'I see this' }));
  expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Sending...' })).toHaveAttribute('aria-disabled', 'true');
  expect(await screen.findByText(THANKS, {}, { timeout: 10_000 })).toBeInTheDocument();
  expect(arrived.filter((one) => one === 'h1 answered')).toHaveLength(3);
});

it('says nothing of an answer that came too late', async () => {
  refusals = [
    () => HttpResponse.json({ error: 'The rehearsal is over.', code: 'rehearsal_over' }, { status: 409 }),
  ];
  const { user } = await join();
  await user.click(await screen.findByRole('button', { name: 'I see this' }));
  await waitFor(() => expect(arrived).toContain('h1 answered'));
  hear({ rehearsal: null });
  expect(screen.queryByText(/rehearsal/i)).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Waiting for Next Question' })).toBeInTheDocument();
});

it('makes way for a question at once, and does not come back behind it', async () => {
  await join();
  await screen.findByRole('button', { name: 'I see this' });
  live = { ...live, version: live.version + 1 };
  send('question_activated', { ...liveQuestion(), voteCount: 0, registerSize: 10, step: 2 });
  expect(button()).not.toBeInTheDocument();
  expect(screen.getByRole('radio', { name: 'Yes' })).toBeInTheDocument();
  live = { ...live, version: live.version + 1 };
  send('question_deactivated', { id: 'q1', step: 3 });
  expect(button()).not.toBeInTheDocument();
});

it('does not stand before an open question, whatever the state says', async () => {
  live = liveState({ rehearsal: REHEARSAL, currentQuestion: liveQuestion() });
  await join();
  expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
  expect(button()).not.toBeInTheDocument();
  expect(arrived).toEqual([]);
});

it('is held before the meeting has begun', async () => {
  live = liveState({ status: 'SCHEDULED', rehearsal: REHEARSAL });
  await join();
  expect(await screen.findByRole('button', { name: 'I see this' })).toBeInTheDocument();
  expect(screen.queryByText('Meeting Not Started Yet')).not.toBeInTheDocument();
  hear({ rehearsal: null });
  expect(screen.getByText('Meeting Not Started Yet')).toBeInTheDocument();
});

it('is entered from the list, also in a meeting that has not begun', async () => {
  server.use(
    http.get('/voting/meetings', ({ response }) =>
      response(200).json({
        success: true,
        meetings: [
          {
            id: 'm1',
            title: 'Coming',
            status: 'SCHEDULED',
            description: null,
            startTime: '2026-11-21T13:00:00Z',
            endTime: '2026-11-21T16:00:00Z',
            isRehearsing: true,
          },
        ],
      }),
    ),
  );
  await renderApp('/voting', { as: voter });
  expect(await screen.findByRole('link', { name: 'Join rehearsal' })).toHaveAttribute(
    'href',
    '/voting/meeting/m1',
  );
});
