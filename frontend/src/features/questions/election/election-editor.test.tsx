import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { clientAdmin } from '../../../test/people';
import { arrangeQuestions, given } from '../../../test/questions-fixture';
import { renderApp } from '../../../test/render-app';
import { sampleEndUser, sampleQuestion } from '../../../test/samples';
import { http, server } from '../../../test/server';

beforeEach(arrangeQuestions);

async function openElection() {
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.post('/client/questions', async ({ request, response }) => {
      sent.push(await request.json());
      return response(201).json(sampleQuestion());
    }),
  );
  const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Add Question' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Question' }));
  await user.selectOptions(dialog.getByLabelText('Question Type'), 'Election');
  await user.type(dialog.getByLabelText('Question Text'), 'Who joins the board?');
  const submit = () => user.click(dialog.getByRole('button', { name: 'Create Question' }));
  const paste = async (names: string) => {
    await user.click(dialog.getByRole('button', { name: 'Paste Names' }));
    await user.click(dialog.getByLabelText('Names'));
    await user.paste(names);
    await user.click(dialog.getByRole('button', { name: /^Add \d+ Candidates?$/ }));
  };
  return { user, dialog, submit, paste, sent };
}

it('creates an election from pasted names, with its method and seats', async () => {
  const { user, dialog, submit, paste, sent } = await openElection();
  await paste('Nadia Brandt; Flat 12\nTomas Weller\nImani Okoye');
  // The empty rows of the start are gone.
  expect(dialog.getByLabelText('Name of candidate 1')).toHaveValue('Nadia Brandt');
  expect(dialog.getByLabelText('Line of candidate 1')).toHaveValue('Flat 12');
  expect(dialog.getByLabelText('Name of candidate 3')).toHaveValue('Imani Okoye');
  await user.selectOptions(dialog.getByLabelText('Method'), 'Instant runoff');
  expect(dialog.getByLabelText('Method')).toHaveAccessibleDescription(/^Voters rank\./);
  await user.click(dialog.getByRole('button', { name: 'More about candidate 2' }));
  await user.type(dialog.getByLabelText('About candidate 2'), 'Gardener.');
  await user.click(dialog.getByRole('checkbox', { name: 'Candidate 2 is withdrawn' }));
  await user.click(dialog.getByRole('button', { name: 'More settings' }));
  await user.click(dialog.getByRole('switch', { name: 'Break ties by earlier stages first' }));
  await submit();
  expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    questionType: 'ELECTION',
    options: '["Nadia Brandt","Tomas Weller","Imani Okoye"]',
    decisionRule: {
      kind: 'election',
      election: {
        method: 'irv',
        seats: 1,
        tiesByEarlierStages: true,
        candidates: [
          { line: 'Flat 12', about: null, isWithdrawn: false },
          { line: null, about: 'Gardener.', isWithdrawn: true },
          { line: null, about: null, isWithdrawn: false },
        ],
      },
    },
  });
  expect(sent[0]).not.toHaveProperty('optionRoles');
});

it('saves names that were pasted and not yet added', async () => {
  const { user, dialog, submit, sent } = await openElection();
  const options = () => sent.at(-1)?.options;
  await user.click(dialog.getByRole('button', { name: 'Paste Names' }));
  await user.click(dialog.getByLabelText('Names'));
  await user.paste('Forgotten Candidate; Flat 3');
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(options()).toBe('["Forgotten Candidate"]');
  expect(sent[0]).toMatchObject({ decisionRule: { election: { candidates: [{ line: 'Flat 3' }] } } });
});

it('saves no names whose pasting was canceled', async () => {
  const { user, dialog, submit, sent } = await openElection();
  await user.type(dialog.getByLabelText('Name of candidate 1'), 'Nadia');
  await user.click(dialog.getByRole('button', { name: 'Paste Names' }));
  await user.click(dialog.getByLabelText('Names'));
  await user.paste('Tomas');
  await user.click(dialog.getByRole('button', { name: 'Cancel Pasting' }));
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.options).toBe('["Nadia"]');
});

it('describes the method truly also without a number of seats', async () => {
  const { user, dialog } = await openElection();
  const method = dialog.getByLabelText('Method');
  expect(method).toHaveAccessibleDescription(/as many candidates as there are seats/);
  await user.clear(dialog.getByLabelText('Seats'));
  expect(method).toHaveAccessibleDescription(
    'Voters choose candidates. All who meet the conditions are elected.',
  );
});

it('shows the ballot on the phone as it is typed', async () => {
  const { user, dialog, paste } = await openElection();
  await paste('Nadia Brandt; Flat 12\nTomas Weller\nImani Okoye');
  const phone = await waitFor(() => {
    const figure = [...document.querySelectorAll('figure')].at(-1);
    expect(figure).toHaveTextContent('Choose 1 candidate.');
    return figure;
  });
  expect(phone).toHaveTextContent('Nadia BrandtFlat 12');
  await user.selectOptions(dialog.getByLabelText('Method'), 'Schulze');
  await waitFor(() => expect(phone).toHaveTextContent('0 of 3 ranked, 3 left.'));
});

it('names what is wrong at its field before it sends anything', async () => {
  const { user, dialog, submit, sent } = await openElection();
  await submit();
  expect(dialog.getByRole('group', { name: 'Candidates' })).toHaveAccessibleDescription(
    'Enter at least one candidate.',
  );
  await user.type(dialog.getByLabelText('Name of candidate 1'), 'Nadia');
  await user.clear(dialog.getByLabelText('Seats'));
  await user.type(dialog.getByLabelText('Seats'), '2');
  await submit();
  expect(dialog.getByLabelText('Seats')).toHaveAccessibleDescription(/Must be a whole number from 1 to 1\./);
  expect(sent).toEqual([]);
});

it('shows what the server refuses at its field, also in the folded settings', async () => {
  const { user, dialog, submit, paste } = await openElection();
  server.use(
    http.post('/client/questions', ({ response }) =>
      response(422).json({
        error: 'x',
        message: 'x',
        code: 'invalid_input',
        fields: {
          'decisionRule.election.seats': ['More seats than candidates who stand.'],
          'decisionRule.election.unit': ['Weights need a register.'],
          'decisionRule.election.candidates.1.line': ['Must be on one line.'],
        },
      }),
    ),
  );
  await paste('Nadia\nTomas');
  expect(dialog.queryByLabelText('Counted by')).not.toBeInTheDocument();
  await submit();
  await waitFor(() =>
    expect(dialog.getByLabelText('Seats')).toHaveAccessibleDescription(
      /More seats than candidates who stand\./,
    ),
  );
  expect(dialog.getByLabelText('Counted by')).toHaveAccessibleDescription('Weights need a register.');
  expect(dialog.getByLabelText('Line of candidate 2')).toHaveAccessibleDescription('Must be on one line.');
  // A change of the election takes the refusals back.
  await user.type(dialog.getByLabelText('Name of candidate 1'), ' Brandt');
  expect(dialog.getByLabelText('Line of candidate 2')).toBeValid();
});

it('puts candidates on lists in the order in which they are chosen', async () => {
  const { user, dialog, submit, paste, sent } = await openElection();
  await paste('Nadia\nTomas\nImani');
  await user.selectOptions(dialog.getByLabelText('Method'), 'Lists');
  await user.click(dialog.getByRole('button', { name: 'Add List' }));
  await user.type(dialog.getByLabelText('Name of list 1'), 'Greens');
  await user.selectOptions(dialog.getByLabelText('List of Imani'), 'Greens');
  await user.selectOptions(dialog.getByLabelText('List of Nadia'), 'Greens');
  expect(dialog.getByLabelText('Name of list 1')).toHaveAccessibleDescription('Imani, Nadia');
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    decisionRule: { election: { lists: [{ name: 'Greens', candidates: [3, 1] }] } },
  });
});

it('opens a stored election with its candidates', async () => {
  given.questions = [
    sampleQuestion({
      questionType: 'ELECTION',
      questionText: 'Who joins the board?',
      optionsList: ['Nadia', 'Tomas'].map((text, position) => ({ id: text, text, position, role: 'choice' })),
      decisionRule: {
        kind: 'election',
        election: {
          method: 'approval',
          seats: null,
          candidates: [
            { line: 'Flat 12', about: null, isWithdrawn: false },
            { line: null, about: null, isWithdrawn: true },
          ],
        },
      },
    }),
  ];
  const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText('Question Type')).toHaveValue('ELECTION');
  expect(dialog.getByLabelText('Line of candidate 1')).toHaveValue('Flat 12');
  expect(dialog.getByText('Withdrawn')).toBeInTheDocument();
  expect(dialog.getByLabelText('Method')).toHaveValue('approval');
  expect(dialog.getByLabelText('Seats')).toHaveValue('');
});

it('takes the candidates of a file, in place of empty rows', async () => {
  let name = '';
  server.use(
    http.post('/client/questions/candidates/read', async ({ request, response }) => {
      ({ fileName: name } = await request.json());
      return response(200).json([
        { name: 'Nadia Brandt', line: 'Flat 12', about: 'Rows since 1998.' },
        { name: 'Tomas Weller', line: null, about: null },
      ]);
    }),
  );
  const { user, dialog } = await openElection();
  await user.click(dialog.getByRole('button', { name: 'Import File' }));
  await user.upload(dialog.getByLabelText('File with candidates'), new File(['x'], 'candidates.csv'));
  await waitFor(() => expect(dialog.getByLabelText('Name of candidate 1')).toHaveValue('Nadia Brandt'));
  expect(name).toBe('candidates.csv');
  expect(dialog.getByLabelText('Line of candidate 1')).toHaveValue('Flat 12');
  expect(dialog.getByLabelText('Name of candidate 2')).toHaveValue('Tomas Weller');
  expect(dialog.queryByLabelText('Name of candidate 3')).not.toBeInTheDocument();
});

it('keeps what is changed while the candidates of a file are read', async () => {
  const { user, dialog } = await openElection();
  let answer = () => {};
  const isReady = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.post('/client/questions/candidates/read', async ({ response }) => {
      await isReady;
      return response(200).json([{ name: 'Ana', line: null, about: null }]);
    }),
  );
  await user.click(dialog.getByRole('button', { name: 'Import File' }));
  await user.upload(dialog.getByLabelText('File with candidates'), new File(['Name\nAna'], 'people.csv'));
  await user.selectOptions(dialog.getByLabelText('Method'), 'Instant runoff');
  await user.clear(dialog.getByLabelText('Seats'));
  await user.type(dialog.getByLabelText('Seats'), '3');
  answer();
  expect(await screen.findByText('1 candidate added')).toBeInTheDocument();
  expect(dialog.getByLabelText('Name of candidate 1')).toHaveValue('Ana');
  expect(dialog.getByLabelText('Method')).toHaveDisplayValue('Instant runoff');
  expect(dialog.getByLabelText('Seats')).toHaveValue('3');
});

it('shows why a file with candidates cannot be used', async () => {
  server.use(
    http.post('/client/questions/candidates/read', ({ response }) =>
      response(422).json({
        error: 'x',
        message: '',
        code: 'invalid_input',
        fields: { content: ['Must have a column with the heading Name.'] },
      }),
    ),
  );
  const { user, dialog } = await openElection();
  await user.click(dialog.getByRole('button', { name: 'Import File' }));
  await user.upload(dialog.getByLabelText('File with candidates'), new File(['x'], 'candidates.csv'));
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    'The file must have a column with the heading Name.',
  );
});

it('takes people of the organization, each once', async () => {
  server.use(
    http.get('/client/end-users', ({ response }) =>
      response(200).json({
        success: true,
        data: [
          sampleEndUser({ id: 'e1', name: 'Nadia Brandt' }),
          sampleEndUser({ id: 'e2', name: 'Tomas Weller' }),
        ],
        meta: { total: 2, page: 1, pageSize: 8 },
      }),
    ),
  );
  const { user, dialog } = await openElection();
  await user.click(dialog.getByRole('button', { name: 'Pick People' }));
  await user.click(await dialog.findByRole('button', { name: /^Add Tomas Weller/ }));
  expect(dialog.getByLabelText('Name of candidate 1')).toHaveValue('Tomas Weller');
  expect(dialog.getByRole('button', { name: /^Added: Tomas Weller/ })).toHaveFocus();
  expect(dialog.getByRole('status')).toHaveTextContent('Tomas Weller is a candidate now.');
  await user.click(dialog.getByRole('button', { name: /^Add Nadia Brandt/ }));
  expect(dialog.getByLabelText('Name of candidate 2')).toHaveValue('Nadia Brandt');
});
