import { expect, type Locator, type Page } from '@playwright/test';
import { DESKTOP, PHONE } from './test';

/** The widths on which every task is tested. */
export const WIDTHS = [
  { width: 'a wide screen', viewport: DESKTOP },
  { width: 'a phone', viewport: PHONE },
];

/** Expects a message at the top of the screen. */
export async function expectToast(page: Page, message: string): Promise<void> {
  await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible();
}

/** A row of a list: a line of the table, or a card on phones. */
export function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: text });
}

/** Checks that nothing is wider than the screen or beyond its edge. */
export async function expectNothingCutOff(page: Page, ...parts: Locator[]): Promise<void> {
  const room = await page.evaluate(() => ({
    inner: document.documentElement.clientWidth,
    needed: document.documentElement.scrollWidth,
  }));
  expect(room.needed).toBeLessThanOrEqual(room.inner);
  for (const part of parts) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
}

/** The button that starts an action of a row: its own, or that of the row's menu. */
export function openerOf(page: Page, row: string, action: string): Locator {
  return page
    .getByRole('button', { name: `Actions for ${row}`, exact: true })
    .or(page.getByRole('button', { name: `${action} ${row}`, exact: true }));
}

export async function startAction(page: Page, row: string, action: string): Promise<void> {
  const opener = openerOf(page, row, action);
  const isMenu = (await opener.getAttribute('aria-haspopup')) === 'menu';
  await opener.click();
  if (isMenu) {
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  }
}

/** The figure on the card with this label. */
export function figureOf(page: Page, label: string): Locator {
  return page.locator(`div:has(> dt:text-is("${label}")) > dd`).first();
}

/** The number in that figure, as soon as it is loaded. */
export async function numberIn(page: Page, label: string): Promise<number> {
  await expect(figureOf(page, label)).toHaveText(/^\d+$/);
  return Number(await figureOf(page, label).textContent());
}

/** Fills in a form by the beginnings of its labels, because a star may follow them. */
export async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await form.getByLabel(new RegExp(`^${label}`)).fill(value);
  }
}

export async function expectFilled(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await expect(form.getByLabel(new RegExp(`^${label}`))).toHaveValue(value);
  }
}
