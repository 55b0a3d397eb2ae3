import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Round } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { TEST_MEETING } from '../../shared/test-data';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState, MEETING_ID, timed } from '../../test/live-samples';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleRound } from '../../test/samples';
import { http, server } from '../../test/server';

installFakeEventSource();

let live: LiveState;
let rounds: Round[];

beforeEach(() => {
  live = liveState();
  rounds = [];
  server.use(
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(live))),
    http.get('/client/meetings/{meetingId}/rounds', ({ response }) => response(200).json(rounds)),
    http.get('/client/meetings/{meetingId}/desks', ({ response }) =>
      response(200).json({ success: true, data: [] }),
    ),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', ({ response }) =>
      response(200).json({
        data: [
          {
            id: 'b1',
            number: 1,
            state: 'WAITING',
            enteredAt: '2026-11-21T13:02:00Z',
            enteredBy: 'Tellers 1',
            closedAt: null,
            closedBy: null,
            ballots: 2,
            counted: null,
            isOwn: false,
          },
        ],
      }),
    ),
  );
});

async function openPage(state: Partial<LiveState>) {
  const app = await renderApp(`/client/meetings/${MEETING_ID}/paper`, { as: clientAdmin });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  live = { ...live, ...state };
  act(() => FakeEventSource.latest.send('connected', live, live.version));
  await screen.findByRole('heading', { level: 1, name: 'Votes on paper' });
  return app;
}

describe('the page for votes on paper', () => {
  it('marks a meeting that is test data', async () => {
    await openPage({ title: 'TEST_Assembly' });
    expect(await screen.findByText(TEST_MEETING)).toBeInTheDocument();
  });

  it('says that no question is open, and makes links for voting places and tellers', async () => {
    await openPage({});
    expect(await screen.findByText(/^No question is open\./)).toBeInTheDocument();
    expect(screen.getByLabelText('What the link is for')).toHaveTextContent('Voting placeTellers');
    expect(screen.getByRole('link', { name: 'Back to Control' })).toHaveAttribute(
      'href',
      `/client/meetings/${MEETING_ID}/control`,
    );
  });

  it('shows the batches of the open question', async () => {
    await openPage({
      currentQuestion: liveQuestion({ secrecy: 'named' }),
      voteCount: 12,
      registerSize: 30,
    });
    expect(
      await screen.findByRole('heading', { name: 'Shall the accounts be approved?' }),
    ).toBeInTheDocument();
    expect(screen.getByText('Named vote. 12 of 30 voted.')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Compare and confirm: batch 1' })).toBeInTheDocument();
    expect(screen.getByLabelText('Name or username')).toBeInTheDocument();
  });

  it('goes on with the batch of this organizer, and deletes the batch of another one unsent', async () => {
    const sent: string[] = [];
    server.use(
      http.post(
        '/client/meetings/{meetingId}/rounds/{roundId}/paper-batches',
        async ({ request, response }) => {
          sent.push((await request.json()).id);
          return response.untyped(new Response(null, { status: 503 }));
        },
      ),
    );
    const question = liveQuestion({ secrecy: 'named' });
    const key = `paperBatch_${MEETING_ID}`;
    const keepOf = (owner: string) =>
      window.sessionStorage.setItem(
        key,
        JSON.stringify({
          id: `batch-of-${owner}`,
          roundId: question.roundId,
          text: question.text,
          people: [{ endUserId: 'ada', name: 'Ada Ash', username: 'ada', weight: 1, answers: ['Yes'] }],
          counts: [],
          isSending: true,
          owner,
        }),
      );
    keepOf('another-account');
    await openPage({ currentQuestion: question });
    expect(await screen.findByLabelText('Name or username')).toBeInTheDocument();
    expect(screen.queryByText(/^The batch of 1 vote/)).not.toBeInTheDocument();
    expect(window.sessionStorage.getItem(key)).toBeNull();
    cleanup();
    keepOf(clientAdmin.id);
    await openPage({ currentQuestion: question });
    expect(await screen.findByText(/^The batch of 1 vote/)).toBeInTheDocument();
    await waitFor(() => expect(sent).toEqual([`batch-of-${clientAdmin.id}`]));
  });

  it('lists the batches that waited when voting ended, of each question', async () => {
    rounds = [
      sampleRound({
        id: 'r1',
        questionText: 'Shall the roof be mended?',
        status: 'ENDED',
        waitingBatches: 1,
      }),
      sampleRound({ id: 'r2', questionText: 'Another?', status: 'ENDED', waitingBatches: 0 }),
      sampleRound({ id: 'r3', questionText: 'Open?', status: 'OPEN', waitingBatches: 1 }),
    ];
    await openPage({});
    expect(await screen.findByRole('heading', { name: 'Shall the roof be mended?' })).toBeInTheDocument();
    expect(
      screen.getByText(/^Voting has ended, and 1 batch of votes on paper was not confirmed/),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Discard batch 1' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Another?' })).not.toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Open?' })).not.toBeInTheDocument();
  });
});
