import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { clientAdmin } from '../../../test/people';
import { arrangeQuestions } from '../../../test/questions-fixture';
import { renderApp } from '../../../test/render-app';
import { sampleQuestion } from '../../../test/samples';
import { http, server } from '../../../test/server';
import { MAX_QUESTIONS, parseQuestions, toNewQuestion } from './parse-questions';

describe('a pasted text', () => {
  it('has a question on each line, with its options below', () => {
    const { questions, problems } = parseQuestions(
      [
        '1. Do you approve the minutes?',
        '',
        '2) Who should chair?\r',
        '- Anna',
        '  • Bert',
        'Change the by-laws?',
        '* Ja',
        '* Nein',
        'What else? [Open Text]',
      ].join('\n'),
    );
    expect(problems).toEqual([]);
    expect(questions).toEqual([
      { line: 1, text: 'Do you approve the minutes?', type: 'YES_NO', options: [] },
      { line: 3, text: 'Who should chair?', type: 'MULTIPLE_CHOICE', options: ['Anna', 'Bert'] },
      { line: 6, text: 'Change the by-laws?', type: 'YES_NO', options: ['Ja', 'Nein'] },
      { line: 9, text: 'What else?', type: 'OPEN_TEXT', options: [] },
    ]);
  });

  it.each([
    ['- Anna', 'Line 1: an option needs a question above it.'],
    ['Who?\n- Anna', 'Line 1: please provide at least 2 options.'],
    ['Who?\n- Anna\n- anna', 'Line 1: each option needs a text of its own.'],
    ['Who?\n- Anna\n- Anna\u3164', 'Line 1: each option needs a text of its own.'],
    ['\nHow? [rating]\n- A\n- B', 'Line 2: this type of question has no options.'],
    ['x'.repeat(1_001), 'Line 1: a question has at most 1000 characters.'],
    [`Who?\n- A\n- ${'x'.repeat(301)}`, 'Line 1: an option has at most 300 characters.'],
    ['[rating]', 'Line 1: the question has no text.'],
    [
      Array.from({ length: MAX_QUESTIONS + 1 }, (_, index) => `Q${index}?`).join('\n'),
      'Line 101: at most 100 questions at once.',
    ],
  ])('says which line is wrong (%#)', (text, problem) => {
    expect(parseQuestions(text).problems).toEqual([problem]);
  });

  it('decides yes/no questions only, and only if that is wanted', () => {
    const [motion, choice] = parseQuestions('Agreed?\nWho?\n- A\n- B').questions;
    expect(motion && toNewQuestion(motion, true)).toMatchObject({ decisionRule: { kind: 'majority' } });
    expect(motion && toNewQuestion(motion, false)).not.toHaveProperty('decisionRule');
    expect(choice && toNewQuestion(choice, true)).toEqual({
      questionText: 'Who?',
      questionType: 'MULTIPLE_CHOICE',
      options: ['A', 'B'],
      maxChoices: 1,
    });
  });
});

describe('the form', () => {
  beforeEach(arrangeQuestions);

  it('shows the questions and adds them in one request', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('/client/questions/meeting/{meetingId}', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json([sampleQuestion({ id: 'q1' }), sampleQuestion({ id: 'q2' })]);
      }),
    );
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Paste Questions' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Paste Questions' }));
    await user.click(dialog.getByRole('button', { name: 'Add Questions' }));
    expect(dialog.getByText('Paste at least one question.')).toBeInTheDocument();
    await user.click(dialog.getByLabelText('Questions'));
    await user.paste('Agreed?\nWho?\n- A');
    expect(dialog.getByText('Line 2: please provide at least 2 options.')).toBeInTheDocument();
    await user.paste('\n- B');
    const preview = within(dialog.getByRole('region', { name: 'Preview' }));
    expect(preview.getByText('Multiple Choice: A, B')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Add 2 Questions' }));
    expect(await screen.findByText('2 questions added')).toBeInTheDocument();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ questions: [{ questionText: 'Agreed?' }, { options: ['A', 'B'] }] });
  });
});
