import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  endedRound,
  given,
  haveRounds,
  installControl,
  noteStep,
  onScreen,
  openControl,
  refused,
  resultOf,
  stepTo,
} from '../../../test/control-fixture';
import { http, server } from '../../../test/server';

installControl();

const WORDS = 'The votes of 3 people could be inferred from the totals (weights 37.5; 50)';
const atRisk = () => refused('secrecy_at_risk', WORDS);
const isAccepted = (request: Request) => new URL(request.url).searchParams.get('acceptRisk') === 'true';

beforeEach(() => {
  given.questions = given.questions.map((question) => ({ ...question, secrecy: 'secret' as const }));
});

/** A server that opens the vote once its risk is accepted, or once it is counted by heads. */
function openAtRisk() {
  server.use(
    http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
      noteStep(request, await request.json());
      const isFine = isAccepted(request) || given.questions.some(({ countsHeads }) => countsHeads);
      return isFine ? response(200).json(stepTo(undefined)) : response.untyped(atRisk());
    }),
    http.put('/client/questions/{questionId}', async ({ request, response }) => {
      given.asked.push(await request.json());
      given.questions = given.questions.map((question) => ({ ...question, countsHeads: true }));
      return response(200).json(given.questions[0] as (typeof given.questions)[0]);
    }),
  );
}

async function askToOpen() {
  openAtRisk();
  const { user } = await openControl();
  await user.click(await screen.findByRole('button', { name: 'Start Question' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'The vote may not stay secret' }));
  expect(dialog.getByText(`${WORDS}.`)).toBeInTheDocument();
  return { user, dialog };
}

describe('a secret vote that may not stay secret', () => {
  it('can be counted by heads', async () => {
    const { user, dialog } = await askToOpen();
    await user.click(dialog.getByRole('button', { name: 'Count by heads' }));
    await waitFor(() =>
      expect(given.asked).toEqual([{ questionId: 'q1' }, { countsHeads: true }, { questionId: 'q1' }]),
    );
  });

  it('can be opened anyway', async () => {
    const { user, dialog } = await askToOpen();
    await user.click(dialog.getByRole('button', { name: 'Open anyway' }));
    await waitFor(() => expect(given.asked).toEqual([{ questionId: 'q1' }, { questionId: 'q1' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('stays closed after Cancel', async () => {
    const { user, dialog } = await askToOpen();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
  });

  it('is counted anyway only after asking', async () => {
    haveRounds(endedRound({ status: 'ENDED', countedAt: null }));
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/count', ({ request, response }) => {
        noteStep(request, isAccepted(request) ? 'accepted' : 'asked');
        return isAccepted(request) ? response(200).json(resultOf(endedRound())) : response.untyped(atRisk());
      }),
    );
    const { user } = await openControl();
    await user.click(await screen.findByRole('button', { name: 'Open the urn and count' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The vote may not stay secret' }));
    expect(dialog.queryByRole('button', { name: 'Count by heads' })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Open the urn anyway' }));
    await waitFor(() => expect(given.asked).toEqual(['asked', 'accepted']));
  });

  it('that is void leads to a re-vote', async () => {
    haveRounds(endedRound({ status: 'ENDED', countedAt: null }));
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/count', ({ response }) =>
        response.untyped(refused('round_void', 'The key of this vote is lost')),
      ),
    );
    const { user } = await openControl();
    await user.click(await screen.findByRole('button', { name: 'Open the urn and count' }));
    expect(await screen.findByRole('dialog', { name: 'Start a re-vote?' })).toBeInTheDocument();
  });

  it('that is void although nobody voted is held again from its result', async () => {
    haveRounds(endedRound({ status: 'ENDED', countedAt: null, voteCount: 0 }));
    server.use(
      http.post('/client/meetings/{meetingId}/rounds', async ({ request, response }) => {
        noteStep(request, await request.json());
        return response(201).json(stepTo(undefined));
      }),
    );
    const { user } = await openControl({
      currentQuestion: { ...onScreen(given.questions[0]), roundId: 'r1', isVoid: true },
    });
    expect(await screen.findByText(/^The vote is void\. A re-vote is a new round/)).toBeVisible();
    expect(screen.queryByText(/^Nobody voted/)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Re-vote' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Start a re-vote?' }));
    expect(dialog.getByText(/The round that has ended is void, so it has no result\.$/)).toBeVisible();
    await user.type(dialog.getByLabelText(/Reason/), 'The key was lost');
    await user.click(dialog.getByRole('button', { name: 'Start Re-vote' }));
    await waitFor(() => expect(given.asked).toEqual([{ questionId: 'q1', reason: 'The key was lost' }]));
  });
});
