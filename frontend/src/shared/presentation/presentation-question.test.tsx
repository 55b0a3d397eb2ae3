import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { lengthOf, PresentationQuestion, type PresentationQuestionState } from './presentation-question';

const question: PresentationQuestionState = {
  questionText: 'Which of these colors?',
  questionType: 'MULTIPLE_CHOICE',
  options: ['Blue', 'Green'],
  election: null,
  ratingMax: null,
  maxChoices: null,
  secrecy: 'unshown',
  groups: undefined,
  isOpen: true,
  isVoid: false,
  orderIndex: 1,
  openedAt: null,
  closesAt: null,
  declaredRoundId: null,
  answerWall: null,
};

function show(change: Partial<PresentationQuestionState>) {
  renderPart(<PresentationQuestion question={{ ...question, ...change }} phase="open" questionCount={1} />);
}

it('shows as many options as can be read, and counts the others', () => {
  const options = Array.from({ length: 100 }, (_, index) => `Color ${index + 1}`);
  show({ options });
  const list = screen.getByRole('list');
  const shown = within(list).getAllByRole('listitem').length;
  expect(list).toHaveAttribute('data-columns', '5');
  expect(shown).toBeGreaterThanOrEqual(80);
  expect(screen.getByText(`And ${100 - shown} more, on your device.`)).toBeInTheDocument();
});

it('takes the whole width for many options, however short', () => {
  const options = Array.from({ length: 20 }, (_, index) => String(index + 1));
  expect(lengthOf({ ...question, options })).toBe('dense');
});

it('begins each entry at the start of its column, whatever its script', () => {
  show({ questionType: 'ELECTION', options: ['Ada', 'محمد'] });
  const name = screen.getByText('محمد');
  expect(name.tagName).toBe('BDI');
  expect(name.closest('li')).not.toHaveAttribute('dir');
});
