import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

const PROGRAM = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));

/** Debian's Firefox, over WebDriver BiDi. Null where there is none. */
export async function startFirefox() {
  if (!PROGRAM) {
    return null;
  }
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: PROGRAM,
    headless: true,
    protocol: 'webDriverBiDi',
  });
  return {
    name: 'Firefox',
    version: (await browser.version()).replace(/^\w+\//, ''),
    /** A browser of somebody's own: no storage is shared with anybody. */
    open: async ({ width, height }) => {
      const context = await browser.createBrowserContext();
      // In a window of its own: a page behind another one draws nothing.
      const page = await context.newPage({ type: 'window' });
      await page.setViewport({ width, height });
      return {
        goto: (url) => page.goto(url, { waitUntil: 'domcontentloaded' }),
        evaluate: (expression) => page.evaluate(expression),
        clickAt: ({ x, y }) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        picture: (path) => page.screenshot({ path }),
        close: () => context.close(),
      };
    },
    stop: () => browser.close(),
  };
}
