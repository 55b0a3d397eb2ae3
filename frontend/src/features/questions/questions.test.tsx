import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Question, QuestionType } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleMeeting, sampleQuestion } from '../../test/samples';
import { http, server } from '../../test/server';
import { defaultOptions, toCreateQuestionBody } from './question-form';

let questions: Question[];

beforeEach(() => {
  questions = [];
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) =>
      response(200).json(sampleMeeting({ title: 'Budget meeting' })),
    ),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json(questions)),
  );
});

it('lists the questions in order with the first options', async () => {
  const options = ['Tomas', 'Ines', 'Georg', 'Aiko', 'Lea'].map((text, position) => ({
    id: text,
    text,
    position,
    role: 'choice' as const,
  }));
  questions = [
    sampleQuestion(),
    sampleQuestion({
      id: 'q2',
      questionText: 'Who shall join the board?',
      questionType: 'MULTIPLE_CHOICE',
      optionsList: options,
      orderIndex: 2,
    }),
    sampleQuestion({
      id: 'q3',
      questionText: 'How was it?',
      questionType: 'RATING',
      optionsList: [],
      ratingMax: 10,
      orderIndex: 3,
    }),
  ];
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('Budget meeting')).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'All Questions (3)' })).toBeInTheDocument();
  const board = within(screen.getByRole('row', { name: /board/ }));
  expect(board.getByText('+2 more')).toBeInTheDocument();
  expect(board.getAllByRole('listitem')[0]).toHaveTextContent('A. Tomas');
  expect(within(screen.getByRole('row', { name: /approve/ })).getAllByRole('listitem')[0]).toHaveTextContent(
    '1. Yes',
  );
  expect(within(screen.getByRole('row', { name: /How was it/ })).getByText('No options')).toBeInTheDocument();
});

it('says what to do when there is no question yet', async () => {
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('No questions added yet')).toBeInTheDocument();
  expect(screen.getByText('Add your first question to get started')).toBeInTheDocument();
});

it('says that a meeting does not exist', async () => {
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) =>
      response(404).json({ error: 'x', message: 'x', code: 'meeting_not_found' }),
    ),
  );
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('Meeting not found')).toBeInTheDocument();
});

describe('the form of a new question', () => {
  async function openForm() {
    const sent: unknown[] = [];
    server.use(
      http.post('/client/questions', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json(sampleQuestion());
      }),
    );
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Add Question' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Question' }));
    const submit = () => user.click(dialog.getByRole('button', { name: 'Create Question' }));
    const choose = (label: string) => user.selectOptions(dialog.getByLabelText('Question Type'), label);
    const write = (text: string) => user.type(dialog.getByLabelText('Question Text'), text);
    return { user, dialog, submit, choose, write, sent };
  }

  it('starts with a yes/no question whose two options cannot be removed', async () => {
    const { dialog, submit, write, sent } = await openForm();
    expect(dialog.getByLabelText('Option 1')).toHaveValue('Yes');
    expect(dialog.queryByRole('button', { name: /Remove/ })).not.toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Add Option' })).not.toBeInTheDocument();
    await write('Approve?');
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      {
        meetingId: 'm1',
        questionText: 'Approve?',
        questionType: 'YES_NO',
        isRequired: true,
        options: '["Yes","No"]',
      },
    ]);
  });

  it('edits the options of a multiple choice question, two at the least', async () => {
    const { user, dialog, submit, choose, write, sent } = await openForm();
    await choose('Multiple Choice');
    expect(dialog.getByLabelText('Option 3')).toHaveValue('Option 3');
    await user.click(dialog.getByRole('button', { name: 'Add Option' }));
    expect(dialog.getByLabelText('Option 4')).toHaveValue('Option 4');
    await user.click(dialog.getByRole('button', { name: 'Remove option 1' }));
    await user.click(dialog.getByRole('button', { name: 'Remove option 1' }));
    expect(dialog.getByLabelText('Option 1')).toHaveValue('Option 3');
    await user.click(dialog.getByRole('button', { name: 'Remove option 1' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Minimum 2 options required');

    await user.clear(dialog.getByLabelText('Option 1'));
    await write('Who?');
    await submit();
    expect(dialog.getByRole('alert')).toHaveTextContent('Please provide at least 2 options');
    await user.type(dialog.getByLabelText('Option 1'), 'Tomas');
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      {
        meetingId: 'm1',
        questionText: 'Who?',
        questionType: 'MULTIPLE_CHOICE',
        isRequired: true,
        options: '["Tomas","Option 4"]',
      },
    ]);
  });

  it('takes a scale for a rating', async () => {
    const { user, dialog, submit, choose, write, sent } = await openForm();
    await choose('Rating (1-5 Stars)');
    expect(dialog.queryByLabelText('Option 1')).not.toBeInTheDocument();
    await user.click(dialog.getByLabelText('1 to 10'));
    await write('How good?');
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      { meetingId: 'm1', questionText: 'How good?', questionType: 'RATING', isRequired: true, ratingMax: 10 },
    ]);
  });

  it('shows the error of the server', async () => {
    const { dialog, submit, write } = await openForm();
    server.use(
      http.post('/client/questions', ({ response }) =>
        response(404).json({ error: 'The meeting does not exist', message: 'x', code: 'meeting_not_found' }),
      ),
    );
    await write('Approve?');
    await submit();
    expect(await dialog.findByRole('alert')).toHaveTextContent('The meeting does not exist');
  });
});

describe('toCreateQuestionBody', () => {
  it.each<[QuestionType, object]>([
    ['YES_NO', { options: '["Yes","No"]' }],
    ['MULTIPLE_CHOICE', { options: '["Option 1","Option 2","Option 3"]', maxChoices: 2 }],
    ['OPEN_TEXT', {}],
    ['RATING', { ratingMax: 5 }],
    ['PERCENTAGE', {}],
  ])('%s sends what belongs to the type and nothing else', (questionType, extra) => {
    const values = {
      questionType,
      questionText: ' Q ',
      options: defaultOptions(questionType),
      ratingMax: '5' as const,
      maxChoices: 2,
    };
    expect(toCreateQuestionBody('m1', values)).toEqual({
      meetingId: 'm1',
      questionText: 'Q',
      questionType,
      isRequired: true,
      ...extra,
    });
  });
});
