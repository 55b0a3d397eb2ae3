import { expect, it } from 'vitest';
import { liveQuestion } from '../../../test/live-samples';
import { sampleQuestion } from '../../../test/samples';
import { countDifferences, orderDifferences, shownDifferences } from './snapshot-differences';

const ONE = ['question_activated', 'vote_count', 'question_deactivated', 'result_declared'];
const BETWEEN = ['connected', 'heartbeat', 'participant_count', 'meeting_update', 'meeting_status'];

it('hears the events of each question in their order', () => {
  const received = [...BETWEEN, ...ONE, 'question_activated', 'vote_count', 'vote_count', ...ONE.slice(2)];
  expect(orderDifferences('the presentation', received, 2)).toEqual([]);
});

it.each([
  [
    'was ended before it was opened',
    ['question_deactivated', ...ONE],
    'received question_deactivated instead of question_activated (event 1)',
  ],
  [
    'was never counted',
    ONE.filter((type) => type !== 'vote_count'),
    'received question_deactivated instead of vote_count (event 2)',
  ],
  ['was never declared', ONE.slice(0, 3), 'received nothing instead of result_declared (event 4)'],
  [
    'was opened twice',
    [...ONE, 'question_activated'],
    'received question_activated instead of nothing (event 5)',
  ],
])('finds out that a question %s', (_, received, sentence) => {
  expect(orderDifferences('the presentation', received, 1)).toEqual([`The presentation ${sentence}.`]);
});

it('finds counts that go down or beyond what was sent', () => {
  const counts = (...numbers: number[]) =>
    numbers.map((voteCount) => ({ type: 'vote_count', state: { voteCount }, at: 0 }));
  const opening = { type: 'question_activated', state: { voteCount: 0 }, at: 0 };
  expect(
    countDifferences('the presentation', [opening, ...counts(1, 3, 3), opening, ...counts(1)], 3),
  ).toEqual([]);
  expect(countDifferences('the presentation', [opening, ...counts(2, 1)], 3)).toEqual([
    'The presentation counted down from 2 to 1 votes.',
  ]);
  expect(countDifferences('the presentation', [opening, ...counts(4)], 3)).toEqual([
    'The presentation counted 4 votes, and only 3 were sent.',
  ]);
});

it('compares what a screen shows with what the organizer has', () => {
  const question = sampleQuestion();
  const shown = liveQuestion({
    id: question.id,
    text: question.questionText,
    questionType: question.questionType,
    options: question.optionsList.map(({ text }) => text),
    ratingMax: question.ratingMax,
    maxChoices: question.maxChoices,
    orderIndex: question.orderIndex,
  });
  expect(shownDifferences('the control view', shown, question)).toEqual([]);
  expect(shownDifferences('the control view', { ...shown, text: 'Other' }, question)).toEqual([
    `The control view showed “${question.questionText}” with text "Other" instead of "${question.questionText}".`,
  ]);
  expect(shownDifferences('the control view', null, question).length).toBeGreaterThan(1);
});
