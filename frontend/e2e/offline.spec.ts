import { signInAsOrganizer } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';

for (const [where, viewport] of [
  ['desk', DESKTOP],
  ['phone', PHONE],
] as const) {
  test(`without a network the portal says so, loses nothing, and recovers by itself (${where})`, async ({
    openAs,
    server,
  }) => {
    const { organizer } = await arrange(server.url, { name: `Offline ${where}`, voters: 2, questions: [] });
    const page = await openAs(viewport);
    await signInAsOrganizer(page, organizer);
    await page.goto('/client/end-users');
    const person = (name: string) => page.getByText(name, { exact: true }).filter({ visible: true });
    await expect(person('Voter 1')).toBeVisible();

    await page.context().setOffline(true);
    await expect(page.getByText(/^You are offline\./)).toBeVisible();
    await expect(person('Voter 1')).toBeVisible();

    await page.getByRole('button', { name: 'Create End User' }).click();
    const form = page.getByRole('dialog', { name: 'Create New End User' });
    await form.getByLabel('Full Name').fill('Ada Byron');
    await form.getByLabel('Username').fill('ada');
    await form.getByLabel(/^Password/).fill('a long password');
    await form.getByRole('button', { name: 'Create End User' }).click();
    await expect(form.getByRole('alert')).toHaveText(
      'Failed to create end user: the server could not be reached',
    );
    await expect(form.getByLabel('Full Name')).toHaveValue('Ada Byron');
    await page.context().setOffline(false);
    await form.getByRole('button', { name: 'Create End User' }).click();
    await expect(form).toBeHidden();
    await expect(person('Ada Byron')).toBeVisible();
    await expect(page.getByText(/^You are offline\./)).toBeHidden();

    await page.context().setOffline(true);
    await page.getByRole('searchbox').fill('voter2');
    await expect(page.getByText('Failed to load end users')).toBeVisible();
    await page.context().setOffline(false);
    await expect(person('Voter 2')).toBeVisible();
    await expect(person('Voter 1')).toBeHidden();
  });
}

test('a screen that was never visited comes when the network is back', async ({ openAs, server }) => {
  const { organizer } = await arrange(server.url, { name: 'Offline screen', voters: 0, questions: [] });
  const page = await openAs(DESKTOP);
  await signInAsOrganizer(page, organizer);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Meetings' }).first().click();
  await expect(page.getByText('You are offline', { exact: true })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Meetings', exact: true })).toBeVisible();
});
