import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// In the order of scripts/install-browser.sh. Without any of them, Playwright's own download is used.
const browser = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

// A fixture (e2e/support/test.ts) starts the server: each worker has its own, on a separate port.
export default defineConfig({
  testDir: 'e2e',
  // Each worker has its own server, and most of a test is waiting.
  workers: 3,
  timeout: 180_000,
  // A test that passes only the second time is listed as flaky. That is a bug of the test or of the product: find it. A
  // retry does not delay the other hundred tests.
  retries: 1,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    // Only for a second attempt: recording every test takes a third of their time.
    trace: { mode: 'on-first-retry', screenshots: false },
    locale: 'en-GB',
    actionTimeout: 15_000,
    // Requests through the service worker would pass by the disturbances of the tests. offline-reload.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      // As on a computer with a mouse: Playwright hides scrollbars, and with them the content that they would cover.
      ignoreDefaultArgs: ['--hide-scrollbars'],
      ...(browser ? { executablePath: browser } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page of a test is too short-lived to gain from optimized code. Compiling it costs up to a tenth of the
        // browser tests' processor time.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
  },
});
