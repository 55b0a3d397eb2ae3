import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { type Call, countCalls, holdCall, inEachFailure } from './support/failures';
import { asSuperAdmin, foundOrganization } from './support/organization';
import { superAdmin } from './support/plenum-server';
import { WIDTHS } from './support/screens';
import { DESKTOP, expect, PHONE, test } from './support/test';

const LOGIN: Call = { method: 'POST', path: '/api/auth/login' };
const LOOK = { reducedMotion: 'reduce' } as const;

const PORTALS = [
  {
    portal: 'admin',
    path: '/admin/login',
    title: 'Super Admin',
    rememberMe: 'Remember me',
    button: 'Sign in',
    home: /\/admin$/,
    account: async () => superAdmin,
  },
  {
    portal: 'client',
    path: '/client/login',
    title: 'Client Login',
    rememberMe: 'Remember me for 30 days',
    button: 'Sign In to Dashboard',
    home: /\/client$/,
    account: async (serverUrl: string) => (await foundOrganization(serverUrl, 'Sign in')).admin,
  },
];

async function signOut(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) {
    await page.getByRole('button', { name: 'Your account' }).click();
  }
  await page.getByRole('button', { name: 'Sign out' }).click();
}

for (const { portal, path, title, rememberMe, button, home, account } of PORTALS) {
  for (const { width, viewport } of WIDTHS) {
    test(`sign-in to the ${portal} portal, on ${width}`, async ({ openAs, server }) => {
      const { email, password } = await account(server.url);
      const page = await openAs(viewport, LOOK);
      const emailField = page.getByLabel('Email Address');
      const passwordField = page.getByLabel(/^Password/);
      const submit = page.getByRole('button', { name: button, exact: true });
      await page.goto(path);

      await test.step('the screen', async () => {
        await expect(page.getByRole('heading', { name: title })).toBeVisible();
        await expect(page.getByLabel(rememberMe, { exact: true })).not.toBeChecked();
        await expect(page.getByText(/contact your system administrator/)).toBeVisible({
          visible: portal === 'client',
        });
        await expectAccessibleInBothSchemes(page, `${portal} sign-in`);
      });

      await test.step('what is missing or wrong is said at the field', async () => {
        const calls = countCalls(page, LOGIN);
        await submit.click();
        await expect(emailField).toHaveAccessibleDescription(/Enter your email address/);
        await expect(passwordField).toHaveAccessibleDescription('Enter your password');
        await expect(emailField).toBeFocused();
        await emailField.fill('no address');
        await passwordField.fill('wrong password');
        await submit.click();
        await expect(emailField).toHaveAccessibleDescription(/such as name@example\.org/);
        expect(calls()).toBe(0);
        await expectAccessibleInBothSchemes(page, `${portal} sign-in, not filled in`);
      });

      await test.step('a wrong password', async () => {
        await emailField.fill(email);
        await submit.click();
        await expect(page.getByRole('alert')).toHaveText(
          'The name or the password is wrong, or the account is not active.',
        );
        await expect(emailField).toHaveValue(email);
        await expectAccessibleInBothSchemes(page, `${portal} sign-in, refused`);
      });

      await test.step('failures, with nothing lost', async () => {
        await passwordField.fill(password);
        await inEachFailure(page, LOGIN, 'Login failed', async (said) => {
          await submit.click();
          await expect(page.getByRole('alert')).toHaveText(said);
          await expect(emailField).toHaveValue(email);
          await expect(passwordField).toHaveValue(password);
        });
      });

      await test.step('in, however often it is clicked, and out again', async () => {
        const calls = countCalls(page, LOGIN);
        const release = await holdCall(page, LOGIN);
        await page.getByLabel(rememberMe, { exact: true }).check();
        await submit.dblclick();
        await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible();
        release();
        await expect(page).toHaveURL(home);
        await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
        expect(calls()).toBe(1);
        await page.goto(path);
        await expect(page).toHaveURL(home);
        await signOut(page, viewport === PHONE);
        await expect(page).toHaveURL(new RegExp(`${path}$`));
        await page.goBack();
        await expect(page.getByLabel('Email Address')).toBeVisible();
      });
    });
  }

  test(`sign-in to the ${portal} portal by keyboard alone`, async ({ openAs, server }) => {
    const { email, password } = await account(server.url);
    const page = await openAs(DESKTOP, LOOK);
    const { keyboard } = page;
    await page.goto(path);
    await expect(page.getByLabel('Email Address')).toBeFocused();
    await keyboard.type(email);
    await keyboard.press('Tab');
    await expect(page.getByLabel(/^Password/)).toBeFocused();
    await keyboard.type(password);
    await keyboard.press('Enter');
    await expect(page).toHaveURL(home);
  });
}

test('the other role is refused, and what was typed stays', async ({ openAs, server }) => {
  const { admin } = await foundOrganization(server.url, 'Wrong door');
  for (const { path, button, refused } of [
    { path: '/client/login', button: 'Sign In to Dashboard', refused: superAdmin },
    { path: '/admin/login', button: 'Sign in', refused: admin },
  ]) {
    const page = await openAs(DESKTOP, LOOK);
    await page.goto(path);
    await page.getByLabel('Email Address').fill(refused.email);
    await page.getByLabel(/^Password/).fill(refused.password);
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('alert')).toHaveText('Access denied');
    await expect(page.getByLabel('Email Address')).toHaveValue(refused.email);
  }
});

for (const { width, viewport } of WIDTHS) {
  test(`the layout of the admin portal, on ${width}`, async ({ openAs, server }) => {
    const root = await asSuperAdmin(server.url);
    const page = await openAs(viewport, { ...LOOK, ...root.browser });
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await page.goto('/');
    await expect(page).toHaveURL(/\/admin$/);

    await test.step('whose portal it is, and who is in it', async () => {
      if (viewport === PHONE) {
        await page.getByRole('button', { name: 'Your account' }).click();
        await expect(page.getByRole('link', { name: 'Password and devices' })).toBeFocused();
        await expectAccessibleInBothSchemes(page, 'your account');
      }
      await expect(page.getByText('Super Admin', { exact: true }).filter({ visible: true })).toBeVisible();
      await expect(
        page.getByText(`Welcome ${superAdmin.email}`, { exact: true }).filter({ visible: true }),
      ).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('link', { name: 'Plenum' })).toHaveAttribute('href', '/admin');
    });

    await test.step('the section that is open is highlighted', async () => {
      await expect(sections.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
      await sections.getByRole('link', { name: 'Clients' }).click();
      await expect(page).toHaveURL(/\/admin\/clients$/);
      await expect(sections.getByRole('link', { name: 'Clients' })).toHaveAttribute('aria-current', 'page');
      await expect(sections.getByRole('link', { name: 'Dashboard' })).not.toHaveAttribute('aria-current');
    });

    await test.step('addresses that lead elsewhere', async () => {
      for (const [from, to] of [
        ['/clients', /\/admin\/clients$/],
        ['/login', /\/admin$/],
        ['/client/end-users', /\/admin$/],
        ['/nothing/here', /\/admin$/],
      ] as const) {
        await page.goto(from);
        await expect(page, from).toHaveURL(to);
      }
    });
  });
}
