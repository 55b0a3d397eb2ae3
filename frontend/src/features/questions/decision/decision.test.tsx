import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DecisionRule, Meeting, Question } from '../../../api/types';
import { clientAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleMeeting, sampleQuestion } from '../../../test/samples';
import { http, server } from '../../../test/server';

let questions: Question[];
let meeting: Meeting;
let sent: Record<string, unknown>[];

beforeEach(() => {
  questions = [];
  meeting = sampleMeeting();
  sent = [];
  server.use(
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

const ofYesAndNo = (comparison: 'more_than' | 'at_least', numerator: number, denominator: number) =>
  ({ units: 'heads', base: 'yes_plus_no', comparison, numerator, denominator }) as const;
const simple: DecisionRule = {
  kind: 'majority',
  conditions: [ofYesAndNo('more_than', 1, 2)],
  onTie: 'rejected',
};

async function openForm(edited?: Question) {
  questions = edited ? [edited] : [];
  const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: edited ? 'Edit' : 'Add Question' }));
  const dialog = within(await screen.findByRole('dialog'));
  if (!edited) {
    await user.type(dialog.getByLabelText('Question Text'), 'Q');
  }
  const head = () => dialog.getByRole('button', { name: /^Decision:/ });
  const choose = (label: string, option: string) =>
    label === 'Decision rule'
      ? user.click(dialog.getByRole('radio', { name: option }))
      : user.selectOptions(dialog.getByLabelText(label), option);
  const fill = async (label: string, value: string) => {
    await user.clear(dialog.getByLabelText(label));
    await user.type(dialog.getByLabelText(label), value);
  };
  const submit = () => user.click(dialog.getByRole('button', { name: /^(Create|Update) Question$/ }));
  return { user, dialog, head, choose, fill, submit };
}

describe('the decision of a yes/no question', () => {
  it('is closed and none, and opens by keyboard', async () => {
    const { user, dialog, head } = await openForm();
    expect(head()).toHaveTextContent('Decision: none');
    expect(head()).toHaveAttribute('aria-expanded', 'false');
    expect(dialog.queryByLabelText('Decision rule')).not.toBeInTheDocument();
    head().focus();
    await user.keyboard('{Enter}');
    expect(head()).toHaveAttribute('aria-expanded', 'true');
    expect(
      within(dialog.getByRole('radiogroup', { name: 'Decision rule' })).getByLabelText('None'),
    ).toBeChecked();
  });

  it('warns that it has no rule, and takes the usual one in one step', async () => {
    const { user, dialog, head, submit } = await openForm();
    expect(dialog.getByText(/looks like a decision/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Use a simple majority' }));
    expect(dialog.queryByText(/looks like a decision/)).not.toBeInTheDocument();
    await user.click(head());
    expect(dialog.getByRole('radio', { name: 'Simple majority' })).toBeChecked();
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.decisionRule).toEqual(simple);
  });

  it('has each rule as a card with a result under it, and is chosen by keyboard', async () => {
    const { user, dialog, head } = await openForm();
    await user.click(head());
    const card = (name: string) => dialog.getByRole('radio', { name });
    expect(card('Simple majority')).toHaveAccessibleDescription(
      '4 of 6 votes were yes; more than half was needed. Accepted.',
    );
    expect(card('Two thirds')).toHaveAccessibleDescription(
      '4 of 6 votes were yes; at least two thirds were needed. Accepted.',
    );
    expect(card('Absolute majority of all members')).toHaveAccessibleDescription(
      '6 of 10 votes in the register were yes; more than half was needed. Accepted.',
    );
    expect(card('Condominium (double majority)')).toHaveAccessibleDescription(
      '5 of 6 votes were yes; more than two thirds were needed. By weight, 620 of 1,000 in the register were yes; at least half was needed. Accepted.',
    );
    card('None').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(card('Two thirds')).toBeChecked();
    expect(card('Two thirds')).toHaveFocus();
    expect(head()).toHaveTextContent('Decision: two thirds by heads');
  });

  it.each<[string, string, DecisionRule]>([
    ['Simple majority', 'simple majority by heads', simple],
    [
      'Two thirds',
      'two thirds by heads',
      { kind: 'majority', conditions: [ofYesAndNo('at_least', 2, 3)], onTie: 'rejected' },
    ],
    [
      'Three quarters',
      'three quarters by heads',
      { kind: 'majority', conditions: [ofYesAndNo('at_least', 3, 4)], onTie: 'rejected' },
    ],
    [
      'Absolute majority of all members',
      'absolute majority of all members by heads',
      {
        kind: 'majority',
        conditions: [{ ...ofYesAndNo('more_than', 1, 2), base: 'whole_register' }],
        onTie: 'rejected',
      },
    ],
    [
      'Condominium (double majority)',
      'condominium (double majority) by heads',
      {
        kind: 'majority',
        conditions: [
          ofYesAndNo('more_than', 2, 3),
          { ...ofYesAndNo('at_least', 1, 2), units: 'weight', base: 'whole_register' },
        ],
        onTie: 'rejected',
      },
    ],
  ])('%s is chosen in one step', async (label, name, rule) => {
    const { user, head, choose, submit } = await openForm();
    await user.click(head());
    await choose('Decision rule', label);
    expect(head()).toHaveTextContent(`Decision: ${name}`);
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.decisionRule).toEqual(rule);
  });

  it('can be of one’s own: with a fraction, a second condition and a tie', async () => {
    const { user, dialog, head, choose, fill, submit } = await openForm();
    await user.click(head());
    await choose('Decision rule', 'Custom');
    await choose('By', 'Weight');
    await choose('A tie', 'Accepts');
    expect(dialog.getByText('More than 1/2 of yes and no, by weight. A tie accepts.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Add condition' }));
    const second = within(dialog.getByRole('group', { name: 'Share of the second condition' }));
    await user.selectOptions(second.getByLabelText('Fraction'), 'Custom fraction');
    await fill('Numerator', '5');
    await fill('Denominator', '9');
    expect(
      dialog.getByText(
        'More than 1/2 of yes and no, by weight; and at least 5/9 of the whole register, by weight. A tie accepts.',
      ),
    ).toBeInTheDocument();
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.decisionRule).toEqual({
      kind: 'majority',
      conditions: [
        { ...ofYesAndNo('more_than', 1, 2), units: 'weight' },
        { units: 'weight', base: 'whole_register', comparison: 'at_least', numerator: 5, denominator: 9 },
      ],
      onTie: 'accepted',
    });
  });

  it('can have alternatives, a blocking minority, groups and a casting vote', async () => {
    const data = [{ id: 'g1', name: 'Tenants', members: 12 }];
    server.use(http.get('/client/groups', ({ response }) => response(200).json({ success: true, data })));
    const { user, dialog, head, choose, fill, submit } = await openForm();
    await user.click(head());
    await choose('Decision rule', 'Custom');
    await choose('A tie', 'Is decided by the casting vote of the chair');
    await user.click(dialog.getByRole('button', { name: 'Add condition' }));
    await user.click(dialog.getByRole('button', { name: 'Add condition' }));
    expect(dialog.queryByRole('button', { name: 'Add condition' })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Remove the third condition' }));
    await choose('Before the second condition', 'Or');
    await user.click(dialog.getAllByRole('switch', { name: 'Blocking minority' })[1] as HTMLElement);
    await fill('People of a blocking minority', '1');
    await submit();
    expect(dialog.getByLabelText('People of a blocking minority')).toHaveAccessibleDescription(
      'Must be a whole number from 2 to 1,000,000.',
    );
    await fill('People of a blocking minority', '4');
    const groups = within(await dialog.findByRole('group', { name: 'Majority in each group' }));
    await user.click(groups.getByLabelText('Tenants'));
    expect(
      dialog.getByText(
        'More than 1/2 of yes and no, by heads; or at least 1/2 of the whole register, by weight (or fewer than 4 people not in favor). On a tie, the chair has the casting vote. In total, and in 1 group.',
      ),
    ).toBeInTheDocument();
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.decisionRule).toEqual({
      kind: 'majority',
      conditions: [
        ofYesAndNo('more_than', 1, 2),
        {
          units: 'weight',
          base: 'whole_register',
          comparison: 'at_least',
          numerator: 1,
          denominator: 2,
          blockingMinority: 4,
          joined: 'or',
        },
      ],
      onTie: 'casting_vote',
      inEach: ['g1'],
    });
  });

  it('has a tie only where there can be one', async () => {
    const { user, dialog, head, choose } = await openForm();
    await user.click(head());
    await choose('Decision rule', 'Simple majority');
    expect(dialog.getByLabelText('A tie')).toHaveValue('rejected');
    await choose('Decision rule', 'Two thirds');
    expect(dialog.queryByLabelText('A tie')).not.toBeInTheDocument();
    expect(dialog.getByText('At least 2/3 of yes and no, by heads.')).toBeInTheDocument();
  });

  it('is not sent with a fraction that is none', async () => {
    const { user, dialog, head, choose, fill, submit } = await openForm();
    await user.click(head());
    await choose('Decision rule', 'Custom');
    await choose('Fraction', 'Custom fraction');
    await fill('Numerator', '7');
    await fill('Denominator', '3');
    expect(head()).toHaveTextContent('Decision: not complete yet');
    await submit();
    expect(dialog.getByLabelText('Numerator')).toHaveAccessibleDescription(
      expect.stringContaining('Must be a whole number from 1 to 3.'),
    );
    await fill('Numerator', '3');
    await submit();
    expect(dialog.getByLabelText('Comparison')).toHaveAccessibleDescription(
      'More than the whole is impossible. Choose at least.',
    );
    expect(sent).toEqual([]);
  });

  it('shows what the server refuses at its field, in a section that opens for it', async () => {
    const own: DecisionRule = {
      kind: 'majority',
      conditions: [ofYesAndNo('at_least', 5, 9)],
      onTie: 'rejected',
    };
    const { dialog, head, submit } = await openForm(sampleQuestion({ decisionRule: own }));
    server.use(
      http.put('/client/questions/{questionId}', ({ response }) =>
        response(422).json({
          error: 'x',
          message: 'x',
          code: 'invalid_input',
          fields: {
            'decisionRule.conditions.0.numerator': ['Not this number.'],
            'decisionRule.conditions.7.base': ['Not at all.'],
          },
        }),
      ),
    );
    expect(head()).toHaveAttribute('aria-expanded', 'false');
    await submit();
    expect(await dialog.findByLabelText('Numerator')).toHaveAccessibleDescription(
      expect.stringContaining('Not this number.'),
    );
    // An error without its own field is shown at the rule.
    expect(dialog.getByRole('radiogroup', { name: 'Decision rule' })).toHaveAccessibleDescription(
      'Not at all.',
    );
    expect(dialog.getByText('Please check the marked fields.')).toBeInTheDocument();
  });

  it('is shown as it is stored, and goes when None is chosen', async () => {
    const { user, head, choose, submit } = await openForm(
      sampleQuestion({ decisionRule: simple, secrecy: 'named' }),
    );
    expect(head()).toHaveTextContent('Decision: simple majority by heads, named vote');
    await user.click(head());
    await choose('Decision rule', 'None');
    await submit();
    expect(await screen.findByText('Question updated successfully')).toBeInTheDocument();
    expect(sent[0]).toMatchObject({ decisionRule: null, quorum: null, secrecy: 'named' });
  });
});

describe('what the options of a yes/no question mean', () => {
  it('follows their words until somebody says otherwise, and an abstention can be added', async () => {
    const { user, dialog, choose, fill, submit } = await openForm();
    expect(dialog.getByLabelText('Meaning of option 1')).toHaveValue('yes');
    await user.click(dialog.getByRole('button', { name: 'Add Abstain' }));
    expect(dialog.getByLabelText('Option 3')).toHaveFocus();
    expect(dialog.getByLabelText('Meaning of option 3')).toHaveValue('abstain');
    expect(dialog.queryByRole('button', { name: 'Add Abstain' })).not.toBeInTheDocument();
    await fill('Option 1', 'Nein');
    expect(dialog.getByLabelText('Meaning of option 1')).toHaveValue('no');
    await choose('Meaning of option 2', 'Yes');
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]).toMatchObject({
      options: '["Nein","No","Abstain"]',
      optionRoles: ['no', 'yes', 'abstain'],
    });
  });

  it('must be yes for one and no for one where something is decided', async () => {
    const { user, dialog, head, choose, submit } = await openForm();
    await user.click(head());
    await choose('Decision rule', 'Simple majority');
    await choose('Meaning of option 2', 'Other');
    await submit();
    expect(dialog.getByRole('group', { name: 'Options' })).toHaveAccessibleDescription(
      'A decision needs an option that means yes and one that means no.',
    );
    expect(sent).toEqual([]);
  });
});

describe('the decision of a multiple choice question', () => {
  it.each([
    ['Which candidates join the committee?', true],
    ['Appoint an auditor', true],
    ['Which colour do you like?', false],
  ])('“%s” looks like a decision: %s', async (text, isWarned) => {
    const { user, dialog, choose } = await openForm();
    await choose('Question Type', 'Multiple Choice');
    await user.clear(dialog.getByLabelText('Question Text'));
    await user.type(dialog.getByLabelText('Question Text'), text);
    expect(dialog.queryByText(/looks like a decision/) !== null).toBe(isWarned);
    if (isWarned) {
      await user.click(dialog.getByRole('button', { name: 'The most votes win' }));
      expect(dialog.queryByText(/looks like a decision/)).not.toBeInTheDocument();
    }
  });

  it('is by the most votes, with seats', async () => {
    const { user, dialog, head, choose, fill, submit } = await openForm();
    await choose('Question Type', 'Multiple Choice');
    await user.click(head());
    await choose('Decision rule', 'Most votes (relative majority)');
    expect(dialog.getByLabelText('Seats')).toHaveValue('1');
    await fill('Seats', '4');
    await submit();
    expect(dialog.getByLabelText('Seats')).toHaveAccessibleDescription(
      expect.stringContaining('Must be a whole number from 1 to 3.'),
    );
    await fill('Seats', '2');
    await choose('Counted by', 'Weight');
    expect(
      dialog.getByText(/^The 2 options with the most votes are elected, by weight\./),
    ).toBeInTheDocument();
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.decisionRule).toEqual({ kind: 'plurality', unit: 'weight', seats: 2 });
  });

  it('can ask a majority of each option, with seats or without', async () => {
    const { user, dialog, head, choose, submit } = await openForm();
    await choose('Question Type', 'Multiple Choice');
    await user.click(head());
    await choose('Decision rule', 'Each option needs a majority');
    expect(
      dialog.getByText(
        'Each option needs more than 1/2 of the votes cast, by heads. All options that reach it are elected.',
      ),
    ).toBeInTheDocument();
    expect(within(dialog.getByLabelText('Of')).queryByText(/Yes and no/)).not.toBeInTheDocument();
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.decisionRule).toEqual({
      kind: 'each_option',
      condition: { ...ofYesAndNo('more_than', 1, 2), base: 'votes_cast' },
      seats: null,
    });
  });
});

it('says of other types that nothing is decided', async () => {
  const { user, dialog, head, choose } = await openForm();
  await user.click(head());
  await choose('Decision rule', 'Simple majority');
  await choose('Question Type', 'Rating (1-5 Stars)');
  expect(head()).toHaveTextContent('Decision: none');
  await user.click(head());
  expect(dialog.queryByLabelText('Decision rule')).not.toBeInTheDocument();
  expect(dialog.getByText(/The result always shows mean, median and distribution/)).toBeInTheDocument();
});

describe('the quorum of a question', () => {
  it('is the meeting’s until it is its own', async () => {
    meeting = sampleMeeting({
      quorum: {
        comparison: 'at_least',
        numerator: 1,
        denominator: 2,
        unit: 'heads',
        attendance: 'present',
        atOpening: 'warn',
      },
    });
    const { user, dialog, head, choose, submit } = await openForm();
    await user.click(head());
    expect(dialog.getByRole('switch', { name: 'Own quorum' })).toHaveAccessibleDescription(
      'When off, the quorum of the meeting applies: At least 1/2 of the register must be present, by heads.',
    );
    await user.click(dialog.getByRole('switch', { name: 'Own quorum' }));
    await choose('Must', 'Have voted');
    await choose('Quorum counted by', 'Weight');
    await choose('Fraction', '2/3');
    expect(dialog.getByText('At least 2/3 of the register must have voted, by weight.')).toBeInTheDocument();
    await submit();
    expect(await screen.findByText('Question created successfully')).toBeInTheDocument();
    expect(sent[0]?.quorum).toEqual({
      comparison: 'at_least',
      numerator: 2,
      denominator: 3,
      unit: 'weight',
      attendance: 'voted',
    });
  });
});

describe('the secrecy of a question', () => {
  it('is chosen from three levels, and not shown without a choice', async () => {
    const { user, dialog, head, submit } = await openForm();
    await user.click(head());
    expect(dialog.getByRole('radio', { name: 'Not shown' })).toBeChecked();
    await user.click(dialog.getByRole('radio', { name: 'Secret' }));
    await user.click(dialog.getByRole('switch', { name: 'Count by heads' }));
    expect(head()).toHaveTextContent('secret vote, counted by heads');
    await submit();
    await screen.findByText('Question created successfully');
    expect(sent[0]).toMatchObject({ secrecy: 'secret', countsHeads: true });
  });

  it('comes with a warning if voters at this address could not seal their ballots', async () => {
    const { user, dialog, head } = await openForm();
    await user.click(head());
    const choose = (level: string) => user.click(dialog.getByRole('radio', { name: level }));
    await choose('Secret');
    expect(dialog.queryByText(/not open over https/)).not.toBeInTheDocument();
    // As browsers do on plain http.
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    await choose('Named');
    expect(dialog.queryByText(/not open over https/)).not.toBeInTheDocument();
    await choose('Secret');
    expect(dialog.getByText(/not open over https/)).toBeInTheDocument();
    vi.unstubAllGlobals();
  });

  it('has texts and numbers of secret votes counted by heads', async () => {
    const { user, dialog, head, choose, submit } = await openForm();
    await choose('Question Type', 'PERCENTAGE');
    await user.click(head());
    await user.click(dialog.getByRole('radio', { name: 'Secret' }));
    const switched = dialog.getByRole('switch', { name: 'Count by heads' });
    expect(switched).toBeChecked();
    expect(switched).toBeDisabled();
    await submit();
    await screen.findByText('Question created successfully');
    expect(sent[0]).toMatchObject({ secrecy: 'secret', countsHeads: true });
  });
});

it('lists how questions are decided', async () => {
  questions = [sampleQuestion({ decisionRule: simple, secrecy: 'named' })];
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('Decision: simple majority by heads · Named vote')).toBeInTheDocument();
});
