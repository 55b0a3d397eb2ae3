import type { Page } from '@playwright/test';
import { fingerprintOf } from './support/database';
import { openTests, resultOf, runTest, untilAtRest } from './support/diagnostics';
import { asSuperAdmin, type Caller, foundOrganization } from './support/organization';
import type { PlenumServer } from './support/plenum-server';
import { DESKTOP, expect, testOnOwnServer as test } from './support/test';

const ADMIN_FIGURES = ['/api/clients/stats', '/api/sessions/stats'];
const CLIENT_FIGURES = ['/api/client/end-users/stats', '/api/client/meetings/stats'];

test('a test that is stopped tidies up after itself', async ({ server, openAs }) => {
  const { caller } = await organizationWithData(server, 'Stopped');
  const before = await fingerprintOf(server);
  const page = await openAs(DESKTOP, caller.browser);
  await openTests(page, 'client');

  await test.step('while its voters are being made', async () => {
    await startUntil(page, 'Load Testing', /\/client\/end-users$/);
    await stop(page);
    await expectStopped(page, 'Load Testing');
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
  });

  await test.step('while they vote', async () => {
    await startUntil(page, 'Live Simulation', /\/vote$/);
    await stop(page);
    await expectStopped(page, 'Live Simulation');
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
  });

  await test.step('together with all that would have come behind it', async () => {
    await page.getByRole('button', { name: 'Clear' }).click();
    await Promise.all([
      page.waitForRequest(/\/test\/schema$/),
      page.getByRole('button', { name: 'Run All Tests' }).click(),
    ]);
    await stop(page);
    await untilAtRest(page);
    await expect(page.getByRole('heading', { name: 'Verify State', exact: true })).toHaveCount(0);
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
  });
});

for (const { portal, simulation, tests, other } of [
  { portal: 'admin', simulation: 'Live Meeting Simulation', tests: 'Tests', other: 'Clients' },
  { portal: 'client', simulation: 'Live Simulation', tests: 'System Tests', other: 'Meetings' },
] as const) {
  test(`a test of the ${portal} portal that is left in the middle is stopped and tidied up`, async ({
    server,
    openAs,
  }) => {
    const organization = await organizationWithData(server, `Left ${portal}`);
    const caller = portal === 'admin' ? await asSuperAdmin(server.url) : organization.caller;
    const before = await fingerprintOf(server);
    const page = await openAs(DESKTOP, caller.browser);
    await openTests(page, portal);
    await startUntil(page, simulation, /\/vote$/);

    await page.getByRole('link', { name: other, exact: true }).click();
    await expect(page.getByRole('heading', { name: `All ${other}` })).toBeVisible();
    await page.getByRole('link', { name: tests, exact: true }).click();
    await expectStopped(page, simulation);
    await expectNoTestData(page);
    await expect(brokenOff(page)).toHaveCount(0);
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
  });
}

test('what a tab left behind that was reloaded can be cleaned up, in the client portal', async ({
  server,
  openAs,
}) => {
  const { caller } = await organizationWithData(server, 'Reloaded');
  const root = await asSuperAdmin(server.url);
  const before = await fingerprintOf(server);
  const allFigures = async () => [
    ...(await figuresOf(caller, CLIENT_FIGURES)),
    ...(await figuresOf(root, ADMIN_FIGURES)),
  ];
  const figures = await allFigures();
  const page = await openAs(DESKTOP, caller.browser);
  await openTests(page, 'client');
  await startUntil(page, 'Live Simulation', /\/vote$/);

  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked, 'the browser asks before it breaks a run off').toEqual(['beforeunload']);

  await expect(brokenOff(page)).toContainText(
    '6 test records are still there. Statistics do not count test data.',
  );
  await expectLeftovers(page, /1 meeting and 5 end users are left: TEST_meeting_/);
  expect(await allFigures(), 'test data count in no figure').toEqual(figures);
  const voters = await exportedVoters(page);
  expect(voters).toContain('Anna Berg');
  expect(voters, 'test data are in no file').not.toContain('TEST_');
  await cleanUp(page, 'Delete 1 meeting and 5 end users?');
  expect(await fingerprintOf(server), 'all other data are as before').toEqual(before);
});

test('what a tab left behind that was closed can be cleaned up, in the admin portal', async ({
  server,
  openAs,
}) => {
  await organizationWithData(server, 'Closed');
  const root = await asSuperAdmin(server.url);
  const before = await fingerprintOf(server);
  const figures = await figuresOf(root, ADMIN_FIGURES);
  const closed = await openAs(DESKTOP, root.browser);
  await openTests(closed, 'admin');
  await startUntil(closed, 'Live Meeting Simulation', /\/vote$/);
  await closed.context().close();

  const page = await openAs(DESKTOP, root.browser);
  await openTests(page, 'admin');
  await expect(brokenOff(page)).toContainText(
    '1 test record is still there. Statistics do not count test data.',
  );
  await expectLeftovers(page, /1 client is left: TEST_CLIENT_/);
  expect(await figuresOf(root, ADMIN_FIGURES), 'test data count in no figure').toEqual(figures);
  await cleanUp(page, 'Delete 1 client?');
  expect(await fingerprintOf(server), 'all other data are as before').toEqual(before);
});

/** Data of a real client, which the tests must not change. */
async function organizationWithData(server: PlenumServer, label: string) {
  const organization = await foundOrganization(server.url, label);
  const { caller } = organization;
  await caller.post('/api/client/end-users', {
    name: 'Anna Berg',
    username: 'anna',
    password: 'a long password',
  });
  await caller.post('/api/client/meetings', {
    title: 'General assembly',
    status: 'SCHEDULED',
    scheduledStartTime: new Date().toISOString(),
    scheduledEndTime: new Date(Date.now() + 3_600_000).toISOString(),
  });
  return organization;
}

/** Starts a test, and waits until it sends a request to `address`. */
async function startUntil(page: Page, name: string, address: RegExp): Promise<void> {
  await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && address.test(request.url()), {
      timeout: 60_000,
    }),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
}

async function stop(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Running test' })
    .getByRole('button', { name: 'Stop', exact: true })
    .click();
}

async function expectStopped(page: Page, name: string): Promise<void> {
  await untilAtRest(page);
  const { status, message } = await resultOf(page, name);
  expect(message).toContain('Stopped before it was finished.');
  expect(status).toBe('Warning');
}

function brokenOff(page: Page) {
  return page.getByRole('status').filter({ hasText: 'A test run was interrupted or is running elsewhere' });
}

async function expectLeftovers(page: Page, words: RegExp): Promise<void> {
  const { status, message } = await runTest(page, 'Verify State');
  expect(status, message).toBe('Warning');
  expect(message).toMatch(words);
  expect(message).toContain('Run Cleanup Data to delete data whose name begins with TEST_.');
}

/** Cleans up from the notice, which then disappears. */
async function cleanUp(page: Page, question: string): Promise<void> {
  await brokenOff(page).getByRole('button', { name: 'Run Cleanup Data' }).click();
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: 'Delete test data' }).click();
  await untilAtRest(page);
  const { status, message } = await resultOf(page, 'Cleanup Data');
  expect(status, message).toBe('Success');
  expect(message).toContain('No test data is left.');
  await expectNoTestData(page);
  await expect(brokenOff(page)).toHaveCount(0);
}

async function expectNoTestData(page: Page): Promise<void> {
  const { status, message } = await runTest(page, 'Verify State');
  expect(status, message).toBe('Success');
  expect(message).toContain('No test data found');
}

/** The data of the cards of a portal. */
function figuresOf(caller: Caller, paths: string[]): Promise<Record<string, unknown>[]> {
  return Promise.all(paths.map((path) => caller.get(path)));
}

/** The export of all voters, requested with the page's token. */
async function exportedVoters(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const answer = await page.request.get('/api/client/end-users/export?format=csv', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.ok(), `the export: ${answer.status()}`).toBe(true);
  return answer.text();
}
