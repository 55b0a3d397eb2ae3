import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { violationsOn } from './axe';
import { PlenumServer } from './plenum-server';

export const DESK = { width: 1440, height: 900 };
export const WALL = { width: 1920, height: 1080 };
export const PHONE = { width: 390, height: 844 };

interface Fixtures {
  /** A browser of somebody's own: no storage is shared with anybody. */
  openAs: (viewport: { width: number; height: number }, options?: BrowserContextOptions) => Promise<Page>;
}

interface WorkerFixtures {
  server: PlenumServer;
}

const PER_WORKER = { scope: 'worker', timeout: 120_000 } as const;

/** An installation for as long as it is used. */
async function serve(use: (server: PlenumServer) => Promise<void>): Promise<void> {
  const server = await PlenumServer.start();
  await use(server);
  await server.stop();
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => serve(use),
    PER_WORKER,
  ],
  openAs: async ({ browser, server }, use) => {
    const problems: string[] = [];
    await use(async (viewport, options) => {
      const context = await browser.newContext({
        viewport,
        baseURL: server.url,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      });
      context.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) {
          problems.push(message.text());
        }
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      return page;
    });
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(problems, 'no screen threw an error or went against its policy').toEqual([]);
  },
});

/**
 * On an installation that only tests like this one work on, for those that make it sick, or compare all that is stored:
 * a countdown or a meeting that an earlier test has left running would go on meanwhile.
 */
export const testOnOwnServer = test.extend<object, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => serve(use),
    PER_WORKER,
  ],
});

/** What is half faded in or out has a contrast that nobody sees for longer than a moment. */
async function untilNothingFades(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** No label of a button, a link like one, or a field is wider than its place: what does not fit is cut off unseen. */
export async function expectNoLabelCutOff(page: Page, screen: string): Promise<void> {
  const cut = await page.evaluate(() => {
    const labels = document.querySelectorAll<HTMLElement>(
      'button, .mantine-Button-label, label, legend, .mantine-SegmentedControl-innerLabel, [role="tab"]',
    );
    return [...labels]
      .filter((label) => {
        const { overflowX, display } = getComputedStyle(label);
        // What is there for screen readers alone is a few pixels wide.
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

/** {@link expectAccessible} in light colours, and in dark ones what depends on colours. Leaves the page in light ones. */
export async function expectAccessibleLightAndDark(page: Page, screen: string): Promise<void> {
  await expectAccessible(page, `${screen}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${screen}, dark`, 'colors');
  await page.emulateMedia({ colorScheme: 'light' });
}

/** No violation of WCAG 2.2 A and AA that a machine can find; of the colours alone, where the rest was looked at. */
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

export { expect };
