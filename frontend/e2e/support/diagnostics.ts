import { expect, type Page } from '@playwright/test';

/** The last result of a test in the list of results. */
export interface ShownResult {
  status: string;
  message: string;
}

/** Some tests send hundreds of requests, and the machine may be busy. */
const RUN_MS = 150_000;

/** The page of a portal's tests, ready to be used. */
export async function openTests(page: Page, portal: 'admin' | 'client'): Promise<void> {
  await page.goto(`/${portal}/tests`);
  await expect(page.getByRole('button', { name: 'Run All Tests' })).toBeEnabled();
}

/** Runs one test, and waits until it has ended and deleted its data. */
export async function runTest(page: Page, name: string): Promise<ShownResult> {
  await page.getByRole('button', { name, exact: true }).click();
  await untilAtRest(page);
  return resultOf(page, name);
}

export async function untilAtRest(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Running test' })).toHaveCount(0, { timeout: RUN_MS });
  await expect(page.getByRole('button', { name: 'Run All Tests' })).toBeEnabled();
}

export async function resultOf(page: Page, name: string): Promise<ShownResult> {
  const results = page.getByRole('region', { name: 'List of results' });
  const entry = results
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
    .first();
  const text = (await entry.innerText()).split('\n').filter((line) => line.trim() !== '');
  return { status: text[0] ?? '', message: text.slice(1).join('\n') };
}
