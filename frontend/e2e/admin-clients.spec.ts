import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import {
  answerWith,
  answerWithError,
  type Call,
  countCalls,
  holdCall,
  inEachFailure,
} from './support/failures';
import { addClient, asSuperAdmin, emailOf, uniqueName } from './support/organization';
import {
  expectFilled,
  expectNothingCutOff,
  expectToast,
  figureOf,
  fill,
  numberIn,
  openerOf,
  rowOf,
  startAction,
  WIDTHS,
} from './support/screens';
import { DESKTOP, expect, PHONE, test } from './support/test';

const LIST: Call = { method: 'GET', path: '/api/clients' };
const CREATE: Call = { method: 'POST', path: '/api/clients' };
const UPDATE: Call = { method: 'PUT', path: /^\/api\/clients\/[^/]+$/ };
const DELETE: Call = { method: 'DELETE', path: /^\/api\/clients\/[^/]+$/ };
const LOOK = { reducedMotion: 'reduce' } as const;
const PASSWORD = 'a long password';

async function search(page: Page, name: string): Promise<void> {
  const box = page.getByRole('searchbox', { name: 'Search clients' });
  await box.fill(name);
  await box.press('Enter');
  await expect(page).toHaveURL(/search=/);
  await expect(page.getByRole('heading', { name: 'All Clients (1)' })).toBeVisible();
}

for (const { width, viewport } of WIDTHS) {
  test(`a client is created, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const taken = await addClient(root, uniqueName('Taken'));
    const page = await openAs(viewport, { ...LOOK, ...root.browser });
    const name = uniqueName('Rowing Club');
    const values = {
      'Client Name': name,
      'First Name': 'Anna',
      'Last Name': 'Berg',
      Email: emailOf(name),
      Password: PASSWORD,
    };
    await page.goto('/admin/clients');
    await expect(rowOf(page, taken.name)).toBeVisible();
    const total = await numberIn(page, 'Total');
    const add = page.getByRole('button', { name: '+ Add Client' });
    await add.click();
    const form = page.getByRole('dialog', { name: 'Create New Client' });
    const submit = form.getByRole('button', { name: 'Create Client' });

    await test.step('the form explains itself', async () => {
      await expect(form.getByLabel(/^Client Name/)).toBeFocused();
      await form.getByLabel(/^Client Name/).fill('Chöre in Münster e. V.');
      await expect(form.getByText(/^Left empty, it becomes CHOERE(-\d\d)?\.$/)).toBeVisible();
      await form.getByLabel(/^Client Name/).fill('');
      await expect(form.getByText('The contact will be the main admin')).toBeVisible();
      await expect(form.getByText('This will be the login email for the client admin')).toBeVisible();
      await expect(form.getByText('Minimum 8 characters')).toBeVisible();
      await expect(form.getByLabel('Subscription Plan')).toHaveValue('BASIC');
      await expectAccessibleInBothSchemes(page, 'new client');
    });

    await test.step('what is missing or wrong is said at the field, without a call', async () => {
      const calls = countCalls(page, CREATE);
      await submit.click();
      for (const [label, error] of [
        ['Client Name', "Enter the client's name"],
        ['First Name', 'Enter the first name'],
        ['Last Name', 'Enter the last name'],
        ['Email', 'Enter an email address'],
        ['Password', 'Minimum 8 characters'],
      ] as const) {
        await expect(form.getByLabel(new RegExp(`^${label}`))).toHaveAccessibleDescription(new RegExp(error));
      }
      await expect(form.getByLabel(/^Client Name/)).toBeFocused();
      await expectAccessibleInBothSchemes(page, 'new client, not filled in');
      await fill(form, { ...values, Password: '1234567' });
      await submit.click();
      await expect(form.getByLabel(/^Password/)).toBeFocused();
      expect(calls()).toBe(0);
    });

    await test.step('a password is made up, shown and hidden', async () => {
      const password = form.getByLabel(/^Password/);
      await form.getByRole('button', { name: 'Generate' }).click();
      await expect(password).toHaveValue(/^[A-Za-z0-9!@#$%^&*]{12}$/);
      await expect(password).toHaveAttribute('type', 'text');
      await form.getByRole('button', { name: 'Copy password' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await password.inputValue());
      await form.getByRole('button', { name: 'Show password' }).click();
      await expect(password).toHaveAttribute('type', 'password');
    });

    await test.step('the server objects at the fields', async () => {
      await fill(form, { ...values, Email: taken.admin.email });
      await submit.click();
      await expect(form.getByLabel(/^Email/)).toHaveAccessibleDescription(
        /Another account signs in with this email address\./,
      );
      await expect(form.getByLabel(/^Email/)).toBeFocused();
      await expect(form.getByRole('alert')).toHaveText('Please check the marked fields.');
      await fill(form, { Email: values.Email, 'Organization Code': taken.code });
      await submit.click();
      await expect(form.getByLabel(/^Organization Code/)).toHaveAccessibleDescription(
        /Another client has this code\./,
      );
      await fill(form, { 'Organization Code': '', Password: 'x'.repeat(80) });
      await submit.click();
      await expect(form.getByLabel(/^Password/)).toHaveAccessibleDescription(/at most 72 bytes/);
      await expectAccessibleInBothSchemes(page, 'new client, refused');
    });

    await test.step('failures, with nothing lost', async () => {
      await fill(form, values);
      await inEachFailure(page, CREATE, 'Failed to create client', async (said) => {
        await submit.click();
        await expect(form.getByRole('alert')).toHaveText(said);
        await expectFilled(form, values);
      });
      await expectNothingCutOff(page, submit);
    });

    await test.step('Escape asks first', async () => {
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
      await expectAccessibleInBothSchemes(page, 'discard changes');
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      await expectFilled(form, values);
    });

    await test.step('it is created, however often it is clicked', async () => {
      const calls = countCalls(page, CREATE);
      const release = await holdCall(page, CREATE);
      await submit.dblclick();
      await expect(form.getByRole('button', { name: 'Creating...' })).toBeVisible();
      release();
      // Other tests may have taken the first code.
      await expect(
        page
          .getByRole('alert')
          .getByText(/^Client created successfully\. Its code is ROWING-CLUB(-\d\d)?\.$/),
      ).toBeVisible();
      await expect(form).toBeHidden();
      await expect(add).toBeFocused();
      expect(calls()).toBe(1);
    });

    await test.step('it is in the list and in the counts', async () => {
      await expect(figureOf(page, 'Total')).toHaveText(String(total + 1));
      const row = rowOf(page, name);
      await expect(row).toContainText('Basic');
      await expect(row).toContainText(values.Email);
      await expect(row).toContainText('Active');
      if (viewport === DESKTOP) {
        await expect(row.getByRole('cell')).toHaveText([
          new RegExp(`^${name}Basic`),
          values.Email,
          'Active',
          '1',
          '0',
          /^\d{1,2} \w{3,4} \d{4}$/,
          '',
        ]);
      }
    });
  });

  test(`a client is changed, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const { name, admin } = await addClient(root, uniqueName('Old Name'));
    const page = await openAs(viewport, { ...LOOK, ...root.browser });
    await page.goto('/admin/clients');
    await search(page, name);
    const address = page.url();
    const inactive = await numberIn(page, 'Inactive');
    await startAction(page, name, 'Edit');
    const form = page.getByRole('dialog', { name: 'Edit Client' });
    const submit = form.getByRole('button', { name: 'Update Client' });

    await test.step('it starts from what is stored', async () => {
      await expectFilled(form, {
        'Client Name': name,
        'Contact Email': admin.email,
        'First Name': 'Olga',
        'Last Name': 'Ritter',
        'New Password': '',
        Status: 'ACTIVE',
        'Subscription Plan': 'BASIC',
      });
      await expectAccessibleInBothSchemes(page, 'edit client');
    });

    await test.step('Escape closes it, and nothing is asked where nothing was changed', async () => {
      await page.keyboard.press('Escape');
      await expect(form).toBeHidden();
      await expect(openerOf(page, name, 'Edit')).toBeFocused();
      await startAction(page, name, 'Edit');
    });

    await test.step('what is missing or wrong is said at the field', async () => {
      await fill(form, { 'Client Name': ' ', 'Contact Email': 'nobody', 'New Password': '1234567' });
      await submit.click();
      await expect(form.getByLabel(/^Client Name/)).toHaveAccessibleDescription("Enter the client's name");
      await expect(form.getByLabel(/^Contact Email/)).toHaveAccessibleDescription(/Enter an email address/);
      await expect(form.getByLabel(/^New Password/)).toHaveAccessibleDescription(/Minimum 8 characters/);
      await expect(form.getByLabel(/^Client Name/)).toBeFocused();
    });

    const changed = {
      'Client Name': uniqueName('New Name'),
      'Contact Email': 'office@e2e.test',
      'New Password': '',
    };

    await test.step('the server objects at the field', async () => {
      await fill(form, { ...changed, 'Client Name': 'x'.repeat(201) });
      await submit.click();
      await expect(form.getByLabel(/^Client Name/)).toHaveAccessibleDescription(
        'Must be at most 200 characters long.',
      );
      await expect(form.getByLabel(/^Client Name/)).toBeFocused();
    });

    await test.step('failures, with nothing lost', async () => {
      await fill(form, changed);
      await form.getByLabel(/^Status/).selectOption('Suspended');
      await form.getByLabel(/^Subscription Plan/).selectOption('Enterprise');
      await inEachFailure(page, UPDATE, 'Failed to update client', async (said) => {
        await submit.click();
        await expect(form.getByRole('alert')).toHaveText(said);
        await expectFilled(form, { ...changed, Status: 'SUSPENDED', 'Subscription Plan': 'ENTERPRISE' });
      });
    });

    await test.step('it is changed, however often it is clicked', async () => {
      const calls = countCalls(page, UPDATE);
      await submit.dblclick();
      await expectToast(page, 'Client updated successfully');
      await expect(form).toBeHidden();
      expect(calls()).toBe(1);
      await expect(figureOf(page, 'Inactive')).toHaveText(String(inactive + 1));
      expect(page.url()).toBe(address);
      await search(page, changed['Client Name']);
      const row = rowOf(page, changed['Client Name']);
      await expect(row).toContainText('Enterprise');
      await expect(row).toContainText('office@e2e.test');
      await expect(row).toContainText('Suspended');
    });
  });

  test(`a client is deleted, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const { name } = await addClient(root, uniqueName('Short Lived'));
    const page = await openAs(viewport, { ...LOOK, ...root.browser });
    await page.goto(`/admin/clients?search=${encodeURIComponent(name)}`);
    await startAction(page, name, 'Delete');
    const question = page.getByRole('dialog', { name: 'Delete this client?' });
    const confirm = question.getByRole('button', { name: `Delete ${name}` });

    await test.step('it is asked for first, and Cancel and Escape do nothing', async () => {
      await expect(
        question.getByText('Are you sure you want to delete this client? This action cannot be undone.'),
      ).toBeVisible();
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await expectAccessibleInBothSchemes(page, 'delete client');
      await question.getByRole('button', { name: 'Cancel' }).click();
      await expect(question).toBeHidden();
      await expect(openerOf(page, name, 'Delete')).toBeFocused();
      await startAction(page, name, 'Delete');
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      await expect(openerOf(page, name, 'Delete')).toBeFocused();
      await startAction(page, name, 'Delete');
    });

    await test.step('its name must be typed', async () => {
      await expect(confirm).toBeDisabled();
      await question.getByLabel(`Type “${name}” to go on`).fill(name);
      await expect(confirm).toBeEnabled();
    });

    await test.step('failures', async () => {
      await inEachFailure(page, DELETE, 'Failed to delete client', async (said) => {
        await confirm.click();
        await expectToast(page, said);
        await expect(question).toBeVisible();
      });
    });

    await test.step('it is gone, however often it is clicked', async () => {
      const calls = countCalls(page, DELETE);
      await confirm.dblclick();
      await expectToast(page, 'Client deleted successfully');
      await expect(question).toBeHidden();
      await expect(page.getByRole('main')).toBeFocused();
      await expect(page.getByText('No clients found')).toBeVisible();
      await expect(page.getByText('Try adjusting your search or filters')).toBeVisible();
      expect(calls()).toBe(1);
      await expectAccessibleInBothSchemes(page, 'no clients found');
    });
  });

  test(`the list of clients is searched, filtered and sorted, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const prefix = uniqueName('Seen');
    const isPhone = viewport === PHONE;
    await addClient(root, `${prefix} Alpha`);
    const beta = await addClient(root, `${prefix} Beta`);
    await addClient(root, `${prefix} Gamma ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`);
    await root.put(`/api/clients/${beta.id}`, { status: 'SUSPENDED' });
    const page = await openAs(viewport, { ...LOOK, ...root.browser });
    const rows = rowOf(page, prefix);
    const status = page.getByRole('combobox', { name: 'Filter by status' });

    await test.step('loading', async () => {
      const release = await holdCall(page, LIST);
      await page.goto('/admin/clients');
      await expect(page.getByText('Loading clients...')).toBeAttached();
      release();
      await expect(rows).toHaveCount(3);
      await expect(page.getByRole('heading', { name: 'Client Management' })).toBeVisible();
      for (const label of ['Total', 'Active', 'Inactive']) {
        await expect(figureOf(page, label)).toHaveText(/^\d+$/);
      }
      await expectNothingCutOff(page, openerOf(page, beta.name, 'Delete'));
      await expectAccessibleInBothSchemes(page, 'clients');
    });

    await test.step('the state is in the address', async () => {
      await page.getByRole('searchbox', { name: 'Search clients' }).fill(prefix);
      await expect(page.getByRole('heading', { name: 'All Clients (3)' })).toBeVisible();
      await status.selectOption('Suspended');
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText('Beta');
      await expect(page).toHaveURL(/search=Seen.*status=SUSPENDED/);
      await page.reload();
      await expect(rows).toHaveCount(1);
      await expect(status).toHaveValue('SUSPENDED');
      await page.goBack();
      await expect(rows).toHaveCount(3);
      await expect(status).toHaveValue('');
      await expect(page.getByRole('searchbox', { name: 'Search clients' })).toHaveValue(prefix);
    });

    await test.step('sorted by name, and the other way round', async () => {
      const sortBy = async (order: string) => {
        if (isPhone) {
          await page.getByRole('combobox', { name: 'Sort' }).selectOption(order);
        } else {
          await page.getByRole('button', { name: 'Client Name' }).click();
        }
      };
      await expect(rows.first()).toContainText('Gamma');
      await sortBy('Name, A to Z');
      await expect(page).toHaveURL(/sort=name/);
      await expect(rows.first()).toContainText('Alpha');
      await sortBy('Name, Z to A');
      await expect(rows.first()).toContainText('Gamma');
      await page.goBack();
      await expect(rows.first()).toContainText('Alpha');
    });

    await test.step('a page at a time', async () => {
      const one = await root.get(`/api/clients/${beta.id}`);
      const restore = await answerWith(page, LIST, {
        data: [one.data],
        meta: { page: 1, pageSize: 50, total: 51 },
      });
      await page.goto('/admin/clients');
      await expect(page.getByText('1–50 of 51')).toBeVisible();
      await page.getByRole('button', { name: 'Page 2' }).click();
      await expect(page.getByText('51–51 of 51')).toBeVisible();
      await expect(page).toHaveURL(/page=2/);
      await page.reload();
      await expect(page.getByText('51–51 of 51')).toBeVisible();
      await page.goBack();
      await expect(page.getByText('1–50 of 51')).toBeVisible();
      await restore();
    });

    await test.step('it cannot be loaded', async () => {
      const mend = await answerWithError(page, LIST, { status: 500 });
      await page.goto('/admin/clients');
      await expect(page.getByRole('alert')).toContainText('Failed to load data');
      await expectAccessibleInBothSchemes(page, 'clients that cannot be loaded');
      await mend();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(rows).toHaveCount(3);
    });

    await test.step('there is none yet', async () => {
      const restore = await answerWith(page, LIST, { data: [], meta: { page: 1, pageSize: 50, total: 0 } });
      await page.goto('/admin/clients');
      await expect(page.getByText('No clients found')).toBeVisible();
      await expect(page.getByText('Create your first client to get started')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'no clients yet');
      await restore();
    });
  });
}

test('a client is created by keyboard alone', async ({ openAs, server }) => {
  const root = await asSuperAdmin(server.url);
  const page = await openAs(DESKTOP, { ...LOOK, ...root.browser });
  const { keyboard } = page;
  const name = uniqueName('Typed');
  await page.goto('/admin/clients');
  await expect(page.getByRole('button', { name: '+ Add Client' })).toBeVisible();
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '+ Add Client' })).toBeFocused();
  await keyboard.press('Enter');

  const form = page.getByRole('dialog', { name: 'Create New Client' });
  await expect(form.getByLabel(/^Client Name/)).toBeFocused();
  await keyboard.type(name);
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(form.getByLabel('Subscription Plan')).toBeFocused();
  await keyboard.press('ArrowDown');
  for (const text of ['Anna', 'Berg', emailOf(name)]) {
    await keyboard.press('Tab');
    await keyboard.type(text);
  }
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Client created successfully.');
  await expect(page.getByRole('button', { name: '+ Add Client' })).toBeFocused();
  await expect(rowOf(page, name)).toContainText('Pro');
});
