import AxeBuilder from '@axe-core/playwright';
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
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

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const server = await PlenumServer.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
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
      const page = await context.newPage();
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      return page;
    });
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(problems, 'no screen threw an error').toEqual([]);
  },
});

/** No violation of WCAG 2.2 A and AA that a machine can find. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target }) => target),
  }));
  expect(found, `axe on ${screen}`).toEqual([]);
}

export { expect };
