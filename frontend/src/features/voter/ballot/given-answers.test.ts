import { expect, it } from 'vitest';
import { voterQuestion } from '../../../test/voter-samples';
import { givenAnswers } from './given-answers';

const note = {
  id: 'q1',
  roundId: 'r1',
  text: 'Shall the accounts be approved?',
  type: 'SINGLE_CHOICE',
  userAnswers: ['Yes'],
  answeredAt: '2026-11-21T13:00:05Z',
};
const hidden = { hasVoted: true, userVote: null };

it('shows the answer that this device has noted, where the server does not show it', () => {
  expect(givenAnswers([voterQuestion({ ...hidden, roundId: 'r1' })], [note])).toMatchObject([
    { answers: ['Yes'] },
  ]);
});

it('does not take the answer of an earlier round for the one that counts in the re-vote', () => {
  expect(givenAnswers([voterQuestion({ ...hidden, roundId: 'r2' })], [note])).toMatchObject([
    { answers: [] },
  ]);
});

it('does not believe a note of an earlier version, which names no round', () => {
  const { roundId: _, ...old } = note;
  expect(givenAnswers([voterQuestion({ ...hidden, roundId: 'r1' })], [old])).toMatchObject([{ answers: [] }]);
});

it('shows a noted answer to a question that the server has not sent yet', () => {
  expect(givenAnswers([], [note])).toMatchObject([{ questionId: 'q1', answers: ['Yes'] }]);
});
