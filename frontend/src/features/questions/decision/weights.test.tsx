import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Meeting, Question, WeightKind } from '../../../api/types';
import { clientAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleMeeting, sampleQuestion, sampleWeightKind } from '../../../test/samples';
import { http, server } from '../../../test/server';

const AREA = sampleWeightKind();
const CAPITAL = sampleWeightKind({ id: 'w2', name: 'Capital', unit: 'EUR', decimals: 0 });

const ofCapital = {
  units: 'second_weight',
  base: 'votes_cast',
  comparison: 'at_least',
  numerator: 3,
  denominator: 4,
} as const;

let kinds: WeightKind[];
let meeting: Meeting;
let questions: Question[];
let sent: Record<string, unknown>[];

beforeEach(() => {
  kinds = [AREA, CAPITAL];
  meeting = sampleMeeting({ weightKindId: AREA.id });
  questions = [];
  sent = [];
  server.use(
    http.get('/client/weight-kinds', ({ response }) => response(200).json({ success: true, data: kinds })),
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json(questions)),
    http.post('/client/questions', async ({ request, response }) => {
      sent.push(await request.json());
      return response(201).json(sampleQuestion());
    }),
    http.put('/client/questions/{questionId}', async ({ request, response }) => {
      sent.push(await request.json());
      return response(200).json(sampleQuestion());
    }),
  );
});

async function openForm(edited?: Question) {
  questions = edited ? [edited] : [];
  const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: edited ? 'Edit' : 'Add Question' }));
  const dialog = within(await screen.findByRole('dialog'));
  if (!edited) {
    await user.type(dialog.getByLabelText('Question Text'), 'Q');
  }
  await user.click(dialog.getByRole('button', { name: /^Decision:/ }));
  const choose = (label: string, option: string) => user.selectOptions(dialog.getByLabelText(label), option);
  const submit = () => user.click(dialog.getByRole('button', { name: /^(Create|Update) Question$/ }));
  const optionsOf = (label: string) =>
    within(dialog.getByLabelText(label))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  return { user, dialog, choose, submit, optionsOf };
}

/** A stored question with a rule in its second weight. */
function storedQuestion() {
  return sampleQuestion({
    secondWeightKindId: CAPITAL.id,
    decisionRule: { kind: 'majority', conditions: [ofCapital], onTie: 'rejected' },
  });
}

it('names the kinds in the units of a rule, and in its words', async () => {
  const { user, dialog, choose, submit, optionsOf } = await openForm();
  expect(await dialog.findByLabelText('Weight')).toHaveDisplayValue('As the meeting (Floor area)');
  await choose('Second weight', 'Capital');
  await user.click(dialog.getByRole('radio', { name: 'Custom' }));
  expect(optionsOf('By')).toEqual(['Heads', 'Floor area', 'Heads and Floor area, each', 'Capital']);
  await choose('By', 'Floor area');
  await user.click(dialog.getByRole('button', { name: 'Add condition' }));
  const second = within(dialog.getByRole('group', { name: 'Share of the second condition' }));
  await user.selectOptions(second.getByLabelText('By'), 'Capital');
  expect(
    dialog.getByText(
      /^More than 1\/2 of yes and no, by Floor area; and at least 1\/2 of the whole register, by Capital\./,
    ),
  ).toBeInTheDocument();
  expect(dialog.getByRole('radio', { name: 'Custom' })).toHaveAccessibleDescription(
    'Floor area: 600 of 1,000 m² were yes; more than half was needed. Capital: 600 of 1,000 EUR in the register were yes; at least half was needed. Accepted.',
  );
  await submit();
  expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
  expect(sent[0]).toMatchObject({
    secondWeightKindId: CAPITAL.id,
    decisionRule: { conditions: [{ units: 'weight' }, { units: 'second_weight' }] },
  });
  expect(sent[0]).not.toHaveProperty('weightKindId');
});

it('counts by a kind of its own', async () => {
  const { dialog, choose, submit, optionsOf } = await openForm();
  await dialog.findByLabelText('Weight');
  await choose('Weight', 'Capital');
  expect(dialog.getByRole('radio', { name: 'Condominium (double majority)' })).toHaveAccessibleDescription(
    /Capital: 620 of 1,000 EUR in the register were yes/,
  );
  expect(optionsOf('Second weight')).toEqual(['None', 'Floor area', 'Capital']);
  await submit();
  expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
  expect(sent[0]).toMatchObject({ weightKindId: CAPITAL.id });
});

it('keeps a condition in a second weight that was removed, with an error at its unit', async () => {
  const { dialog, choose, submit } = await openForm(storedQuestion());
  await dialog.findByLabelText('Second weight');
  await choose('Second weight', 'None');
  await submit();
  const unit = dialog.getByLabelText('By');
  expect(unit).toHaveValue('second_weight');
  expect(unit).toHaveAccessibleDescription(/The question has no second weight/);
  expect(sent).toEqual([]);
  await choose('By', 'Heads');
  await submit();
  expect(await screen.findByText('Question updated successfully')).toBeInTheDocument();
  expect(sent[0]).toMatchObject({
    secondWeightKindId: null,
    decisionRule: { conditions: [{ units: 'heads' }] },
  });
});

it('offers no second weight for a secret vote, and says so where the rule needs one', async () => {
  const { user, dialog, submit } = await openForm(storedQuestion());
  await dialog.findByLabelText('Second weight');
  await user.click(dialog.getByRole('radio', { name: 'Secret' }));
  expect(dialog.queryByLabelText('Second weight')).not.toBeInTheDocument();
  await submit();
  expect(dialog.getByLabelText('By')).toHaveAccessibleDescription(/A secret vote counts no second weight/);
  expect(sent).toEqual([]);
});

it('keeps a kind that it does not know', async () => {
  const { dialog, submit } = await openForm(sampleQuestion({ weightKindId: 'gone' }));
  expect(await dialog.findByLabelText('Weight')).toHaveDisplayValue('Unknown kind of weight');
  await submit();
  expect(await screen.findByText('Question updated successfully')).toBeInTheDocument();
  expect(sent[0]).not.toHaveProperty('weightKindId');
});

it('shows the server’s objection to a kind at its field', async () => {
  server.use(
    http.post('/client/questions', ({ response }) =>
      response(422).json({
        error: 'secondWeightKindId must be another kind.',
        message: 'secondWeightKindId must be another kind.',
        code: 'invalid_input',
        fields: { secondWeightKindId: ['Must be another kind.'] },
      }),
    ),
  );
  const { dialog, choose, submit } = await openForm();
  await dialog.findByLabelText('Second weight');
  await choose('Second weight', 'Floor area');
  await submit();
  expect(await dialog.findByText('Must be another kind.')).toBeInTheDocument();
  expect(dialog.getByLabelText('Second weight')).toBeInvalid();
});

it('shows nothing of kinds without any', async () => {
  kinds = [];
  meeting = sampleMeeting();
  const { user, dialog, optionsOf } = await openForm();
  await user.click(dialog.getByRole('radio', { name: 'Custom' }));
  expect(optionsOf('By')).toEqual(['Heads', 'Weight', 'Heads and weight, each']);
  expect(dialog.queryByLabelText('Weight')).not.toBeInTheDocument();
  expect(dialog.queryByLabelText('Second weight')).not.toBeInTheDocument();
});
