import { expectAccessibleInBothSchemes } from './support/accessible';
import { tabTo } from './support/keyboard';
import { foundOrganization } from './support/organization';
import { DESKTOP, expect, test } from './support/test';

test('a quick vote is open after one form, with presentation and QR code in sight', async ({
  openAs,
  server,
}) => {
  const organization = await foundOrganization(server.url, 'Quick');
  const page = await openAs(DESKTOP, { reducedMotion: 'reduce', ...organization.caller.browser });
  await page.goto('/client');
  await expect(page.getByRole('region', { name: 'Your first meeting' })).toBeVisible();
  await page.getByRole('link', { name: 'Quick Vote' }).click();
  const form = page.getByRole('dialog', { name: 'Quick Vote' });
  await form.getByRole('textbox', { name: 'Question' }).fill('Shall we take a break?');
  await expectAccessibleInBothSchemes(page, 'quick vote');
  await form.getByRole('button', { name: 'Open Voting' }).click();
  await expect(page.getByRole('button', { name: 'End Question' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open Presentation' })).toBeVisible();
  await expect(page.getByText('Question 1, voting open')).toBeVisible();
});

test('a quick vote is opened and ended by keyboard alone', async ({ openAs, server }) => {
  const organization = await foundOrganization(server.url, 'Keys');
  await organization.caller.post('/api/client/end-users', {
    name: 'Ada Byron',
    username: 'ada',
    password: 'a long password',
  });
  const page = await openAs(DESKTOP, { reducedMotion: 'reduce', ...organization.caller.browser });
  await page.goto('/client');
  await tabTo(page, page.getByRole('link', { name: 'Quick Vote' }));
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Quick Vote' });
  await expect(form.getByRole('textbox', { name: 'Question' })).toBeFocused();
  await page.keyboard.type('Shall we take a break?');
  await tabTo(page, form.getByRole('button', { name: 'Open Voting' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'End Question' }));
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByText('Voting ended', { exact: false })
      .or(page.getByText('Nobody voted', { exact: false }))
      .first(),
  ).toBeVisible();
});
