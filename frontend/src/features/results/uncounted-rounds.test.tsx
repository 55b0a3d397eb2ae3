import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { UncountedRounds } from './uncounted-rounds';

const lost = { roundId: 'r8', questionId: 'q8', position: 3, number: 1, questionText: 'Who?', isVoid: true };
const countable = { roundId: 'r9', questionId: 'q9', position: 4, number: 2, questionText: 'And the fee?' };

it('asks for a count, but not of secret votes that are void', () => {
  render(<UncountedRounds uncounted={[lost, countable, { ...lost, roundId: 'r10', number: 2 }]} />);
  expect(
    screen.getByText(
      '1 question is not counted yet: question 4, round 2 (And the fee?). Count the votes in meeting control.',
    ),
  ).toBeVisible();
  expect(
    screen.getByText(
      '2 secret votes are void, because their keys are lost: question 3 (Who?); question 3, round 2 (Who?). The ballots cannot be opened.',
    ),
  ).toBeVisible();
});

it('has no advice to count where every vote is void', () => {
  render(<UncountedRounds uncounted={[lost]} />);
  expect(screen.getByText(/^1 secret vote is void, because its key is lost: question 3/)).toBeVisible();
  expect(screen.queryByText(/Count the votes/)).not.toBeInTheDocument();
});
