import { expect, type Locator, type Page } from '@playwright/test';

const FURTHEST = 40;

/** Presses Tab until the element has the focus, as people without a mouse do. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < FURTHEST; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  await expect(target, 'reached with Tab').toBeFocused();
}
