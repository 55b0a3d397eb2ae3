import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Result } from '../../../api/types';
import type { ElectionResult, TieDecisionBody, TieRule } from '../../../shared/elections/election-types';
import {
  endedRound,
  given,
  haveRounds,
  installControl,
  openControl,
  refused,
  resultOf,
} from '../../../test/control-fixture';
import { electionResult, electionTie, resultOfElection } from '../../../test/election-samples';
import { http, server } from '../../../test/server';

installControl();

const decision = {
  tie: electionTie(),
  by: 'lot' as const,
  seed: '7f3a',
  order: [3, 2],
  drawnBy: null,
  witnessedBy: null,
  at: '2026-11-21T18:10:00Z',
  decidedBy: 'Maria Keller',
};

async function openTie(change: Partial<ElectionResult> = {}, ties: TieRule = 'lot') {
  const sent: TieDecisionBody[] = [];
  const election = electionResult({ tie: electionTie(), ...change });
  haveRounds(endedRound());
  given.results = {
    r1: resultOfElection(election, {
      roundId: 'r1',
      decisionRule: { kind: 'election', election: { method: 'stv_scottish', ties } },
    }),
  };
  server.use(
    http.post(
      '/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions',
      async ({ request, response }) => {
        sent.push(await request.json());
        const decided = resultOfElection(electionResult({ decisions: [decision] }), { roundId: 'r1' });
        given.results = { r1: decided };
        return response(200).json(decided);
      },
    ),
  );
  const { user } = await openControl();
  const card = await screen.findByRole('region', { name: /^The count waits/ });
  return { user, sent, card, inCard: within(card) };
}

/** Presses "Draw the lot", and confirms in the dialog. */
async function draw({ user, inCard }: Pick<Awaited<ReturnType<typeof openTie>>, 'user' | 'inCard'>) {
  await user.click(inCard.getByRole('button', { name: 'Draw the lot' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Draw the lot?' }));
  await user.click(dialog.getByRole('button', { name: 'Draw the lot' }));
}

it('lets the product draw the lot, and shows the seed afterwards', async () => {
  const { user, sent, card, inCard } = await openTie();
  expect(card).toHaveTextContent('Tomas Weller and Imani Okoye have the fewest votes, 14 each.');
  expect(screen.getByText('Tie not decided')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Declare result' })).not.toBeInTheDocument();
  await draw({ user, inCard });
  await waitFor(() => expect(card).not.toBeInTheDocument());
  expect(sent).toEqual([{ stage: 2, numbers: [2, 3], by: 'lot' }]);
  expect(screen.getByRole('region', { name: 'Decided ties' })).toHaveTextContent('Seed: 7f3a');
  expect(screen.getByRole('button', { name: 'Declare result' })).toBeEnabled();
});

it('is drawn only after the dialog that names the people and what is decided', async () => {
  const { user, sent, inCard } = await openTie();
  await user.click(inCard.getByRole('button', { name: 'Draw the lot' }));
  const dialog = await screen.findByRole('dialog', { name: 'Draw the lot?' });
  expect(dialog).toHaveTextContent('Plenum draws between Tomas Weller and Imani Okoye.');
  expect(dialog).toHaveTextContent('The candidate drawn first is excluded at stage 2.');
  expect(dialog).toHaveTextContent('A lot that is drawn never changes.');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([]);
});

it('draws one lot by double clicks, even if another tie follows at the same place', async () => {
  const { user, sent, card, inCard } = await openTie();
  const next = electionResult({ tie: electionTie({ stage: 3, matter: 'seats' }), decisions: [decision] });
  server.use(
    http.post(
      '/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions',
      async ({ request, response }) => {
        sent.push(await request.json());
        given.results = { r1: resultOfElection(next, { roundId: 'r1' }) };
        return response(200).json(given.results.r1 as Result);
      },
    ),
  );
  await user.dblClick(inCard.getByRole('button', { name: 'Draw the lot' }));
  const dialog = await screen.findByRole('dialog', { name: 'Draw the lot?' });
  await user.dblClick(within(dialog).getByRole('button', { name: 'Draw the lot' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(card).not.toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'The count waits: a tie at stage 3' })).toBeVisible();
  expect(sent).toEqual([{ stage: 2, numbers: [2, 3], by: 'lot' }]);
});

it('is told once, with the lot before the re-vote', async () => {
  const { card, inCard } = await openTie();
  expect(screen.getAllByText(/have the fewest votes, 14 each/)).toHaveLength(1);
  expect(screen.queryByText(/a tie between/)).not.toBeInTheDocument();
  const lot = inCard.getByRole('button', { name: 'Draw the lot' });
  const revote = screen.getByRole('button', { name: 'Re-vote' });
  expect(lot.compareDocumentPosition(revote)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(card).not.toContainElement(revote);
  expect(screen.getByRole('button', { name: 'Tie Not Decided' })).toBeDisabled();
});

it('says that nobody is elected yet while the count waits', async () => {
  await openTie({ elected: [] });
  expect(screen.getByText('Tie not decided')).toBeVisible();
  expect(screen.getByText('Nobody is elected yet: a tie is not decided.')).toBeVisible();
  expect(screen.queryByText('Elected', { selector: '[data-outcome]' })).not.toBeInTheDocument();
});

it('takes a lot that was drawn by hand once it is complete', async () => {
  const { user, sent, inCard } = await openTie();
  await user.click(inCard.getByRole('button', { name: 'Enter a lot drawn by hand' }));
  const enter = () => user.click(inCard.getByRole('button', { name: 'Enter the lot' }));
  expect(inCard.getByRole('status')).toHaveTextContent('The candidate drawn first is excluded at stage 2.');
  await user.selectOptions(inCard.getByLabelText('Drawn first (excluded)'), 'Imani Okoye');
  await user.selectOptions(inCard.getByLabelText('Drawn second'), 'Imani Okoye');
  expect(inCard.getByRole('status')).toHaveTextContent('Imani Okoye is excluded at stage 2.');
  await enter();
  expect(inCard.getByLabelText('Drawn second')).toHaveAccessibleDescription('This one was drawn before.');
  expect(inCard.getByLabelText('Drawn by')).toHaveAccessibleDescription('Enter who drew the lot.');
  expect(inCard.getByLabelText('Seen by')).toHaveAccessibleDescription('Enter who saw the draw.');
  expect(sent).toEqual([]);

  await user.selectOptions(inCard.getByLabelText('Drawn second'), 'Tomas Weller');
  await user.type(inCard.getByLabelText('Drawn by'), 'Aiko Mori');
  await user.type(inCard.getByLabelText('Seen by'), 'Georg Hahn');
  await enter();
  await waitFor(() =>
    expect(sent).toEqual([
      {
        stage: 2,
        numbers: [2, 3],
        by: 'lot_by_hand',
        order: [3, 2],
        drawnBy: 'Aiko Mori',
        witnessedBy: 'Georg Hahn',
      },
    ]),
  );
});

it('asks for no lot where the quorum was missed', async () => {
  haveRounds(endedRound());
  given.results = {
    r1: resultOfElection(electionResult({ tie: electionTie() }), {
      roundId: 'r1',
      decision: { outcome: 'quorum_missed', elected: [], tie: null },
    }),
  };
  await openControl();
  expect(await screen.findByRole('button', { name: 'Declare result' })).toBeEnabled();
  expect(screen.queryByRole('region', { name: /^The count waits/ })).not.toBeInTheDocument();
  expect(screen.getByText('Nobody is elected.')).toBeVisible();
  expect(screen.queryByText('Nadia Brandt reaches the quota of 20.')).not.toBeInTheDocument();
});

describe('within ten seconds, the control view of another organizer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('offers to declare a result whose tie was decided', async () => {
    const { card } = await openTie();
    given.results = { r1: resultOfElection(electionResult({ decisions: [decision] }), { roundId: 'r1' }) };
    act(() => void vi.advanceTimersByTime(10_000));
    await waitFor(() => expect(card).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Declare result' })).toBeEnabled();
  });

  it('offers to declare a result whose casting vote was noted', async () => {
    const round = endedRound();
    haveRounds(round);
    given.results = {
      r1: resultOf(round, { decision: { outcome: 'casting_vote_open', elected: [], tie: null } }),
    };
    await openControl();
    const card = await screen.findByRole('region', { name: 'The votes are equal' });
    given.results = { r1: resultOf(round) };
    act(() => void vi.advanceTimersByTime(10_000));
    await waitFor(() => expect(card).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Declare result' })).toBeEnabled();
  });

  it('does not ask for a result again that waits for nothing', async () => {
    haveRounds(endedRound());
    let asked = 0;
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/result', ({ response }) => {
        asked += 1;
        return response(200).json(resultOf(endedRound()));
      }),
    );
    await openControl();
    await screen.findByRole('button', { name: 'Declare result' });
    const before = asked;
    act(() => void vi.advanceTimersByTime(30_000));
    // A request would arrive a moment later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked).toBe(before);
  });
});

it('says that the tie was decided elsewhere', async () => {
  const { user, inCard } = await openTie();
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions', ({ response }) =>
      response.untyped(refused('tie_is_not_open', 'This tie is not open any more.')),
    ),
  );
  await draw({ user, inCard });
  expect(await inCard.findByRole('alert')).toHaveTextContent('This tie is not open any more.');
});

it('keeps the refusal of a decision away from the next tie', async () => {
  const { user, inCard } = await openTie();
  const next = electionResult({ tie: electionTie({ stage: 3, matter: 'seats' }), decisions: [decision] });
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions', ({ response }) => {
      given.results = { r1: resultOfElection(next, { roundId: 'r1' }) };
      return response.untyped(refused('tie_is_not_open', 'This tie is not open any more.'));
    }),
  );
  await draw({ user, inCard });
  const card = await screen.findByRole('region', { name: 'The count waits: a tie at stage 3' });
  expect(within(card).queryByRole('alert')).not.toBeInTheDocument();
});

it('enters a lot that was drawn by hand once, also when the form is sent twice', async () => {
  const { user, sent, card, inCard } = await openTie();
  await user.click(inCard.getByRole('button', { name: 'Enter a lot drawn by hand' }));
  await user.selectOptions(inCard.getByLabelText('Drawn first (excluded)'), 'Imani Okoye');
  await user.selectOptions(inCard.getByLabelText('Drawn second'), 'Tomas Weller');
  await user.type(inCard.getByLabelText('Drawn by'), 'Aiko Mori');
  await user.type(inCard.getByLabelText('Seen by'), 'Georg Hahn');
  const form = inCard.getByLabelText('Drawn by').closest('form') as HTMLFormElement;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await waitFor(() => expect(card).not.toBeInTheDocument());
  expect(sent).toHaveLength(1);
});

it('draws no lot where the rule asks for a run-off, and lets the result be declared', async () => {
  const { inCard } = await openTie({ tie: electionTie({ matter: 'seats' }) }, 'run_off');
  expect(inCard.getByText(/The rule asks for a run-off/)).toBeInTheDocument();
  expect(inCard.queryByRole('button', { name: 'Draw the lot' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Declare result' })).toBeEnabled();
});

it('offers only the kind of lot that the terms name', async () => {
  const { inCard } = await openTie({}, 'drawn_lot');
  expect(inCard.getByRole('button', { name: 'Draw the lot' })).toBeEnabled();
  expect(inCard.queryByRole('button', { name: 'Enter a lot drawn by hand' })).not.toBeInTheDocument();
});

it('leaves the result on the screen if it cannot be loaded again afterwards', async () => {
  const { user, card, inCard } = await openTie();
  let failed = 0;
  server.use(
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/result', ({ response }) => {
      failed += 1;
      return response.untyped(HttpResponse.error());
    }),
  );
  await draw({ user, inCard });
  await waitFor(() => expect(card).not.toBeInTheDocument());
  await waitFor(() => expect(failed).toBe(1));
  expect(await screen.findByText(/may be out of date/)).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Decided ties' })).toBeInTheDocument();
  expect(screen.queryByText(/^The tally could not be loaded/)).not.toBeInTheDocument();
});
