import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { BallotQuestion } from '../../../shared/ballot/ballot';
import { electionPaper, electionQuestion } from '../../../test/election-samples';
import { liveQuestion } from '../../../test/live-samples';
import { renderPart } from '../../../test/render-part';
import { BallotForm } from './ballot-form';

function paper(type: BallotQuestion['type']) {
  const onSubmit = vi.fn();
  const { user } = renderPart(
    <BallotForm
      question={liveQuestion({ type, options: [] })}
      initialAnswers={[]}
      isSubmitting={false}
      onChange={() => undefined}
      onSubmit={onSubmit}
    />,
  );
  return { user, onSubmit };
}

it('keeps a percentage that cannot be, and waits until it is mended', async () => {
  const { user, onSubmit } = paper('PERCENTAGE');
  const field = screen.getByRole('textbox', { name: 'Percentage' });
  await user.type(field, '150');
  expect(field).toHaveValue('150');
  expect(screen.getByRole('alert')).toHaveTextContent('Enter a number from 0 to 100');
  expect(screen.getByRole('button', { name: 'Submit Vote' })).toBeDisabled();
  await user.keyboard('{Enter}');
  expect(field).toHaveValue('150');
  expect(onSubmit).not.toHaveBeenCalled();

  await user.clear(field);
  await user.type(field, '33,333');
  expect(field).toHaveValue('33,333');
  await user.click(screen.getByRole('button', { name: 'Submit Vote: 33.333\u00a0%' }));
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith(['33.333']);
});

it('lets only a person who moves the slider change what was typed', async () => {
  const { user, onSubmit } = paper('PERCENTAGE');
  const field = screen.getByRole('textbox', { name: 'Percentage' });
  await user.type(field, '1e5');
  const slider = screen.getByRole('slider');
  await user.click(slider);
  expect(field).toHaveValue('1e5');
  fireEvent.change(slider, { target: { value: '42' } });
  expect(field).toHaveValue('42');
  await user.clear(field);
  await user.type(field, '250');
  await user.click(screen.getByRole('button', { name: /^75/ }));
  expect(field).toHaveValue('75');
  await user.click(screen.getByRole('button', { name: /^Submit Vote/ }));
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith(['75']);
});

it('keeps a text that is too long whole, and waits until it is mended', async () => {
  const { user, onSubmit } = paper('TEXT');
  const field = screen.getByRole('textbox');
  await user.click(field);
  await user.paste('a'.repeat(2_001));
  expect(field).toHaveValue('a'.repeat(2_001));
  expect(screen.getByRole('alert')).toHaveTextContent('At most 2,000 characters. This is 2,001.');
  expect(screen.getByRole('button', { name: 'Submit Vote' })).toBeDisabled();
  await user.keyboard('{Backspace}');
  await user.click(screen.getByRole('button', { name: /^Submit Vote/ }));
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith(['a'.repeat(2_000)]);
});

it('sends the marks of an election, and reads them out by name', async () => {
  const onSubmit = vi.fn();
  const { user } = renderPart(
    <BallotForm
      question={electionQuestion(electionPaper({ least: 2 }))}
      initialAnswers={[]}
      isSubmitting={false}
      onChange={() => undefined}
      onSubmit={onSubmit}
    />,
  );
  expect(screen.getByText('Mark your ballot to vote.')).toBeInTheDocument();
  await user.click(await screen.findByRole('checkbox', { name: 'Imani Okoye' }));
  // One of two is too few: nothing is added for the voter.
  expect(screen.getByRole('button', { name: 'Submit Vote' })).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'Nadia Brandt' }));
  await user.click(screen.getByRole('button', { name: 'Submit Vote: Nadia Brandt, Imani Okoye' }));
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith(['1', '3']);
});

it('says beside the button what is left to mark, before an incomplete ballot is sent', async () => {
  const { user } = renderPart(
    <BallotForm
      question={electionQuestion(electionPaper({ method: 'per_candidate', marks: 'answers', most: null }))}
      initialAnswers={[]}
      isSubmitting={false}
      onChange={() => undefined}
      onSubmit={vi.fn()}
    />,
  );
  const [first] = await screen.findAllByRole('radio', { name: 'Yes' });
  await user.click(first as HTMLElement);
  expect(await screen.findByText('3 left to mark. You can submit the ballot as it is.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /^Submit Vote/ })).toHaveAccessibleDescription(/3 left to mark/);
  // The abstention from the whole election is apart from the one from a candidate.
  await user.click(
    within(screen.getByRole('group', { name: 'For the whole ballot' })).getByRole('checkbox', {
      name: 'Abstain',
    }),
  );
  expect(screen.queryByText(/left to mark/)).not.toBeInTheDocument();
});

it('leaves only the action and the countdown at the bottom of a low screen', () => {
  renderPart(
    <BallotForm
      question={liveQuestion({ closesAt: '2030-01-01T00:00:00Z' })}
      initialAnswers={[]}
      isSubmitting={false}
      onChange={() => undefined}
      onSubmit={() => undefined}
    />,
  );
  const act = screen.getByRole('timer').parentElement as HTMLElement;
  expect(act).toHaveClass('act');
  expect(within(act).getByText('Select your answer to vote.')).toBeInTheDocument();
  expect(within(act).queryByRole('note')).not.toBeInTheDocument();
  expect(screen.getByRole('note')).toBeInTheDocument();
});
