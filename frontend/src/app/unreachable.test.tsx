import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { session } from '../api/session';
import { heldBallotsNote } from '../features/voter/proxies/held-notes';
import { ballotDraftNote, undeliveredBallotNote } from '../shared/storage';
import { voter } from '../test/people';
import { renderApp } from '../test/render-app';
import { http, server } from '../test/server';
import { tokenOf } from '../test/tokens';

const draft = {
  userId: voter.id,
  questionId: 'q1',
  roundId: 'r1',
  text: 'Shall we build the bridge?',
  answers: ['Yes'],
};

afterEach(() => vi.restoreAllMocks());

/** A page that is loaded while the server cannot be reached, with the tokens of `sub`. */
async function reloadWithoutServer(sub: string = voter.id): Promise<void> {
  window.localStorage.setItem('accessToken', tokenOf({ sub }));
  server.use(http.get('/auth/me', ({ response }) => response.untyped(Response.error())));
  await session.resolve();
  await renderApp('/voting/meeting/m1');
}

it('says that the device is offline, and shows the choice that is not submitted yet', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  ballotDraftNote.save('m1', draft);
  await reloadWithoutServer();
  expect(await screen.findByText('You are offline')).toBeInTheDocument();
  expect(
    await screen.findByRole('heading', { name: 'Your choice is kept on this device' }),
  ).toBeInTheDocument();
  expect(screen.getByText(draft.text)).toBeInTheDocument();
  expect(screen.getByText('Yes')).toBeInTheDocument();
});

it('shows a submitted vote once, even if its draft is still there', async () => {
  ballotDraftNote.save('m1', draft);
  undeliveredBallotNote.save('m1', { ...draft, type: 'SINGLE_CHOICE', orderIndex: 1 });
  await reloadWithoutServer();
  expect(await screen.findByText('Plenum cannot be reached')).toBeInTheDocument();
  expect(
    await screen.findByRole('heading', { name: 'Your vote is kept on this device' }),
  ).toBeInTheDocument();
  expect(screen.getAllByText(draft.text)).toHaveLength(1);
});

it('names the votes of a holder that are not delivered', async () => {
  const ballot = (id: string) => ({ for: id, name: id, answers: ['Yes'], envelope: null });
  heldBallotsNote.save('m1', {
    userId: voter.id,
    questionId: 'q1',
    roundId: 'r1',
    summary: '3 votes: 3 Yes',
    ballots: [ballot('p0'), ballot('p1'), ballot('p2')],
    outcomes: [{ for: 'p0', name: 'p0', receipt: null, code: null, error: null }],
  });
  await reloadWithoutServer();
  const title = '2 votes are kept on this device';
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(screen.getByText('3 votes: 3 Yes')).toBeInTheDocument();
  expect(screen.getByText(/open the meeting on this device to send them\./)).toBeInTheDocument();
});

it('shows no ballot of another person on a shared phone', async () => {
  ballotDraftNote.save('m1', draft);
  ballotDraftNote.save('m2', { ...draft, userId: 'somebody-else', text: 'Roof?' });
  await reloadWithoutServer('somebody-else');
  expect(await screen.findByText('Roof?')).toBeInTheDocument();
  expect(screen.queryByText(draft.text)).not.toBeInTheDocument();
});

it('continues by itself when the connection is back', async () => {
  await reloadWithoutServer();
  await screen.findByText('Plenum cannot be reached');
  server.use(
    http.get('/auth/me', ({ response }) => response(200).json({ user: voter })),
    http.untyped.all('*/api/voting/*', () => new Response('{"error":"x","code":"x"}', { status: 500 })),
  );
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(screen.queryByText('Plenum cannot be reached')).not.toBeInTheDocument());
});
