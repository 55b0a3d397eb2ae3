import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ElectionOutcome, SeatAnswer } from '../../../shared/elections/election-types';
import {
  endedRound,
  given,
  haveRounds,
  installControl,
  openControl,
  refused,
} from '../../../test/control-fixture';
import {
  electionOutcome,
  electionResult,
  resultOfElection,
  seatHolder,
} from '../../../test/election-samples';
import { sampleQuestion } from '../../../test/samples';
import { http, server } from '../../../test/server';

installControl();

async function openDeclared(outcome: ElectionOutcome) {
  const declared = { at: '2026-11-21T18:10:00Z', by: 'Maria Keller' };
  haveRounds(endedRound({ status: 'DECLARED', declaredAt: declared.at, declaredBy: declared.by }));
  given.results = { r1: resultOfElection(electionResult(), { roundId: 'r1', status: 'DECLARED', declared }) };
  given.elections = [outcome];
  const { user } = await openControl();
  const card = await screen.findByRole('region', { name: 'Seats' });
  return { user, card, inCard: within(card) };
}

it('notes who accepts, and shows who moves up for somebody who declines', async () => {
  const sent: { candidate: number; answer: SeatAnswer }[] = [];
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/seat-answers', async ({ request, response }) => {
      sent.push(await request.json());
      given.elections = [
        electionOutcome({
          holders: [
            seatHolder({ candidate: 1, answer: 'accepted' }),
            seatHolder({ candidate: 3, hasMovedUp: true }),
          ],
          declined: [seatHolder({ candidate: 2, answer: 'declined' })],
          answers: [
            {
              roundId: 'r1',
              at: '2026-11-21T18:12:00Z',
              by: 'Maria Keller',
              candidate: 2,
              answer: 'declined',
              isContinued: false,
              seated: [1, 3],
              drawn: [],
              tied: [],
              words: 'Tomas Weller declines the election. Imani Okoye moves up.',
            },
          ],
        }),
      ];
      return response(200).json(given.elections);
    }),
  );
  const { user, card, inCard } = await openDeclared(electionOutcome());
  expect(inCard.getByText('2 of 2 seats filled.')).toBeVisible();
  await user.click(inCard.getByRole('button', { name: 'Declines: Tomas Weller' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record that this person declines?' }));
  expect(dialog.getByText('“Tomas Weller”')).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Record refusal' }));
  const seats = within(await inCard.findByRole('list', { name: 'Who declined' }));
  expect(seats.getByRole('button', { name: 'Take back: Tomas Weller' })).toBeVisible();
  expect(sent).toEqual([{ candidate: 2, answer: 'declined' }]);
  // The pressed button went with its row.
  await waitFor(() => expect(card).toHaveFocus());
  const seated = inCard.getByRole('list', { name: 'Who has a seat' });
  expect(seated).toHaveTextContent('Nadia Brandt');
  expect(seated).toHaveTextContent('Imani OkoyeMoved up · No answer yet');
  expect(inCard.getByRole('list', { name: 'Noted answers' })).toHaveTextContent('Imani Okoye moves up.');
  expect(inCard.queryByRole('button', { name: 'Add the next ballot' })).not.toBeInTheDocument();
});

it('adds the next ballot once, and then says where it is', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/next-ballot', ({ response }) => {
      const next = sampleQuestion({
        id: 'q3',
        orderIndex: 3,
        questionText: 'Who joins the board? (ballot 2)',
        questionType: 'ELECTION',
        decisionRule: {
          kind: 'election',
          election: { method: 'plurality', follows: { round: 'r1', ballot: 2 } },
        },
      });
      given.questions = [...given.questions, next];
      return response(201).json(next);
    }),
  );
  const { user, card, inCard } = await openDeclared(
    electionOutcome({
      holders: [seatHolder()],
      vacant: 1,
      next: { roundId: 'r1', candidates: [2, 3], seats: 1 },
    }),
  );
  expect(inCard.getByText('1 of 2 seats filled, 1 seat vacant.')).toBeVisible();
  await user.click(inCard.getByRole('button', { name: 'Add the next ballot' }));
  await waitFor(() => expect(card).toHaveTextContent('The next ballot is question 3.'));
  expect(inCard.queryByRole('button', { name: 'Add the next ballot' })).not.toBeInTheDocument();
});

it('shows why the next ballot was not added', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/next-ballot', ({ response }) =>
      response.untyped(refused('agenda_full', 'The agenda is full; delete a question first')),
    ),
  );
  const { user, inCard } = await openDeclared(
    electionOutcome({ holders: [], vacant: 2, next: { roundId: 'r1', candidates: [1, 2, 3], seats: 2 } }),
  );
  await user.click(inCard.getByRole('button', { name: 'Add the next ballot' }));
  expect(await inCard.findByRole('alert')).toHaveTextContent('The agenda is full; delete a question first');
});
