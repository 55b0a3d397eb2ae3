import { readFile } from 'node:fs/promises';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { asSuperAdmin, foundOrganization } from './support/organization';
import { expectNothingCutOff, rowOf, WIDTHS } from './support/screens';
import { expect, test } from './support/test';

const LOOK = { reducedMotion: 'reduce' } as const;

for (const { width, viewport } of WIDTHS) {
  test(`an organizer finds in the audit log who changed what, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'Audited');
    const voter = { username: 'ben', name: 'Ben Otto', password: 'a long password' };
    const { data } = await organization.caller.post('/api/client/end-users', voter);
    await organization.caller.put(`/api/client/end-users/${(data as { id: string }).id}`, { weight: 2.5 });
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    await page.goto('/client');
    await page.getByRole('link', { name: 'Audit Log' }).locator('visible=true').click();
    await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();

    const change = rowOf(page, 'End user changed');
    await expect(change).toContainText('Ben Otto (ben)');
    await expect(change).toContainText('Olga Ritter');
    await expect(change).toContainText('1.0000 → 2.5000');
    await expectNothingCutOff(page);
    await expectAccessibleInBothSchemes(page, 'audit log');

    await page.getByRole('combobox', { name: 'Filter by kind' }).selectOption('Organization created');
    await expect(rowOf(page, 'Organization created')).toHaveCount(1);
    await expect(change).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Filter by kind' }).selectOption('Everything');
    await page.getByRole('searchbox', { name: 'Person' }).fill('ben otto');
    await expect(rowOf(page, 'Organization created')).toHaveCount(0);
    await expect(change).toHaveCount(1);

    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('weight: 1.0000 → 2.5000');
    expect(text).not.toContain('client_created');
  });
}

test('a super administrator sees the log of the platform, and nothing of what organizations do', async ({
  openAs,
  server,
}) => {
  const organization = await foundOrganization(server.url, 'Watched');
  await organization.caller.post('/api/client/end-users', {
    username: 'eve',
    name: 'Eve Unseen',
    password: 'a long password',
  });
  const root = await asSuperAdmin(server.url);
  const page = await openAs(WIDTHS[0]?.viewport ?? { width: 1440, height: 900 }, {
    ...LOOK,
    ...root.browser,
  });
  await page.goto(`/admin/audit?search=${encodeURIComponent(organization.name)}`);
  await expect(rowOf(page, 'Organization created')).toContainText(organization.name);
  await page.goto('/admin/audit?search=Eve+Unseen');
  await expect(page.getByText('No entries found')).toBeVisible();
});
