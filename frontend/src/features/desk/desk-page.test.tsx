import { screen } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { TEST_MEETING } from '../../shared/test-data';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';
import type { DeskMeeting } from './desk-api';
import { batchPlace } from './tellers/batch-place';

const TOKEN = 'desk_for-a-test-of-the-page';

function answerDesk(purpose: DeskMeeting['purpose'], change: Partial<DeskMeeting> = {}) {
  server.use(
    http.get('/desk', ({ response }) =>
      response(200).json({
        desk: 'Front room',
        purpose,
        meetingId: 'd0000000-0000-7000-8000-000000000001',
        meetingTitle: 'General assembly',
        organization: 'Rowing Club',
        status: 'ACTIVE',
        checkIn: 'ON',
        weightKind: null,
        present: 0,
        eligible: 0,
        lastEntry: 0,
        serverTime: new Date().toISOString(),
        ...change,
      }),
    ),
    http.get('/desk/people', ({ response }) => response(200).json({ success: true, data: [], next: null })),
    http.get('/desk/entries', ({ response }) =>
      response(200).json({ success: true, data: [], serverTime: new Date().toISOString() }),
    ),
    http.get('/desk/question', ({ response }) => response(200).json({ question: null, leftBatches: [] })),
  );
}

describe('the page of a desk', () => {
  it.each([
    ['CHECK_IN', 'Name, member number or group'],
    ['VOTING_PLACE', /^Voting is not open\./],
    ['TELLERS', /^No question is open\./],
  ] as const)('shows what its link is for: %s', async (purpose, words) => {
    answerDesk(purpose);
    await renderApp(`/desk#${TOKEN}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Front room' })).toBeVisible();
    expect(await screen.findByText(words)).toBeVisible();
  });

  it.each<[DeskMeeting['purpose'], Partial<DeskMeeting>]>([
    ['CHECK_IN', { meetingTitle: 'TEST_Assembly' }],
    ['VOTING_PLACE', { meetingTitle: 'TEST_Assembly' }],
    ['TELLERS', { organization: 'TEST_Rowing Club' }],
  ])('marks a meeting that is test data: %s', async (purpose, change) => {
    answerDesk(purpose, change);
    await renderApp(`/desk#${TOKEN}`);
    expect(await screen.findByText(TEST_MEETING)).toBeVisible();
  });

  it('closes when its link is revoked, and forgets the batch that was being entered', async () => {
    answerDesk('TELLERS');
    const { key, storage } = batchPlace(TOKEN);
    storage().setItem(key, '{}');
    server.use(
      http.get('/desk/question', ({ response }) =>
        response.untyped(
          HttpResponse.json({ error: 'This link no longer works.', code: 'desk_ended' }, { status: 401 }),
        ),
      ),
    );
    await renderApp(`/desk#${TOKEN}`);
    expect(await screen.findByRole('heading', { name: 'This desk is closed' })).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('This link no longer works.');
    expect(storage().getItem(key)).toBeNull();
  });

  it('keeps the batch that is being entered while the sign-in page of a Wi-Fi refuses everything', async () => {
    answerDesk('TELLERS');
    const { key, storage } = batchPlace(TOKEN);
    storage().setItem(key, '{}');
    server.use(
      http.get('/desk/question', ({ response }) =>
        response.untyped(HttpResponse.html('<h1>Sign in</h1>', { status: 403 })),
      ),
    );
    await renderApp(`/desk#${TOKEN}`);
    expect(await screen.findByText(/^No connection\./)).toBeVisible();
    expect(storage().getItem(key)).toBe('{}');
  });

  it('keeps the batch, and opens later, if something before the server refuses the desk', async () => {
    answerDesk('TELLERS');
    const { key, storage } = batchPlace(TOKEN);
    storage().setItem(key, '{}');
    server.use(
      http.get(
        '/desk',
        ({ response }) => response.untyped(HttpResponse.html('<h1>Not found</h1>', { status: 404 })),
        { once: true },
      ),
    );
    await renderApp(`/desk#${TOKEN}`);
    expect(await screen.findByText('There is no connection. This screen tries again…')).toBeVisible();
    expect(storage().getItem(key)).toBe('{}');
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Front room' })).toBeVisible();
  });

  it('is closed, and forgets the batch, if its link was revoked before it is opened', async () => {
    const { key, storage } = batchPlace(TOKEN);
    storage().setItem(key, '{}');
    server.use(
      http.get('/desk', ({ response }) =>
        response.untyped(
          HttpResponse.json({ error: 'This link no longer works.', code: 'desk_ended' }, { status: 401 }),
        ),
      ),
    );
    await renderApp(`/desk#${TOKEN}`);
    expect(await screen.findByRole('heading', { name: 'This desk is closed' })).toBeVisible();
    expect(storage().getItem(key)).toBeNull();
  });

  it('lists the batches that waited when voting ended, also to a teller who comes later', async () => {
    answerDesk('TELLERS');
    const roundId = 'd0000000-0000-7000-8000-000000000002';
    server.use(
      http.get('/desk/question', ({ response }) =>
        response(200).json({ question: null, leftBatches: [{ roundId, text: 'Is the roof repaired?' }] }),
      ),
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', ({ response }) =>
        response(200).json({
          data: [
            {
              id: 'd0000000-0000-7000-8000-000000000003',
              number: 1,
              state: 'WAITING',
              enteredAt: '2026-11-21T18:04:05Z',
              enteredBy: 'Tellers 1',
              isOwn: true,
              closedAt: null,
              closedBy: null,
              ballots: 2,
              counted: null,
            },
          ],
        }),
      ),
    );
    await renderApp(`/desk#${TOKEN}`);
    const left = await screen.findByRole('region', { name: 'Is the roof repaired?' });
    expect(left).toHaveTextContent('Voting has ended, and 1 batch of votes on paper was not confirmed.');
  });

  it('asks for the whole link', async () => {
    await renderApp('/desk');
    expect(await screen.findByRole('alert')).toHaveTextContent('This address is not complete.');
  });
});
