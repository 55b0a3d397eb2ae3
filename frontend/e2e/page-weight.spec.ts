import type { Page } from '@playwright/test';
import { arrange } from './support/setting';
import { expect, PHONE, test } from './support/test';
import { joinMeeting, signInAsVoter } from './support/voter';

/** The limit of compressed scripts and styles for all voters' screens: 500 phones load them at once over one Wi-Fi. */
const LIMIT_BYTES = 170_000;

interface Loaded {
  file: string;
  bytes: number;
}

/** Counts the bytes that the browser reads from the network. */
async function watchNetwork(page: Page): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  const files = new Map<string, string>();
  const heads = new Map<string, number>();
  const browser = await page.context().newCDPSession(page);
  browser.on('Network.responseReceived', ({ requestId, response }) => {
    files.set(requestId, new URL(response.url).pathname);
    // Only the header has arrived: it does not contain the size of the body.
    heads.set(requestId, response.encodedDataLength);
  });
  browser.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const bytes = encodedDataLength - (heads.get(requestId) ?? 0);
    loaded.push({ file: files.get(requestId) ?? '', bytes });
  });
  await browser.send('Network.enable');
  return loaded;
}

test('all of the voter’s screens together load little, and nothing of the portals', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Light Club', voters: 1, questions: [] });
  const voter = setting.voters[0];
  const page = await openAs(PHONE);
  const loaded = await watchNetwork(page);

  await page.goto('/participant');
  await page.getByLabel('Organization Code').fill(setting.clientCode);
  await page.keyboard.press('Enter');
  await signInAsVoter(page, voter?.username ?? '', voter?.password ?? '');
  await joinMeeting(page, setting.meetingTitle);

  const code = loaded.filter(({ file }) => /\.(js|css)$/.test(file));
  const bytes = code.reduce((sum, one) => sum + one.bytes, 0);
  const report = `${bytes} bytes: ${JSON.stringify(code)}`;
  expect(bytes, report).toBeGreaterThan(0);
  expect(bytes, report).toBeLessThanOrEqual(LIMIT_BYTES);
  expect(
    code.filter(({ file }) => /\/(portals|sign-in|presentation-view)-/.test(file)),
    'what only administrators and organizers need',
  ).toEqual([]);
});
