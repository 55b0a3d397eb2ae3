import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { PlenumServer } from './plenum-server';

export const DESKTOP = { width: 1440, height: 900 };
export const PRESENTATION = { width: 1920, height: 1080 };
export const PHONE = { width: 390, height: 844 };

interface Fixtures {
  /** Opens a separate browser, which shares no storage. */
  openAs: (viewport: { width: number; height: number }, options?: BrowserContextOptions) => Promise<Page>;
}

interface WorkerFixtures {
  server: PlenumServer;
}

const PER_WORKER = { scope: 'worker', timeout: 120_000 } as const;

/** Provides an installation while it is used. */
async function serve(use: (server: PlenumServer) => Promise<void>): Promise<void> {
  const server = await PlenumServer.start();
  await use(server);
  await server.stop();
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
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
 * Uses a separate installation, for tests that damage it or compare all stored data. A countdown or a running meeting
 * of an earlier test would change the data meanwhile.
 */
export const testOnOwnServer = test.extend<object, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use) => serve(use),
    PER_WORKER,
  ],
});

export { expect };
