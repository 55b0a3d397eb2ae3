import { act, screen } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source';
import { MEETING_ID } from '../../test/live-samples';
import { arrangeVoting, given, join, send } from '../../test/live-voting-fixture';
import { voter } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

const ADDRESS = `/voting/meeting/${MEETING_ID}`;

let refusal: { code: string; status: number } | null;
let asked: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  arrangeVoting();
  refusal = { code: 'meeting_not_open_yet', status: 404 };
  asked = 0;
  server.use(
    http.get('/voting/meetings/{meetingId}', ({ response }) => {
      asked += 1;
      return refusal
        ? response.untyped(HttpResponse.json({ error: 'x', code: refusal.code }, { status: refusal.status }))
        : response(200).json({ success: true, meeting: given.meeting });
    }),
  );
});

afterEach(() => void vi.useRealTimers());

const waiting = () => screen.findByRole('heading', { name: 'This meeting is not open yet' });
const gone = () =>
  vi.waitFor(() => expect(screen.queryByText('This meeting is not open yet')).not.toBeInTheDocument());

async function later() {
  // The interval begins a moment after the text appears.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  act(() => void vi.advanceTimersByTime(12_000));
}

it('waits for a draft, and opens the meeting as soon as it is ready', async () => {
  await renderApp(ADDRESS, { as: voter });
  expect(await waiting()).toBeVisible();
  expect(
    screen.getByText(
      'The organizer is still preparing it. This page opens by itself as soon as it is ready.',
    ),
  ).toBeVisible();
  await later();
  await vi.waitFor(() => expect(asked).toBe(2));
  expect(await waiting()).toBeVisible();
  expect(screen.queryByText(/does not exist/)).not.toBeInTheDocument();

  refusal = null;
  await later();
  expect(await screen.findByText(/^Riverside.*/)).toBeVisible();
  await gone();
});

it('shows the meeting without asking for it once more', async () => {
  await renderApp(ADDRESS, { as: voter });
  await waiting();
  let answers = 0;
  server.use(
    http.get('/voting/meetings/{meetingId}', ({ response }) => {
      answers += 1;
      return answers === 1
        ? response(200).json({ success: true, meeting: given.meeting })
        : response.untyped(HttpResponse.json({ error: 'x', code: 'unavailable' }, { status: 503 }));
    }),
  );
  await later();
  expect(await screen.findByText(/^Riverside.*/)).toBeVisible();
  await gone();
  expect(answers).toBe(1);
});

it('says that a draft was deleted', async () => {
  await renderApp(ADDRESS, { as: voter });
  await waiting();
  refusal = { code: 'meeting_not_found', status: 404 };
  await later();
  expect(await screen.findByText('This meeting does not exist or was deleted.')).toBeVisible();
});

it('goes on waiting while the server cannot be reached', async () => {
  await renderApp(ADDRESS, { as: voter });
  await waiting();
  refusal = { code: 'unavailable', status: 503 };
  await later();
  await vi.waitFor(() => expect(asked).toBe(2));
  refusal = null;
  await later();
  await gone();
  expect(asked).toBeGreaterThan(2);
});

it('is shown when an open meeting becomes a draft again, which opens anew', async () => {
  refusal = null;
  await join();
  await screen.findByRole('heading', { name: 'Waiting for Next Question' });
  refusal = { code: 'meeting_not_open_yet', status: 404 };
  server.use(
    http.get('/sse/meetings/{meetingId}/state', ({ response }) =>
      response.untyped(HttpResponse.json({ error: 'x', code: 'meeting_not_open_yet' }, { status: 404 })),
    ),
  );
  act(() => FakeEventSource.latest.break());
  await screen.findByRole('heading', { name: 'This meeting is not open yet' }, { timeout: 8_000 });

  arrangeVoting();
  refusal = null;
  await later();
  await gone();
  send('connected', given.live, given.live.version);
  expect(await screen.findByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
});

it('lets somebody in whom the organizer invites while they wait', async () => {
  refusal = { code: 'not_invited', status: 403 };
  await renderApp(ADDRESS, { as: voter });
  expect(await screen.findByText('If the organizer invites you, this page opens by itself.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toBeVisible();
  await later();
  await vi.waitFor(() => expect(asked).toBe(2));
  refusal = null;
  await later();
  expect(await screen.findByText(/^Riverside.*/)).toBeVisible();
  expect(screen.queryByText(/not invited/)).not.toBeInTheDocument();
});
