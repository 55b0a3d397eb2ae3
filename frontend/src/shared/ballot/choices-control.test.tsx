import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import type { BallotQuestion } from './ballot';
import { ChoicesControl } from './choices-control';

const question: BallotQuestion = {
  id: 'q1',
  text: 'Who joins the board?',
  type: 'MULTIPLE_CHOICE',
  options: ['Nadia', 'Tomas', 'Imani', 'Nobody'],
  abstention: 'Nobody',
  election: null,
  ratingMax: null,
  maxChoices: 2,
  secrecy: 'unshown',
  sealing: null,
  orderIndex: 1,
  roundId: 'r1',
  closesAt: null,
};

function Ballot({ maxChoices }: { maxChoices: number | null }) {
  const [answers, setAnswers] = useState<string[]>([]);
  return (
    <>
      <p id="title">{question.text}</p>
      <ChoicesControl
        question={{ ...question, maxChoices }}
        answers={answers}
        isDisabled={false}
        labelledBy="title"
        describedBy={undefined}
        onChange={setAnswers}
      />
      <output>{answers.join(', ')}</output>
    </>
  );
}

it('takes an abstention only alone, and says so', async () => {
  const user = userEvent.setup();
  renderPart(<Ballot maxChoices={2} />);
  const tap = (name: string) => user.click(screen.getByRole('checkbox', { name }));

  await tap('Nadia');
  await tap('Imani');
  expect(screen.getByRole('checkbox', { name: 'Tomas' })).toBeDisabled();
  await tap('Nobody');
  expect(screen.getByRole('status')).toHaveTextContent('Nobody');
  expect(
    screen.getByText('You are abstaining. Choosing an answer withdraws the abstention.'),
  ).toBeInTheDocument();

  await tap('Tomas');
  expect(screen.getByRole('status')).toHaveTextContent('Tomas');
  expect(screen.getByRole('checkbox', { name: 'Nobody' })).not.toBeChecked();
});

it('of one answer replaces it with the next one, an abstention too', async () => {
  const user = userEvent.setup();
  renderPart(<Ballot maxChoices={1} />);
  const tap = (name: string) => user.click(screen.getByRole('radio', { name }));
  expect(screen.getByRole('radiogroup', { name: question.text })).toBeInTheDocument();
  expect(screen.getByText('Choose one answer.')).toBeInTheDocument();

  await tap('Nadia');
  await tap('Tomas');
  expect(screen.getByRole('status')).toHaveTextContent(/^Tomas$/);
  await tap('Nobody');
  expect(screen.getByRole('status')).toHaveTextContent(/^Nobody$/);
  await tap('Imani');
  expect(screen.getByRole('status')).toHaveTextContent(/^Imani$/);
});

it('does not count an abstention among the answers to choose', () => {
  renderPart(<Ballot maxChoices={null} />);
  expect(screen.getByText('Choose one or more answers.')).toBeInTheDocument();
});
