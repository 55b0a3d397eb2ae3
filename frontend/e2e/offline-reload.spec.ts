import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { NEXT_BUILD, NextBuildProxy } from './support/next-build-proxy';
import { signInThroughApi } from './support/organization';
import { arrange } from './support/setting';
import { test as base, expect, PHONE } from './support/test';
import { choose, expectChosen, joinMeeting, signInAsVoter, vote } from './support/voter';

const QUESTION = { questionText: 'Shall we build?', questionType: 'YES_NO', options: ['Yes', 'No'] };

const test = base.extend<{ builds: NextBuildProxy }>({
  builds: async ({ server }, use) => {
    const builds = await NextBuildProxy.start(server.url);
    await use(builds);
    await builds.stop().catch(() => undefined);
  },
});

/** Waits until the worker handles the requests of the page, and has stored its files. */
async function waitForWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

const cacheNames = (page: Page) => page.evaluate(async () => (await caches.keys()).sort());

const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(stores.map((store) => store.keys()));
    return requests.flat().map(({ url }) => url.slice(window.location.origin.length));
  });

test('a voter who reloads without a network sees the app and the choice, and votes when it is back', async ({
  openAs,
  builds,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Reload Club', voters: 1, questions: [QUESTION] });
  const organizer = await signInThroughApi(server.url, setting.organizer);
  const voter = setting.voters[0];
  const phone = await openAs(PHONE, { baseURL: builds.url, serviceWorkers: 'allow' });
  await phone.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(phone, voter?.username ?? '', voter?.password ?? '');
  await joinMeeting(phone, setting.meetingTitle);
  await organizer.put(`/api/client/meetings/${setting.meetingId}/current-question`, {
    questionId: setting.questionIds[0],
  });
  await choose(phone, { choice: 'Yes' });
  await waitForWorker(phone);

  const restore = await builds.cut();
  await phone.context().setOffline(true);
  await phone.reload();
  await expect(phone.getByText('You are offline', { exact: true })).toBeVisible();
  await expect(phone.getByRole('heading', { name: 'Your choice is kept on this device' })).toBeVisible();
  await expect(phone.getByText(QUESTION.questionText)).toBeVisible();
  await expectAccessibleInBothSchemes(phone, 'the app without a network');

  await restore();
  await phone.context().setOffline(false);
  await expectChosen(phone, { choice: 'Yes' });
  await vote(phone, { choice: 'Yes' });
  for (const path of await keptPaths(phone)) {
    expect(path, 'only the page and files of the build are kept').toMatch(/^\/$|^\/assets\/[^?]+$/);
  }
});

test('a new build takes over at once, and a server without a worker ends it', async ({ openAs, builds }) => {
  const page = await openAs(PHONE, { baseURL: builds.url, serviceWorkers: 'allow' });
  await page.goto('/participant');
  await waitForWorker(page);
  const today = await cacheNames(page);
  expect(today).toHaveLength(1);

  builds.serve('next');
  await page.reload();
  await expect(page.locator('meta[name="build"]')).toHaveAttribute('content', NEXT_BUILD);
  await expect.poll(() => cacheNames(page)).not.toEqual(today);
  await expect.poll(() => cacheNames(page)).toHaveLength(1);
  const restore = await builds.cut();
  await page.reload();
  await expect(page.getByLabel('Organization Code')).toBeVisible();
  await expect(page.locator('meta[name="build"]')).toHaveAttribute('content', NEXT_BUILD);

  await restore();
  builds.serve('withoutWorker');
  await expect
    .poll(async () => {
      await page.reload();
      return cacheNames(page);
    })
    .toEqual([]);
});
