import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/accessible';
import { answerWithError, type Call, countCalls, loseCall } from './support/failures';
import { tabTo } from './support/keyboard';
import { addClient, asSuperAdmin, foundOrganization, uniqueName } from './support/organization';
import { signInAsOrganizer } from './support/organizer';
import { expectNothingCutOff, expectToast, figureOf, numberIn, rowOf, WIDTHS } from './support/screens';
import { DESKTOP, expect, PHONE, test } from './support/test';

const LOOK = { reducedMotion: 'reduce' } as const;
const EXPORT: Call = { method: 'GET', path: '/api/client/end-users/export' };
const REPORT_EXPORT: Call = { method: 'GET', path: '/api/reports/clients/export' };

function activityOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Recent Activity' });
}

async function downloadBy(page: Page, start: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return download;
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}

async function textOf(download: Download): Promise<string> {
  return (await bytesOf(download)).toString('utf8');
}

/** Sends a request with the page's token, without another sign-in. */
async function call(page: Page, method: 'POST' | 'PUT', path: string, data: object): Promise<{ id: string }> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const answer = await page.request.fetch(path, {
    method,
    data,
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return answer.json();
}

for (const { width, viewport } of WIDTHS) {
  test(`the dashboards show what happens, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const admin = await openAs(viewport, { ...LOOK, ...root.browser });
    const name = uniqueName('Lively Club');
    const client = await addClient(root, name);

    await test.step('an organization is made', async () => {
      await admin.goto('/admin');
      const entry = activityOf(admin).getByRole('listitem').first();
      await expect(entry).toContainText(`Organization “${name}” was created`);
      await expect(entry).toContainText('Just now');
      await expect(figureOf(admin, 'Total Clients')).toHaveText(/^\d+$/);
      await expectNothingCutOff(admin);
      await expectAccessibleInBothSchemes(admin, 'admin dashboard');
    });

    const before = await numberIn(admin, 'Total Sessions');
    const control = await openAs(viewport, LOOK);
    await signInAsOrganizer(control, client.admin);

    await test.step('a sign-in is one session more', async () => {
      await admin.reload();
      await expect(figureOf(admin, 'Total Sessions')).toHaveText(String(before + 1));
      await expect(admin.getByText(/^\d+ accounts?, \d+ end users?$/)).toBeVisible();
    });

    await test.step('only the organization itself sees what happens in it', async () => {
      await expect(activityOf(control).getByRole('listitem')).toHaveCount(1);
      await expect(activityOf(control)).toContainText('Olga Ritter signed in');
      await expectAccessibleInBothSchemes(control, 'client dashboard');
      await expectNothingCutOff(control);
    });

    await test.step('somebody is added, a meeting is held', async () => {
      await call(control, 'POST', '/api/client/end-users', {
        name: 'Vera',
        username: 'vera',
        password: 'long enough',
      });
      const times = {
        scheduledStartTime: new Date().toISOString(),
        scheduledEndTime: new Date(Date.now() + 3_600_000).toISOString(),
      };
      const meeting = await call(control, 'POST', '/api/client/meetings', {
        title: 'Assembly',
        status: 'SCHEDULED',
        ...times,
      });
      const question = await call(control, 'POST', '/api/client/questions', {
        meetingId: meeting.id,
        questionText: 'Adopt the budget?',
        questionType: 'YES_NO',
        options: ['Yes', 'No'],
      });
      await call(control, 'POST', `/api/client/meetings/${meeting.id}/start`, {});
      await call(control, 'PUT', `/api/client/meetings/${meeting.id}/current-question`, {
        questionId: question.id,
      });

      await control.reload();
      for (const [index, text] of [
        'Voting on “Adopt the budget?” was opened',
        'Meeting “Assembly” was started',
        'Meeting “Assembly” was created',
        '1 end user was added',
        'Olga Ritter signed in',
      ].entries()) {
        await expect(activityOf(control).getByRole('listitem').nth(index)).toContainText(text);
      }
      await expect(figureOf(control, 'Total End Users')).toHaveText('1');

      await admin.reload();
      const entry = activityOf(admin).getByRole('listitem').first();
      await expect(entry).toContainText('Voting on “Adopt the budget?” was opened');
      await expectNothingCutOff(admin);
      await entry.getByRole('link', { name }).click();
      await expect(admin.getByRole('heading', { name: 'All Clients (1)' })).toBeVisible();
      await expect(rowOf(admin, name)).toBeVisible();
      await admin.goBack();
    });

    await test.step('a sign-out is one session less', async () => {
      const count = await numberIn(admin, 'Total Sessions');
      if (viewport === PHONE) {
        await control.getByRole('button', { name: 'Your account' }).click();
      }
      await control.getByRole('button', { name: 'Sign out' }).click();
      await expect(control).toHaveURL(/\/client\/login/);
      await admin.reload();
      await expect(figureOf(admin, 'Total Sessions')).toHaveText(String(count - 1));
    });
  });

  test(`what of a dashboard cannot be loaded does not hide the rest, on ${width}`, async ({
    openAs,
    server,
  }) => {
    const { caller } = await foundOrganization(server.url, 'Broken Club');
    const root = await asSuperAdmin(server.url);

    for (const [who, path, calls] of [
      [
        root,
        '/admin',
        [
          ['/api/clients/stats', 'Failed to fetch client statistics'],
          ['/api/sessions/stats', 'Failed to fetch the number of sessions'],
          ['/api/activity', 'Failed to load recent activity'],
        ],
      ],
      [
        caller,
        '/client',
        [
          ['/api/client/end-users/stats', 'Failed to fetch end user statistics'],
          ['/api/client/activity', 'Failed to load recent activity'],
        ],
      ],
    ] as const) {
      const page = await openAs(viewport, { ...LOOK, ...who.browser });
      for (const [call, message] of calls) {
        const others = calls.filter(([other]) => other !== call);
        const restore = await answerWithError(page, { method: 'GET', path: call }, { status: 500 });
        await page.goto(path);
        await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
        for (const [, other] of others) {
          await expect(page.getByText(other)).toBeHidden();
        }
        await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible();
        await expectAccessible(page, `${path} without ${call}`);
        await expectNothingCutOff(page);
        await restore();
        await page.getByRole('button', { name: 'Try again' }).click();
        await expect(page.getByText(message)).toBeHidden();
      }
      const restore = await loseCall(page, { method: 'GET', path: /\/(stats|activity)$/ });
      await page.goto(path);
      for (const [, message] of calls) {
        await expect(page.getByText(message)).toBeVisible();
      }
      await restore();
    }
  });

  test(`users, from the dashboard to the form of their client, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const [first, second] = [uniqueName('Users A'), uniqueName('Users B')];
    await addClient(root, first);
    const client = await addClient(root, second);
    await root.put(`/api/clients/${client.id}`, { status: 'SUSPENDED' });
    const page = await openAs(viewport, { ...LOOK, ...root.browser });

    await page.goto('/admin');
    await page.getByRole('link', { name: 'Manage Users' }).click();
    await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
    await expect(page.getByText(/^All Users \(\d+\)$/)).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'users');
    await expectNothingCutOff(page);

    await page.getByRole('searchbox', { name: 'Search users' }).fill(second);
    await expect(page.getByText('All Users (1)')).toBeVisible();
    const row = rowOf(page, second);
    await expect(row).toContainText('Olga Ritter');
    await expect(row).toContainText('Client Admin');
    await expect(row).toContainText('Suspended');
    await expect(row).toContainText('Never');
    await page.reload();
    await expect(page.getByText('All Users (1)')).toBeVisible();
    await expect(page.getByRole('searchbox', { name: 'Search users' })).toHaveValue(second);

    if (viewport === PHONE) {
      await row.getByRole('button', { name: `Actions for ${second}` }).click();
      await page.getByRole('menuitem', { name: 'Edit client' }).click();
    } else {
      await row.getByRole('link', { name: `Edit client ${second}` }).click();
    }
    const form = page.getByRole('dialog', { name: 'Edit Client' });
    await expect(form.getByLabel(/Client Name/)).toHaveValue(second);
    await form.getByLabel('Last Name').fill('Renamed');
    await form.getByRole('button', { name: 'Update Client' }).click();
    await expectToast(page, 'Client updated successfully');
    await page.goBack();
    await expect(rowOf(page, second)).toContainText('Olga Renamed');
    await rowOf(page, second).getByRole('link', { name: second, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/admin/clients\\?search=${client.code}$`));
    await expect(rowOf(page, second)).toBeVisible();
    await page.goBack();

    await page.getByRole('searchbox', { name: 'Search users' }).fill('no such person');
    await expect(page.getByText('No users found')).toBeVisible();
    await expectAccessible(page, 'no users');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(rowOf(page, first)).toBeVisible();

    const restore = await answerWithError(page, { method: 'GET', path: '/api/accounts' }, { status: 500 });
    await page.reload();
    await expect(page.getByText('Failed to fetch users')).toBeVisible();
    await expectAccessible(page, 'users, failed');
    await restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(rowOf(page, first)).toBeVisible();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL(/\/admin$/);
  });

  test(`reports, and the file of what is shown of them, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const group = uniqueName('Group');
    await addClient(root, `${group} Beta`);
    const formula = await addClient(root, `=1+1 ${group} Alpha`);
    await root.put(`/api/clients/${formula.id}`, { status: 'INACTIVE' });
    const page = await openAs(viewport, { ...LOOK, ...root.browser });

    await page.goto('/admin');
    await page.getByRole('link', { name: 'View Reports' }).click();
    await expect(page.getByRole('heading', { name: 'Reports', exact: true })).toBeVisible();
    await expect(rowOf(page, `${group} Beta`)).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'reports');
    await expectNothingCutOff(page, page.getByRole('button', { name: 'Export CSV' }));

    await page.getByRole('searchbox', { name: 'Search clients' }).fill(group);
    await expect(page.getByText('All Clients (2)')).toBeVisible();
    if (viewport === DESKTOP) {
      await page.getByRole('button', { name: 'Client', exact: true }).click();
    } else {
      await page.getByLabel('Sort', { exact: true }).selectOption('Name, A to Z');
    }
    await expect(page).toHaveURL(/sort=name/);
    await expect(rowOf(page, group).first()).toContainText('Alpha');

    await test.step('all that are found, in the order of the list', async () => {
      const download = await downloadBy(page, () => page.getByRole('button', { name: 'Export CSV' }).click());
      expect(download.suggestedFilename()).toMatch(/^client-reports-\d{4}-\d\d-\d\d\.csv$/);
      await expectToast(page, `Reports exported to ${download.suggestedFilename()}`);
      const text = await textOf(download);
      expect(text.startsWith('\ufeffName,Client Code,')).toBe(true);
      const lines = text.trim().split('\r\n');
      expect(lines).toHaveLength(3);
      expect(lines[1]).toMatch(/^'=1\+1 /);
      expect(lines[2]).toContain(`${group} Beta`);
    });

    await test.step('of one status', async () => {
      await page.getByLabel('Filter by status').selectOption('Inactive');
      await expect(page.getByText('All Clients (1)')).toBeVisible();
      await page.reload();
      await expect(page.getByText('All Clients (1)')).toBeVisible();
      await expect(page.getByLabel('Filter by status')).toHaveValue('INACTIVE');
      const download = await downloadBy(page, () => page.getByRole('button', { name: 'Export CSV' }).click());
      expect((await textOf(download)).trim().split('\r\n')).toHaveLength(2);
      await page.goBack();
      await expect(page.getByText('All Clients (2)')).toBeVisible();
    });

    await test.step('failures', async () => {
      const restoreError = await answerWithError(page, REPORT_EXPORT, { status: 500, error: 'Out of paper' });
      await page.getByRole('button', { name: 'Export CSV' }).click();
      await expectToast(page, 'Out of paper');
      await restoreError();
      const restoreNetwork = await loseCall(page, REPORT_EXPORT);
      await page.getByRole('button', { name: 'Export CSV' }).click();
      await expectToast(page, 'Failed to export reports: the server could not be reached');
      await restoreNetwork();
    });
  });

  test(`end users as a file, on ${width}`, async ({ openAs, server }) => {
    const { caller, code } = await foundOrganization(server.url, 'Export Club');
    for (const [username, name] of [
      ['anna', 'Anna Müller'],
      ['sum', '=SUM(A1:A9)'],
      ['zoe', 'Zoe Ångström'],
    ]) {
      await caller.post('/api/client/end-users', { username, name, password: 'long enough' });
    }
    const page = await openAs(viewport, { ...LOOK, ...caller.browser });
    const button = page.getByRole('button', { name: 'Export', exact: true });
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });

    await page.goto('/client');
    await page.getByRole('link', { name: 'Export User List' }).click();
    await expect(page.getByText('End Users (3)')).toBeVisible();
    await expectNothingCutOff(page, button, page.getByRole('button', { name: 'Create End User' }));
    await button.click();
    await expect(page.getByText('All 3 end users')).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'end users, export');

    await test.step('all as CSV', async () => {
      const download = await downloadBy(page, () => item('CSV').click());
      expect(download.suggestedFilename()).toMatch(new RegExp(`^${code}-.*\\.csv$`));
      await expectToast(page, `3 end users exported to ${download.suggestedFilename()}`);
      const text = await textOf(download);
      expect(text.startsWith('\ufeffName,Username,')).toBe(true);
      expect(text).toContain('Anna Müller,anna,');
      expect(text).toContain("'=SUM(A1:A9)");
      expect(text.trim().split('\r\n')).toHaveLength(4);
    });

    await test.step('only those that are searched for', async () => {
      await page.getByRole('searchbox', { name: 'Search end users' }).fill('ång');
      await expect(page.getByText('End Users (1)')).toBeVisible();
      await button.click();
      await expect(page.getByText('Only the 1 end user found')).toBeVisible();
      const download = await downloadBy(page, () => item('CSV').click());
      await expectToast(page, `1 end user exported to ${download.suggestedFilename()}`);
      const text = await textOf(download);
      expect(text).toContain('Zoe Ångström');
      expect(text).not.toContain('anna');
    });

    await test.step('as a workbook, by keyboard', async () => {
      await page.getByRole('searchbox', { name: 'Search end users' }).fill('');
      await expect(page.getByText('End Users (3)')).toBeVisible();
      await page.getByRole('link', { name: 'Back to Dashboard' }).focus();
      await tabTo(page, button);
      await page.keyboard.press('Enter');
      await expect(item('CSV')).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(item('Excel (XLSX)')).toBeFocused();
      const download = await downloadBy(page, () => page.keyboard.press('Enter'));
      expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
      // A zip archive.
      expect((await bytesOf(download)).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
      await expect(button).toBeFocused();
      await expectToast(page, `3 end users exported to ${download.suggestedFilename()}`);
    });

    await test.step('failures, and a double click', async () => {
      const calls = countCalls(page, EXPORT);
      const restoreError = await answerWithError(page, EXPORT, { status: 500, error: 'Out of paper' });
      await button.click();
      await item('CSV').dblclick();
      await expectToast(page, 'Out of paper');
      expect(calls()).toBe(1);
      await restoreError();
      const restoreNetwork = await loseCall(page, EXPORT);
      await button.click();
      await item('Excel (XLSX)').click();
      await expectToast(page, 'Failed to export end users: the server could not be reached');
      await restoreNetwork();
    });
  });
}

test('the admin dashboard leads on by keyboard alone', async ({ openAs, server }) => {
  const root = await asSuperAdmin(server.url);
  const page = await openAs(DESKTOP, { ...LOOK, ...root.browser });
  await page.goto('/admin');
  for (const [link, title] of [
    ['Manage Users', 'Users'],
    ['View Reports', 'Reports'],
  ] as const) {
    await tabTo(page, page.getByRole('link', { name: link }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    await tabTo(page, page.getByRole('link', { name: 'Back to Dashboard' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible();
  }
});
