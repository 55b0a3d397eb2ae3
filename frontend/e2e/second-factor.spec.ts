import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInAsOrganizer } from './support/organizer';
import { superAdmin } from './support/plenum-server';
import { expectNothingCutOff, expectToast, startAction } from './support/screens';
import { arrange } from './support/setting';
import { DESKTOP, expect, test } from './support/test';

const SMALL = { width: 360, height: 740 };

test('a second factor is set up, asked for, lost and taken away', async ({ openAs, server }) => {
  const { organizer } = await arrange(server.url, { name: 'Two Factors', voters: 0, questions: [] });
  const page = await openAs(SMALL);
  await signInAsOrganizer(page, organizer);
  await page.goto('/client/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill(organizer.password);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await expectNothingCutOff(page);
  await expectAccessibleInBothSchemes(page, 'setting a second factor up');
  const field = page.getByLabel('Code from your authenticator app');
  await expect(field).toBeFocused();
  await field.fill(codeOf(secret, 0));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [first = '', second = ''] = await codes.allInnerTexts();
  await expectNothingCutOff(page);
  await expectAccessibleInBothSchemes(page, 'the recovery codes');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expectToast(page, 'Recovery codes copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(second);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  const elsewhere = await openAs(SMALL);
  await typePassword(elsewhere, organizer);
  const asked = elsewhere.getByLabel('Code from your authenticator app');
  await expect(asked).toBeFocused();
  await expectNothingCutOff(elsewhere);
  await expectAccessibleInBothSchemes(elsewhere, 'the code at sign-in');
  // A wrong code. The code that turned it on could not be used again either.
  await asked.fill('000000');
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByText('This code is wrong, or was used already')).toBeVisible();
  await asked.fill(codeOf(secret, 1));
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere).toHaveURL(/\/client$/);

  const lost = await openAs(DESKTOP);
  await typePassword(lost, organizer);
  await lost.getByRole('button', { name: 'Use a recovery code' }).click();
  await lost.getByLabel('Recovery code').fill(first.toUpperCase());
  await lost.keyboard.press('Enter');
  await expect(lost).toHaveURL(/\/client$/);
  await lost.goto('/client/account');
  await expect(lost.getByText('9 recovery codes left')).toBeVisible();

  const root = await openAs(DESKTOP);
  await root.goto('/admin/login');
  await root.getByLabel('Email Address').fill(superAdmin.email);
  await root.getByLabel(/^Password/).fill(superAdmin.password);
  await root.getByRole('button', { name: 'Sign in' }).click();
  await expect(root).toHaveURL(/\/admin$/);
  await root.goto('/admin/users?search=organizer@two-factors');
  await startAction(root, 'Two Factors', 'Remove second factor');
  await root.getByRole('button', { name: 'Remove second factor', exact: true }).click();
  await expectToast(root, 'The second factor is removed, and they are signed out everywhere');
  await lost.reload();
  await expect(lost).toHaveURL(/\/client\/login/);
  await typePassword(lost, organizer);
  // The screen that was open when the session ended.
  await expect(lost).toHaveURL(/\/client\/account$/);
});

async function typePassword(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto('/client/login');
  await page.getByLabel('Email Address').fill(person.email);
  await page.getByLabel(/^Password/).fill(person.password);
  await page.getByRole('button', { name: 'Sign In to Dashboard' }).click();
}

/** The authenticator's current code, or the one `steps` times 30 seconds later (RFC 6238). */
function codeOf(secret: string, steps: number): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(message)
    .digest();
  const start = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
