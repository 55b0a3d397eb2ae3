import { expectAccessibleInBothSchemes } from './support/accessible';
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
