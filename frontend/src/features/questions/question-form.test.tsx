import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Question, QuestionType } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { arrangeQuestions, given } from '../../test/questions-fixture';
import { renderApp } from '../../test/render-app';
import { sampleQuestion } from '../../test/samples';
import { http, server } from '../../test/server';
import { newElection } from './election/election-form';
import { defaultOptions, noTerms, toCreateQuestionBody, toUpdateQuestionBody } from './question-form';

beforeEach(arrangeQuestions);

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

  it('adds an abstention to a multiple choice question, which may say so in other words', async () => {
    const { user, dialog, submit, choose, write, sent } = await openForm();
    await choose('Multiple Choice');
    await user.click(dialog.getByRole('button', { name: 'Add Abstain' }));
    expect(dialog.getByLabelText('Option 4')).toHaveValue('Abstain');
    expect(dialog.getByText('Elects nobody')).toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Add Abstain' })).not.toBeInTheDocument();
    await user.clear(dialog.getByLabelText('Option 4'));
    await user.type(dialog.getByLabelText('Option 4'), 'Nobody');
    await write('Who?');
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent).toMatchObject([
      {
        options: '["Option 1","Option 2","Option 3","Nobody"]',
        optionRoles: ['choice', 'choice', 'choice', 'abstain'],
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

  it('shows what the server refuses at its field, and keeps what was typed', async () => {
    const { dialog, submit, choose, write } = await openForm();
    server.use(
      http.post('/client/questions', ({ response }) =>
        response(422).json({
          error: 'x',
          message: 'x',
          code: 'invalid_input',
          fields: {
            questionText: ['Must be at most 1000 characters long.'],
            options: ['Must be at most 300 characters long.'],
          },
        }),
      ),
    );
    await choose('Multiple Choice');
    await write('Who?');
    await submit();
    await waitFor(() =>
      expect(dialog.getByLabelText('Question Text')).toHaveAccessibleDescription(
        'Must be at most 1000 characters long.',
      ),
    );
    expect(dialog.getByRole('group', { name: 'Options' })).toHaveAccessibleDescription(
      'Must be at most 300 characters long.',
    );
    expect(dialog.getByLabelText('Option 1')).toBeInvalid();
    expect(dialog.getByLabelText('Question Text')).toHaveValue('Who?');
    expect(dialog.getByLabelText('Question Text')).toHaveFocus();
  });

  it('refuses options that differ in upper and lower case only', async () => {
    const { user, dialog, submit, choose } = await openForm();
    await choose('Multiple Choice');
    await user.clear(dialog.getByLabelText('Option 2'));
    await user.type(dialog.getByLabelText('Option 2'), 'option 1');
    await submit();
    expect(dialog.getByRole('alert')).toHaveTextContent('Each option needs a text of its own');
  });

  it('keeps the keyboard among the options', async () => {
    const { user, dialog, choose } = await openForm();
    await choose('Multiple Choice');
    await user.click(dialog.getByRole('button', { name: 'Add Option' }));
    expect(dialog.getByLabelText('Option 4')).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Remove option 4' }));
    expect(dialog.getByLabelText('Option 3')).toHaveFocus();
  });

  it('sends once for two clicks, and says that the server could not be reached', async () => {
    const { user, dialog, write } = await openForm();
    let requests = 0;
    server.use(
      http.post('/client/questions', async () => {
        requests += 1;
        await delay(50);
        return HttpResponse.error();
      }),
    );
    await write('Approve?');
    await user.dblClick(dialog.getByRole('button', { name: 'Create Question' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Failed to create question: the server could not be reached',
    );
    expect(requests).toBe(1);
    expect(dialog.getByLabelText('Question Text')).toHaveValue('Approve?');
  });

  it('is left without a question as long as nothing was typed', async () => {
    const { user, dialog } = await openForm();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add Question' })).toHaveFocus());
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

describe('the form of a question that exists', () => {
  let sent: unknown[];

  beforeEach(() => {
    sent = [];
    given.questions = [
      sampleQuestion({
        id: 'q1',
        questionText: 'Who shall join the board?',
        questionType: 'MULTIPLE_CHOICE',
        optionsList: ['Tomas', 'Ines', 'Georg'].map((text, index) => ({
          id: text,
          text,
          position: index + 1,
          role: 'choice',
        })),
        maxChoices: 2,
      }),
    ];
    server.use(
      http.put('/client/questions/{questionId}', async ({ request, response }) => {
        sent.push(await request.json());
        return response(200).json(sampleQuestion());
      }),
    );
  });

  async function openForm() {
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Question' }));
    await dialog.findByLabelText('Question Text');
    const submit = () => user.click(dialog.getByRole('button', { name: 'Update Question' }));
    return { user, dialog, submit };
  }

  it('holds the question and sends what it became', async () => {
    const { user, dialog, submit } = await openForm();
    expect(dialog.getByLabelText('Question Type')).toHaveValue('MULTIPLE_CHOICE');
    expect(dialog.getByLabelText('Question Text')).toHaveValue('Who shall join the board?');
    expect(dialog.getByLabelText('Option 3')).toHaveValue('Georg');
    expect(dialog.getByLabelText('Maximum choices per voter')).toHaveValue('2');
    await user.clear(dialog.getByLabelText('Maximum choices per voter'));
    await user.click(dialog.getByRole('button', { name: 'Remove option 2' }));
    await submit();
    expect(await screen.findByText('Question updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      {
        questionText: 'Who shall join the board?',
        questionType: 'MULTIPLE_CHOICE',
        isRequired: true,
        options: '["Tomas","Georg"]',
        maxChoices: null,
        decisionRule: null,
        quorum: null,
        secrecy: 'unshown',
        countsHeads: false,
      },
    ]);
  });

  it('starts from the question as it is now, also where another organizer has just changed it', async () => {
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    const edit = await screen.findByRole('button', { name: 'Edit' });
    const [before] = given.questions as [Question];
    given.questions = [{ ...before, questionText: 'Who shall chair the board?', maxChoices: 1 }];
    await user.click(edit);
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Question' }));
    expect(await dialog.findByLabelText('Question Text')).toHaveValue('Who shall chair the board?');
    expect(dialog.getByLabelText('Maximum choices per voter')).toHaveValue('1');
  });

  it('says that another organizer has deleted the question', async () => {
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    const edit = await screen.findByRole('button', { name: 'Edit' });
    given.questions = [];
    await user.click(edit);
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Question' }));
    expect(await dialog.findByText('Question not found')).toBeInTheDocument();
  });

  it('loses nothing that was typed when the question has votes, and offers a copy with it', async () => {
    const frozen = 'This question has votes, so it can be neither changed nor deleted; copy it instead';
    const copies: unknown[] = [];
    server.use(
      http.put('/client/questions/{questionId}', ({ response }) =>
        response(409).json({ error: frozen, message: frozen, code: 'question_has_votes' }),
      ),
      http.post('/client/questions', async ({ request, response }) => {
        copies.push(await request.json());
        return response(201).json(sampleQuestion());
      }),
    );
    const { user, dialog, submit } = await openForm();
    expect(dialog.queryByRole('button', { name: 'Save as Copy' })).not.toBeInTheDocument();
    await user.type(dialog.getByLabelText('Question Text'), ' Now?');
    await submit();
    expect(await dialog.findByRole('alert')).toHaveTextContent(frozen);
    expect(dialog.getByLabelText('Question Text')).toHaveValue('Who shall join the board? Now?');
    await user.click(dialog.getByRole('button', { name: 'Save as Copy' }));
    expect(await screen.findByText('Question duplicated successfully')).toBeInTheDocument();
    expect(copies).toEqual([
      {
        meetingId: 'm1',
        questionText: 'Who shall join the board? Now?',
        questionType: 'MULTIPLE_CHOICE',
        isRequired: true,
        options: '["Tomas","Ines","Georg"]',
        maxChoices: 2,
      },
    ]);
  });

  it('says that voting is open, and offers no copy then', async () => {
    const open = 'Voting on this question is open; end it before you change the question';
    server.use(
      http.put('/client/questions/{questionId}', ({ response }) =>
        response(409).json({ error: open, message: open, code: 'question_is_open' }),
      ),
    );
    const { dialog, submit } = await openForm();
    await submit();
    expect(await dialog.findByRole('alert')).toHaveTextContent(open);
    expect(dialog.queryByRole('button', { name: 'Save as Copy' })).not.toBeInTheDocument();
  });

  it('asks before it throws away what was typed', async () => {
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText('Question Text'), ' Now?');
    await user.keyboard('{Escape}');
    const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(sent).toEqual([]);
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
      maxChoices: '2',
      election: newElection(),
      groupIds: [],
      weightKindId: null,
      secondWeightKindId: null,
      ...noTerms,
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

it('takes the limit of choices away when it was emptied', () => {
  const values = {
    questionType: 'MULTIPLE_CHOICE' as const,
    questionText: 'Q',
    options: defaultOptions('MULTIPLE_CHOICE'),
    ratingMax: '5' as const,
    maxChoices: '',
    election: newElection(),
    groupIds: [],
    weightKindId: null,
    secondWeightKindId: null,
    ...noTerms,
  };
  expect(toUpdateQuestionBody(values)).toMatchObject({ maxChoices: null });
  expect(toCreateQuestionBody('m1', values)).not.toHaveProperty('maxChoices');
});
