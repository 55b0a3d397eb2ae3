import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

const PROGRAM = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));

/** Debian's Firefox, over WebDriver BiDi. Null if it is missing. */
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
    /** A separate browser context without shared storage. */
    open: async ({ width, height }) => {
      const context = await browser.createBrowserContext();
      // In a separate window, because a hidden page draws nothing.
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
