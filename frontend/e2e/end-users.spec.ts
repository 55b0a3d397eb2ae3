import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { answerWithError, type Call, countCalls, holdCall, inEachFailure } from './support/failures';
import { tabTo } from './support/keyboard';
import { foundOrganization, type Organization } from './support/organization';
import {
  expectFilled,
  expectNothingCutOff,
  expectToast,
  fill,
  openerOf,
  rowOf,
  startAction,
  WIDTHS,
} from './support/screens';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { signInAsVoter } from './support/voter';

const LIST: Call = { method: 'GET', path: '/api/client/end-users' };
const CREATE: Call = { method: 'POST', path: '/api/client/end-users' };
const UPDATE: Call = { method: 'PUT', path: /^\/api\/client\/end-users\/[^/]+$/ };
const DELETE: Call = { method: 'DELETE', path: /^\/api\/client\/end-users\/[^/]+$/ };
const EXPORT: Call = { method: 'POST', path: /^\/api\/client\/end-users\/[^/]+\/export-credentials$/ };
const LOOK = { reducedMotion: 'reduce' } as const;
const PASSWORD = 'a long password';

/** Adds end users by an import: generated passwords are quick to store. */
async function addEndUsers(
  { caller }: Organization,
  people: { name: string; username: string; isActive?: string; email?: string }[],
): Promise<void> {
  const rows = people.map((person, index) => ({ line: index + 2, ...person }));
  await caller.post('/api/client/end-users/import', { dryRun: false, rows });
}

/** The text of the file that this action downloads. */
async function fileOf(page: Page, bringAbout: () => Promise<void>): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await bringAbout();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

for (const { width, viewport } of WIDTHS) {
  test(`an end user is created and can sign in, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'New People');
    await addEndUsers(organization, [{ name: 'Vera Taken', username: 'vera' }]);
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    await page.goto('/client/end-users');
    const create = page.getByRole('button', { name: 'Create End User' });
    await create.click();
    const form = page.getByRole('dialog', { name: 'Create New End User' });
    const submit = form.getByRole('button', { name: 'Create End User' });
    const values = {
      'Full Name': 'Ada Lovelace',
      Username: 'ada',
      Email: 'ada@e2e.test',
      'Voting Weight': '2.5',
      Address: '12 St James Square',
      Password: PASSWORD,
    };

    await test.step('the form explains itself', async () => {
      await expect(form.getByLabel(/^Full Name/)).toBeFocused();
      await expect(form.getByLabel(/^Voting Weight/)).toHaveValue('1');
      await expect(form.getByText('Voting power (0-100, default 1.0)')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'new end user');
    });

    await test.step('what is missing or wrong is said at the field, without a call', async () => {
      const calls = countCalls(page, CREATE);
      await fill(form, { Email: 'nobody' });
      await submit.click();
      for (const [label, error] of [
        ['Full Name', 'Enter the full name'],
        ['Username', 'Enter a username'],
        ['Email', 'Enter an email address'],
        ['Password', 'Minimum 8 characters'],
      ] as const) {
        await expect(form.getByLabel(new RegExp(`^${label}`))).toHaveAccessibleDescription(new RegExp(error));
      }
      await expect(form.getByLabel(/^Full Name/)).toBeFocused();
      expect(calls()).toBe(0);
      await expectAccessibleInBothSchemes(page, 'new end user, not filled in');
    });

    await test.step('a password is made up and shown', async () => {
      await form.getByRole('button', { name: 'Generate' }).click();
      await expect(form.getByLabel(/^Password/)).toHaveValue(/^[A-Za-z0-9!@#$%^&*]{12}$/);
      await expect(form.getByLabel(/^Password/)).toHaveAttribute('type', 'text');
      await form.getByRole('button', { name: 'Show password' }).click();
      await expect(form.getByLabel(/^Password/)).toHaveAttribute('type', 'password');
    });

    await test.step('the server objects at the fields', async () => {
      await fill(form, { ...values, Username: 'VERA' });
      await submit.click();
      await expect(form.getByLabel(/^Username/)).toHaveAccessibleDescription(
        'Another end user has this username.',
      );
      await expect(form.getByLabel(/^Username/)).toBeFocused();
      await expect(form.getByRole('alert')).toHaveText('Please check the marked fields.');
      await fill(form, { Username: 'ada', 'Voting Weight': '101' });
      await submit.click();
      await expect(form.getByLabel(/^Voting Weight/)).toHaveAccessibleDescription(
        /Must be a number from 0 to 100/,
      );
      await expect(form.getByLabel(/^Voting Weight/)).toBeFocused();
    });

    await test.step('failures, with nothing lost', async () => {
      await fill(form, values);
      await inEachFailure(page, CREATE, 'Failed to create end user', async (said) => {
        await submit.click();
        await expect(form.getByRole('alert')).toHaveText(said);
        await expectFilled(form, values);
      });
      await expectNothingCutOff(page, submit);
    });

    await test.step('Escape asks first', async () => {
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await expect(question).toBeHidden();
      await expectFilled(form, values);
    });

    await test.step('created, however often it is clicked, and the credentials are downloaded', async () => {
      const calls = countCalls(page, CREATE);
      const release = await holdCall(page, CREATE);
      const file = await fileOf(page, async () => {
        await submit.dblclick();
        await expect(form.getByRole('button', { name: 'Creating...' })).toBeVisible();
        release();
      });
      await expectToast(page, 'End user created successfully! Login credentials have been downloaded.');
      await expect(form).toBeHidden();
      await expect(create).toBeFocused();
      expect(calls()).toBe(1);
      expect(file.name).toBe('ada.txt');
      for (const line of [
        `Organization: ${organization.name}`,
        'Name: Ada Lovelace',
        'Username: ada',
        `Password: ${PASSWORD}`,
        'Email: ada@e2e.test',
      ]) {
        expect(file.text.split('\n')).toContain(line);
      }
      expect(file.text).toMatch(/Date: \d{1,2} \w{3,4} \d{4}/);
    });

    await test.step('in the list, and in', async () => {
      const row = rowOf(page, 'Ada Lovelace');
      await expect(page.getByRole('heading', { name: 'End Users (2)' })).toBeVisible();
      await expect(row).toContainText('2.5');
      if (viewport === DESKTOP) {
        await expect(row.getByRole('cell')).toHaveText([
          '',
          'Ada Lovelace',
          'ada',
          // In no group.
          '',
          'ada@e2e.test',
          '2.5',
          'Active',
          'Never',
          '',
        ]);
        await expect(rowOf(page, 'Vera Taken').getByRole('cell', { name: 'N/A' })).toBeVisible();
      }
      const phone = await openAs(PHONE);
      await phone.goto(`/participant/login/${organization.code}`);
      await signInAsVoter(phone, 'ada', PASSWORD);
      await expect(phone).toHaveURL(/\/voting$/);
    });
  });

  test(`an end user is changed, exported and deleted, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'Changing People');
    await addEndUsers(organization, [
      { name: 'Ben Otto', username: 'ben' },
      { name: 'Vera Taken', username: 'vera' },
    ]);
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    await page.goto('/client/end-users');

    await test.step('the menu of a row', async () => {
      await openerOf(page, 'Ben Otto', 'Edit').click();
      await expect(page.getByRole('menuitem')).toHaveText([
        'Edit',
        'Personal link',
        'Export',
        'Erase personal data',
        'Delete',
      ]);
      await expectAccessibleInBothSchemes(page, 'menu of an end user');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toBeHidden();
      await expect(openerOf(page, 'Ben Otto', 'Edit')).toBeFocused();
    });

    await test.step('edit: checks, objections and failures', async () => {
      await startAction(page, 'Ben Otto', 'Edit');
      const form = page.getByRole('dialog', { name: 'Edit End User' });
      const submit = form.getByRole('button', { name: 'Update End User' });
      await expectFilled(form, { 'Full Name': 'Ben Otto', Username: 'ben', 'New Password': '' });
      await expectAccessibleInBothSchemes(page, 'edit end user');
      await fill(form, { 'Full Name': '', 'New Password': '1234567' });
      await submit.click();
      await expect(form.getByLabel(/^Full Name/)).toHaveAccessibleDescription('Enter the full name');
      await expect(form.getByLabel(/^New Password/)).toHaveAccessibleDescription(/Minimum 8 characters/);
      await expect(form.getByLabel(/^Full Name/)).toBeFocused();
      const values = { 'Full Name': 'Ben Otter', Username: 'vera', 'New Password': '', 'Voting Weight': '3' };
      await fill(form, values);
      await submit.click();
      await expect(form.getByLabel(/^Username/)).toHaveAccessibleDescription(
        'Another end user has this username.',
      );
      await expect(form.getByLabel(/^Username/)).toBeFocused();
      await fill(form, { Username: 'ben' });
      await inEachFailure(page, UPDATE, 'Failed to update end user', async (said) => {
        await submit.click();
        await expect(form.getByRole('alert')).toHaveText(said);
        await expectFilled(form, { ...values, Username: 'ben' });
      });
      const calls = countCalls(page, UPDATE);
      await submit.dblclick();
      await expectToast(page, 'End user updated successfully!');
      await expect(form).toBeHidden();
      expect(calls()).toBe(1);
      await expect(rowOf(page, 'Ben Otter')).toContainText('3');
      await expect(openerOf(page, 'Ben Otter', 'Edit')).toBeFocused();
    });

    await test.step('export of credentials', async () => {
      await startAction(page, 'Ben Otter', 'Export');
      const question = page.getByRole('dialog', { name: 'Export credentials?' });
      const confirm = question.getByRole('button', { name: 'Set new password and export' });
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await expectAccessibleInBothSchemes(page, 'export credentials');
      await inEachFailure(page, EXPORT, 'Failed to export credentials', async (said) => {
        await confirm.click();
        await expectToast(page, said);
        await expect(question).toBeVisible();
      });
      const calls = countCalls(page, EXPORT);
      const file = await fileOf(page, () => confirm.dblclick());
      await expectToast(page, 'Credentials exported successfully!');
      expect(calls()).toBe(1);
      expect(file.name).toBe('ben.txt');
      expect(file.text).toMatch(/^Password: [A-Za-z0-9!@#$%^&*]{12}$/m);
      await expect(question).toBeHidden();
      await expect(openerOf(page, 'Ben Otter', 'Export')).toBeFocused();
    });

    await test.step('erase', async () => {
      await startAction(page, 'Vera Taken', 'Erase personal data');
      const question = page.getByRole('dialog', { name: 'Erase personal data?' });
      const confirm = question.getByRole('button', { name: 'Erase Vera Taken' });
      await expect(confirm).toBeDisabled();
      await expectAccessibleInBothSchemes(page, 'erase personal data');
      await question.getByRole('textbox').fill('vera');
      await confirm.click();
      await expectToast(page, 'Personal data erased');
      await expect(rowOf(page, 'Erased person')).toContainText('Erased');
      await expect(page.getByText('Vera Taken')).toHaveCount(0);
    });

    await test.step('delete', async () => {
      await startAction(page, 'Ben Otter', 'Delete');
      const question = page.getByRole('dialog', { name: 'Delete this end user?' });
      const confirm = question.getByRole('button', { name: 'Delete Ben Otter' });
      await expect(
        question.getByText('Are you sure you want to delete end user "ben"? This action cannot be undone.'),
      ).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'delete end user');
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      await expect(openerOf(page, 'Ben Otter', 'Delete')).toBeFocused();
      await startAction(page, 'Ben Otter', 'Delete');
      await inEachFailure(page, DELETE, 'Failed to delete end user', async (said) => {
        await confirm.click();
        await expectToast(page, said);
        await expect(question).toBeVisible();
      });
      const calls = countCalls(page, DELETE);
      await confirm.dblclick();
      await expectToast(page, 'End user deleted successfully!');
      await expect(rowOf(page, 'Ben Otter')).toBeHidden();
      await expect(page.getByRole('heading', { name: 'End Users (1)' })).toBeVisible();
      await expect(page.getByRole('main')).toBeFocused();
      expect(calls()).toBe(1);
    });
  });

  test(`the list of end users is searched, filtered, sorted and paged, on ${width}`, async ({
    openAs,
    server,
  }) => {
    const organization = await foundOrganization(server.url, 'Many People');
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    const rows = rowOf(page, 'Person');
    const box = page.getByRole('searchbox', { name: 'Search end users' });
    const status = page.getByRole('combobox', { name: 'Filter by status' });

    await test.step('loading, and there is nobody yet', async () => {
      const release = await holdCall(page, LIST);
      await page.goto('/client/end-users');
      await expect(page.getByText('Loading end users...')).toBeAttached();
      release();
      await expect(page.getByText('No end users found')).toBeVisible();
      await expect(page.getByText('Create your first end user to get started')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'no end users yet');
    });

    await addEndUsers(organization, [
      ...Array.from({ length: 59 }, (_, index) => ({
        name: `Person ${String(index + 1).padStart(2, '0')}`,
        username: `person${index + 1}`,
        isActive: index < 57 ? 'yes' : 'no',
      })),
      {
        name: `Person 60 ${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}`,
        username: 'x'.repeat(64),
        email: `${'long.address.'.repeat(4)}x@${'sub.domain.'.repeat(12)}test`,
      },
    ]);

    await test.step('a page at a time', async () => {
      await page.reload();
      await expect(page.getByRole('heading', { name: 'End Users (60)' })).toBeVisible();
      await expect(rows).toHaveCount(50);
      await page.getByRole('button', { name: 'Page 2' }).click();
      await expect(page.getByText('51–60 of 60')).toBeVisible();
      await expect(rows).toHaveCount(10);
      await expect(rows.first()).toContainText('Person 51');
      await expectAccessibleInBothSchemes(page, 'end users');
      await page.reload();
      await expect(rows).toHaveCount(10);
      await expectNothingCutOff(page);
      const opener = rowOf(page, 'Person 51').getByRole('button', { name: /^Actions for/ });
      await opener.scrollIntoViewIfNeeded();
      await expectNothingCutOff(page, opener);
      await page.goBack();
      await expect(rows.first()).toContainText('Person 01');
    });

    await test.step('searched and filtered, with the state in the address', async () => {
      await status.selectOption('Inactive Only');
      await expect(rows).toHaveCount(2);
      await expect(rows.first()).toContainText('Inactive');
      await box.fill('person 58');
      await expect(rows).toHaveCount(1);
      await expect(page).toHaveURL(/status=inactive.*search=person|search=person.*status=inactive/);
      await page.reload();
      await expect(rows).toHaveCount(1);
      await expect(box).toHaveValue('person 58');
      await box.fill('nobody at all');
      await expect(page.getByText('No end users found')).toBeVisible();
      await expect(page.getByText('Try adjusting your search or filters')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'no end users found');
      await page.getByRole('button', { name: 'Clear search and filters' }).click();
      await expect(rows).toHaveCount(50);
      await status.selectOption('Active Only');
      await expect(page.getByRole('heading', { name: 'End Users (58)' })).toBeVisible();
      await status.selectOption('All End Users');
      await expect(page.getByRole('heading', { name: 'End Users (60)' })).toBeVisible();
    });

    await test.step('sorted the other way round', async () => {
      if (viewport === PHONE) {
        await page.getByRole('combobox', { name: 'Sort' }).selectOption('Name, Z to A');
      } else {
        await page.getByRole('button', { name: 'Name', exact: true }).click();
      }
      await expect(rows.first()).toContainText('Person 60');
      await expect(page).toHaveURL(/sort=-name/);
      await expectNothingCutOff(page, rows.first().getByRole('button', { name: /^Actions for/ }));
    });

    await test.step('it cannot be loaded', async () => {
      const mend = await answerWithError(page, LIST, { status: 500 });
      await page.reload();
      await expect(page.getByRole('alert')).toContainText('Failed to load end users');
      await expectAccessibleInBothSchemes(page, 'end users that cannot be loaded');
      await mend();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(rows).toHaveCount(50);
    });

    await test.step('back to the dashboard', async () => {
      await page.getByRole('link', { name: 'Back to Dashboard' }).click();
      await expect(page).toHaveURL(/\/client$/);
    });
  });
}

test('an end user is found, changed and deleted by keyboard alone', async ({ openAs, server }) => {
  const organization = await foundOrganization(server.url, 'Keys');
  await addEndUsers(organization, [
    { name: 'Ada Lovelace', username: 'ada' },
    { name: 'Ben Otto', username: 'ben' },
  ]);
  const page = await openAs(DESKTOP, { ...LOOK, ...organization.caller.browser });
  const { keyboard } = page;
  await page.goto('/client/end-users');
  await expect(rowOf(page, 'Ada Lovelace')).toBeVisible();

  await tabTo(page, page.getByRole('searchbox', { name: 'Search end users' }));
  await keyboard.type('otto');
  await expect(page.getByRole('heading', { name: 'End Users (1)' })).toBeVisible();
  const opener = openerOf(page, 'Ben Otto', 'Edit');
  await tabTo(page, opener);
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Edit End User' });
  await expect(form.getByLabel(/^Full Name/)).toBeFocused();
  await keyboard.press('End');
  await keyboard.type('mann');
  await keyboard.press('Enter');
  await expectToast(page, 'End user updated successfully!');
  await expect(openerOf(page, 'Ben Ottomann', 'Edit')).toBeFocused();

  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete this end user?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await expect(question.getByRole('button', { name: 'Delete Ben Ottomann' })).toBeFocused();
  await keyboard.press('Enter');
  await expectToast(page, 'End user deleted successfully!');
  await expect(page.getByText('No end users found')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});
