import { request } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { type Caller, signInThroughApi } from './support/organization';
import { expectNothingCutOff } from './support/screens';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PRESENTATION, test } from './support/test';

const QUESTION = { questionText: 'What shall be better?', questionType: 'OPEN_TEXT' };
const ANSWERS = [
  'Bicycle stands',
  'Stands for bicycles',
  'A quieter lift',
  'A bench',
  'Something rude',
  'A bench',
];

async function answer(serverUrl: string, setting: Setting, roundId: string): Promise<void> {
  const api = await request.newContext({ baseURL: serverUrl });
  for (const [index, text] of ANSWERS.entries()) {
    const voter = setting.voters[index];
    const signIn = await api.post('/api/auth/end-user/login', {
      data: { clientCode: setting.clientCode, ...voter },
    });
    const { token } = await signIn.json();
    const vote = await api.post(
      `/api/voting/meetings/${setting.meetingId}/questions/${setting.questionIds[0]}/vote`,
      { data: { answers: [text], roundId }, headers: { Authorization: `Bearer ${token}` } },
    );
    expect(vote.status(), await vote.text()).toBe(201);
  }
  await api.dispose();
}

/** Opens the question, has everybody answer it, and counts the answers. */
async function askAndCount(serverUrl: string, setting: Setting, organizer: Caller): Promise<void> {
  const meeting = `/api/client/meetings/${setting.meetingId}`;
  const questionId = setting.questionIds[0];
  const opened = await organizer.put(`${meeting}/current-question`, { questionId });
  const { roundId } = (opened.data ?? opened) as { roundId: string };
  await answer(serverUrl, setting, roundId);
  await organizer.put(`${meeting}/current-question`, { questionId: null });
}

test('an organizer curates the answers that the hall sees', async ({ openAs, server }) => {
  const setting = await arrange(server.url, { name: 'Wall Club', voters: 6, questions: [QUESTION] });
  const organizer = await signInThroughApi(server.url, setting.organizer);
  await askAndCount(server.url, setting, organizer);
  const presentation = await openAs(PRESENTATION, { reducedMotion: 'reduce' });
  await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
  const desk = await openAs(DESKTOP, { reducedMotion: 'reduce', ...organizer.browser });
  await desk.goto(`/client/meetings/${setting.meetingId}/control`);
  await desk.getByRole('button', { name: 'Answers on the presentation' }).click();
  const panel = desk.getByRole('dialog', { name: 'Answers on the presentation' });

  await test.step('the organizer hides, groups and picks answers', async () => {
    await panel.getByRole('button', { name: 'Hide Something rude' }).click();
    await expect(panel.getByText('1 answer is not shown', { exact: false })).toBeVisible();
    await panel.getByRole('checkbox', { name: 'Select Bicycle stands' }).check();
    await panel.getByRole('checkbox', { name: 'Select Stands for bicycles' }).check();
    await panel.getByLabel('Heading of the group').fill('Bicycles');
    await panel.getByRole('button', { name: /^Group/ }).click();
    await expect(panel.getByRole('button', { name: 'Ungroup Bicycles' })).toBeVisible();
    await panel.getByRole('button', { name: 'Pick A quieter lift' }).click();
    await expect(panel.getByRole('button', { name: 'Unpick A quieter lift' })).toBeVisible();
    await panel.getByRole('switch', { name: 'Show answers on the presentation' }).click();
    await expect(panel.getByText('They appear when you declare the result.')).toBeVisible();
    await expectAccessibleInBothSchemes(desk, 'curation');
    await desk.setViewportSize({ width: 360, height: 740 });
    await expectNothingCutOff(desk);
    await desk.setViewportSize(DESKTOP);
    await desk.keyboard.press('Escape');
  });

  await test.step('the hall sees nothing before the declaration, and then the curated answers', async () => {
    await expect(presentation.getByText('A bench')).toBeHidden();
    await desk.getByRole('button', { name: 'Declare result' }).click();
    await desk
      .getByRole('alertdialog')
      .or(desk.getByRole('dialog'))
      .getByRole('button', { name: 'Declare result' })
      .click();
    const cards = presentation.getByRole('main').getByRole('listitem');
    await expect(cards).toHaveText([/A quieter lift1/, /Bicycles2 in 2 different answers/, /A bench2/]);
    await expect(presentation.getByText('1 answer is not shown.')).toBeVisible();
    await expect(presentation.getByText('Something rude')).toBeHidden();
    await expectAccessibleInBothSchemes(presentation, 'answer wall');
  });

  await test.step('a later change is on the screen at once', async () => {
    await desk.getByRole('button', { name: 'Answers on the presentation' }).click();
    await panel.getByRole('button', { name: 'Hide A bench' }).click();
    await expect(presentation.getByText('3 answers are not shown.')).toBeVisible();
    await expect(presentation.getByText('A bench')).toBeHidden();
  });
});
