import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInThroughApi } from './support/organization';
import { countVotes, endQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { expectNothingCutOff, startAction } from './support/screens';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { joinAsVoter, vote } from './support/voter';

const QUESTION = 'Shall the roof be renewed?';

test('owners decide by units, with half of the thousandths beside them', async ({ openAs, server }) => {
  const setting = await arrange(server.url, { name: 'Two Weights', voters: 3, questions: [] });
  const api = await signInThroughApi(server.url, setting.organizer);
  const organizer = await openAs(DESKTOP);
  await signInAsOrganizer(organizer, setting.organizer);

  await test.step('the organizer names the kinds, and enters a value', async () => {
    await organizer.goto('/client/weight-kinds');
    await expect(organizer.getByText('No kinds of weight yet')).toBeVisible();
    for (const [name, unit, decimals] of [
      ['Units', '', '0'],
      ['Thousandths', '‰', '1'],
    ] as const) {
      await organizer.getByRole('button', { name: 'Create Kind of Weight' }).first().click();
      const form = organizer.getByRole('dialog', { name: 'Create Kind of Weight' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel(/^Unit/).fill(unit);
      await form.getByLabel('Decimals').fill(decimals);
      await form.getByRole('button', { name: 'Create Kind of Weight' }).click();
      await expect(organizer.getByRole('row', { name: new RegExp(`^${name}`) })).toBeVisible();
    }
    await expectAccessibleInBothSchemes(organizer, 'the kinds of weight');
    await organizer.goto('/client/end-users');
    await startAction(organizer, 'Voter 1', 'Edit');
    const person = organizer.getByRole('dialog');
    await person.getByLabel('Units').fill('1');
    await person.getByLabel('Thousandths').fill('499,55');
    await person.getByRole('button', { name: /^Update/ }).click();
    await expect(person.getByLabel('Thousandths')).toHaveAccessibleDescription(/at most 1 decimal/);
    await person.getByLabel('Thousandths').fill('499,5');
    await person.getByRole('button', { name: /^Update/ }).click();
    await expect(person).toBeHidden();
  });

  const kinds = (await api.get('/api/client/weight-kinds')).data as { id: string; name: string }[];
  const kindOf = (name: string) => kinds.find((kind) => kind.name === name)?.id ?? '';
  const people = (await api.get('/api/client/end-users')).data as {
    id: string;
    username: string;
    weights: { kindId: string; value: string }[];
  }[];
  expect(people.find(({ username }) => username === 'voter1')?.weights).toContainEqual({
    kindId: kindOf('Thousandths'),
    value: '499.5',
  });
  for (const [username, unit, share] of [
    ['voter2', '1', '400.5'],
    ['voter3', '1', '100'],
  ]) {
    const id = people.find((person) => person.username === username)?.id;
    const weights = [
      { kindId: kindOf('Units'), value: unit },
      { kindId: kindOf('Thousandths'), value: share },
    ];
    await api.put(`/api/client/end-users/${id}`, { weights });
  }

  await test.step('the organizer writes a question with a rule in both weights', async () => {
    await organizer.goto(`/client/meetings/${setting.meetingId}/questions`);
    await organizer.getByRole('button', { name: 'Add Question' }).first().click();
    const form = organizer.getByRole('dialog');
    await form.getByLabel('Question Text').fill(QUESTION);
    await form.getByRole('button', { name: /^Decision:/ }).click();
    await form.getByLabel('Weight', { exact: true }).selectOption('Units');
    await form.getByLabel('Second weight').selectOption('Thousandths');
    await form.getByRole('radio', { name: 'Custom', exact: true }).check();
    await form.getByLabel('By', { exact: true }).selectOption('Units');
    await form.getByRole('button', { name: 'Add condition' }).click();
    const second = form.getByRole('group', { name: 'Share of the second condition' });
    await second.getByLabel('By', { exact: true }).selectOption('Thousandths');
    await expect(form.getByText(/in the register were yes/).first()).toBeVisible();
    await expectAccessibleInBothSchemes(organizer, 'a rule in two weights');
    await form.getByRole('button', { name: 'Create Question' }).click();
    await expect(form).toBeHidden();
  });

  await organizer.goto(`/client/meetings/${setting.meetingId}/control`);
  const presentation = await openAs(PRESENTATION);
  await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
  const phones = await Promise.all([openAs(PHONE), openAs(PHONE), openAs(PHONE)]);
  await Promise.all(phones.map((phone, index) => joinAsVoter(phone, setting, index)));
  await startQuestion(organizer);
  // Two of three units, and 500.5 of 1,000 thousandths.
  const answers = ['No', 'Yes', 'Yes'];
  await Promise.all(phones.map((phone, index) => vote(phone, { choice: answers[index] ?? '' })));
  await endQuestion(organizer);
  await countVotes(organizer);
  await expect(organizer.getByText(/Thousandths: 500\.5 of 1,000 ‰/).first()).toBeVisible();
  await organizer.getByRole('button', { name: 'Declare result' }).click();
  await organizer
    .getByRole('dialog', { name: /^Declare the result/ })
    .getByRole('button', { name: 'Declare result' })
    .click();

  await test.step('everybody reads the sums by both weights', async () => {
    await expect(presentation.getByText(/Thousandths/).first()).toBeVisible();
    const [phone] = phones;
    await expect(phone.getByText(/Thousandths/).first()).toBeVisible();
    await expectNothingCutOff(phone);
    await expectAccessibleInBothSchemes(phone, 'a result by two weights on a phone');
    await organizer.goto(`/client/meetings/${setting.meetingId}/results`);
    await expect(organizer.getByText('Second weight').first()).toBeVisible();
    await expectAccessibleInBothSchemes(organizer, 'a result by two weights');
    const results = await api.get(`/api/client/meetings/${setting.meetingId}/results`);
    const [round] = results.rounds as { decision: { outcome: string }; weightKind: { name: string } }[];
    expect([round?.decision.outcome, round?.weightKind.name]).toEqual(['accepted', 'Units']);
  });
});
