import { signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';

test('a voter gets in and votes by keyboard alone', async ({ openAs, server }) => {
  const setting = await arrange(server.url, {
    name: 'Keyboard Club',
    voters: 1,
    questions: [{ questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] }],
  });
  const control = await openAs(DESKTOP);
  const page = await openAs(PHONE);
  await signInAsOrganizer(control, setting.organizer);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  const { keyboard } = page;

  await page.goto('/participant');
  await page.getByLabel('Organization Code').focus();
  await keyboard.type(setting.clientCode);
  await keyboard.press('Enter');
  await page.getByLabel('Username').focus();
  await keyboard.type(setting.voters[0]?.username ?? '');
  await keyboard.press('Tab');
  await keyboard.type(setting.voters[0]?.password ?? '');
  await keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Join Meeting' })).toBeVisible();
  await page.getByRole('link', { name: 'Join Meeting' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
  await startQuestion(control);

  await expect(page.getByRole('radio', { name: 'Yes' })).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).focus();
  await keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'No' })).toBeChecked();
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Secret from whom' })).toBeFocused();
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Submit Vote: No' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your vote is stored' })).toBeVisible();
});
