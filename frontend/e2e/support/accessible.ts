import { expect, type Page } from '@playwright/test';
import { violationsOn } from './axe';

/**
 * Waits for all transitions, because intermediate contrasts are visible only for a moment. A change starts its
 * transition with the next frame, and may cause another change.
 */
async function untilNothingFades(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    const fading = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    do {
      await Promise.allSettled(fading().map(({ finished }) => finished));
      await nextFrame();
      await nextFrame();
    } while (fading().length > 0);
  });
}

/** Switches the page to these colors, and waits for the end of the transition. */
export async function showInColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await untilNothingFades(page);
}

/**
 * Checks that no label of a button, a link styled as one, or a field is wider than its box: the rest would be cut off
 * invisibly.
 */
export async function expectNoLabelCutOff(page: Page, screen: string): Promise<void> {
  const cut = await page.evaluate(() => {
    const labels = document.querySelectorAll<HTMLElement>(
      'button, .mantine-Button-label, label, legend, .mantine-SegmentedControl-root, .mantine-SegmentedControl-innerLabel, [role="tab"]',
    );
    return [...labels]
      .filter((label) => {
        const { overflowX, display } = getComputedStyle(label);
        // Elements for screen readers alone are a few pixels wide.
        const isSeen = label.checkVisibility() && label.clientWidth > 8;
        return (
          isSeen &&
          display !== 'inline' &&
          overflowX !== 'visible' &&
          label.scrollWidth > label.clientWidth + 1
        );
      })
      .map(({ textContent, scrollWidth, clientWidth }) => `${textContent} (${scrollWidth} > ${clientWidth})`);
  });
  expect(cut, `labels that are cut off on ${screen}`).toEqual([]);
}

/** Checks for violations of WCAG 2.2 A and AA that a machine can find; with `part`, only those of colors. */
export async function expectAccessible(page: Page, screen: string, part?: 'colors'): Promise<void> {
  await untilNothingFades(page);
  await expectNoLabelCutOff(page, screen);
  const violations = await violationsOn(
    page,
    part === 'colors'
      ? ['color-contrast', 'link-in-text-block']
      : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  );
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target }) => target),
  }));
  expect(found, `axe on ${screen}`).toEqual([]);
}

/** {@link expectAccessible} in light colors, and the color checks in dark ones. Leaves the page in light ones. */
export async function expectAccessibleInBothSchemes(page: Page, screen: string): Promise<void> {
  await showInColors(page, 'light');
  await expectAccessible(page, `${screen}, light`);
  await showInColors(page, 'dark');
  await expectAccessible(page, `${screen}, dark`, 'colors');
  await showInColors(page, 'light');
}
