import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The violations on the page that axe finds with these rules or tags. None of our pages has a frame.
 *
 * Not by `@axe-core/playwright`: it sends half a megabyte of script several times for each check, and opens a page to
 * combine frames, which takes twice as long as the check.
 */
export async function violationsOn(page: Page, runOnly: axe.RunOptions['runOnly']): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(SCRIPT);
  }
  return page.evaluate(async (runOnly) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { runOnly, resultTypes: ['violations'] });
    return violations;
  }, runOnly);
}
