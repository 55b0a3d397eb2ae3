import { type BrowserContext, type Page, request } from '@playwright/test';
import { countCalls, loseCall } from './support/failures';
import { signInAsOrganizer } from './support/organizer';
import { superAdmin } from './support/plenum-server';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { signInAsVoter } from './support/voter';

const ENDED = /^Your session has ended\./;
const OTHER_TAB = /^You were signed out in another tab\./;

function organization(serverUrl: string, name: string): Promise<Setting> {
  return arrange(serverUrl, { name, voters: 2, questions: [] });
}

async function signInAsRoot(page: Page): Promise<void> {
  await page.goto('/admin/login');
  await fillAccount(page, superAdmin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/admin$/);
}

async function fillAccount(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email Address').fill(person.email);
  await page.getByLabel(/^Password/).fill(person.password);
}

/** Simulates fifteen minutes: the token is expired by its claims, so it is renewed before its use. */
function ageToken(page: Page): Promise<void> {
  return page.evaluate(() => {
    const [head, payload = '', signature] = (localStorage.getItem('accessToken') ?? '').split('.');
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const aged = { ...claims, iat: claims.iat - 3_600, exp: claims.exp - 3_600 };
    localStorage.setItem('accessToken', [head, btoa(JSON.stringify(aged)), signature].join('.'));
  });
}

/** Ends the session elsewhere, without notice to any page here. */
async function endSession(page: Page, serverUrl: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const api = await request.newContext({ baseURL: serverUrl });
  const answer = await api.post('/api/auth/logout', { headers: { Authorization: `Bearer ${token}` } });
  expect(answer.ok()).toBe(true);
  await api.dispose();
}

/** The change that the super admin makes meanwhile. */
async function changeClient(serverUrl: string, { clientCode }: Setting, change: object): Promise<void> {
  const api = await request.newContext({ baseURL: serverUrl });
  const { token } = await (await api.post('/api/auth/login', { data: superAdmin })).json();
  const headers = { Authorization: `Bearer ${token}` };
  const { data } = await (await api.get(`/api/clients?search=${clientCode}`, { headers })).json();
  const answer = await api.put(`/api/clients/${data[0].id}`, { headers, data: change });
  expect(answer.ok()).toBe(true);
  await api.dispose();
}

const newTab = (page: Page): Promise<Page> => (page.context() as BrowserContext).newPage();

test('two tabs share a session, out and in, and come back to where they were', async ({ openAs, server }) => {
  const { organizer } = await organization(server.url, 'Two Tabs');
  const one = await openAs(DESKTOP);
  await signInAsOrganizer(one, organizer);
  const other = await newTab(one);
  await other.goto('/client/end-users?search=voter&status=active');
  await expect(other.getByRole('row', { name: /Voter 2/ })).toBeVisible();

  await one.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(one).toHaveURL(/\/client\/login$/);
  await expect(other).toHaveURL(/\/client\/login$/);
  await expect(other.getByText(OTHER_TAB)).toBeVisible();

  await signInAsOrganizer(one, organizer);
  await expect(other).toHaveURL(/\/client\/end-users\?search=voter&status=active$/);
  await expect(other.getByRole('row', { name: /Voter 2/ })).toBeVisible();
});

test('each part leads to its own sign-in', async ({ openAs, server }) => {
  const setting = await organization(server.url, 'Right Door');
  const root = await openAs(DESKTOP);
  await signInAsRoot(root);
  const rootsOther = await newTab(root);
  await rootsOther.goto('/admin/clients?search=Right');
  await expect(rootsOther.getByRole('row', { name: /Right Door/ })).toBeVisible();
  await root.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(rootsOther).toHaveURL(/\/admin\/login$/);
  await fillAccount(rootsOther, superAdmin);
  await rootsOther.getByRole('button', { name: 'Sign in' }).click();
  await expect(rootsOther).toHaveURL(/\/admin\/clients\?search=Right$/);

  const voter = await openAs(PHONE);
  await voter.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(voter, 'voter1', setting.voters[0]?.password ?? '');
  await expect(voter.getByRole('link', { name: 'Join Meeting' })).toBeVisible();
  const votersOther = await newTab(voter);
  await votersOther.goto(`/voting/meeting/${setting.meetingId}`);
  await expect(votersOther.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
  await voter.getByRole('button', { name: 'Logout' }).click();
  await expect(votersOther).toHaveURL(/\/participant$/);
  await expect(votersOther.getByLabel('Organization Code')).toHaveValue(setting.clientCode);
  await votersOther.getByRole('button', { name: 'Continue' }).click();
  await signInAsVoter(votersOther, 'voter1', setting.voters[0]?.password ?? '');
  await expect(votersOther).toHaveURL(new RegExp(`/voting/meeting/${setting.meetingId}$`));
});

test('nothing of one person is shown to the next one, who goes to their own home', async ({
  openAs,
  server,
}) => {
  const first = await organization(server.url, 'First Club');
  const second = await arrange(server.url, { name: 'Second Club', voters: 0, questions: [] });
  const one = await openAs(DESKTOP);
  await signInAsOrganizer(one, first.organizer);
  const other = await newTab(one);
  await other.goto('/client/end-users');
  await expect(other.getByRole('row', { name: /Voter 1/ })).toBeVisible();

  await one.getByRole('button', { name: 'Sign out' }).first().click();
  await signInAsOrganizer(one, second.organizer);
  await expect(other).toHaveURL(/\/client$/);
  await expect(other.getByText('Second Club').first()).toBeVisible();
  await other.getByRole('link', { name: 'End Users' }).first().click();
  await expect(other.getByText('No end users found')).toBeVisible();
  await expect(other.getByText('Voter 1')).toBeHidden();

  // Another role: its own home screen, for any address.
  await one.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(other).toHaveURL(/\/client\/login$/);
  await signInAsRoot(one);
  await expect(other).toHaveURL(/\/admin$/);
});

test('an old token is renewed unnoticed, also in two tabs at once', async ({ openAs, server }) => {
  const { organizer } = await organization(server.url, 'Fresh Tokens');
  const one = await openAs(DESKTOP);
  await signInAsOrganizer(one, organizer);
  await one.goto('/client/end-users');
  await expect(one.getByRole('row', { name: /Voter 1/ })).toBeVisible();
  const other = await newTab(one);
  await other.goto('/client/meetings');
  await expect(other.getByRole('row', { name: /Meeting of/ })).toBeVisible();
  const refresh = { method: 'POST', path: '/api/auth/refresh' } as const;
  const refreshes = [countCalls(one, refresh), countCalls(other, refresh)];

  await ageToken(one);
  await Promise.all([
    one.getByRole('searchbox').fill('voter2'),
    other.getByRole('searchbox').fill('nothing like this'),
  ]);
  await expect(one.getByRole('row', { name: /Voter 2/ })).toBeVisible();
  await expect(one.getByRole('row', { name: /Voter 1/ })).toBeHidden();
  await expect(other.getByText('No meetings found')).toBeVisible();
  expect(refreshes.map((count) => count()).reduce((sum, count) => sum + count)).toBe(1);
  await expect(one).toHaveURL(/end-users\?search=voter2$/);
});

test('a renewal that the network loses signs nobody out, one that is refused does', async ({
  openAs,
  server,
}) => {
  const { organizer } = await organization(server.url, 'Lost Renewal');
  const page = await openAs(DESKTOP);
  await signInAsOrganizer(page, organizer);
  await page.goto('/client/end-users?search=voter1');
  await expect(page.getByRole('row', { name: /Voter 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Create End User' }).click();
  const form = page.getByRole('dialog', { name: 'Create New End User' });
  await form.getByLabel('Full Name').fill('Ada Byron');
  await form.getByLabel('Username').fill('ada');
  await form.getByLabel(/^Password/).fill('a long password');
  await ageToken(page);
  const restore = await loseCall(page, { method: 'POST', path: '/api/auth/refresh' });
  await form.getByRole('button', { name: 'Create End User' }).click();
  await expect(form.getByRole('alert')).toHaveText(
    'Failed to create end user: the server could not be reached',
  );
  await expect(form.getByLabel('Full Name')).toHaveValue('Ada Byron');
  await restore();
  await form.getByRole('button', { name: 'Create End User' }).click();
  await expect(form).toBeHidden();

  await endSession(page, server.url);
  await page.getByRole('searchbox').fill('ada');
  await expect(page).toHaveURL(/\/client\/login$/);
  await expect(page.getByText(ENDED)).toBeVisible();
  await fillAccount(page, organizer);
  await page.getByRole('button', { name: 'Sign In to Dashboard' }).click();
  await expect(page).toHaveURL(/\/client\/end-users\?search=ada$/);
  await expect(page.getByRole('row', { name: /Ada Byron/ })).toBeVisible();
});

test('a form that is half filled in outlives the session', async ({ openAs, server }) => {
  const { organizer } = await organization(server.url, 'Half Filled');
  const page = await openAs(DESKTOP);
  await signInAsOrganizer(page, organizer);
  await page.goto('/client/meetings');
  await page.getByRole('button', { name: 'Create Meeting' }).click();
  const form = page.getByRole('dialog', { name: 'Create New Meeting' });
  await form.getByLabel('Meeting Title').fill('Spring assembly');
  await form.getByLabel('Start Time').fill('2031-03-01T18:00');
  await form.getByLabel('End Time').fill('2031-03-01T20:00');
  await endSession(page, server.url);
  await form.getByRole('button', { name: 'Create Meeting' }).click();

  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(again.getByText(organizer.email)).toBeVisible();
  await expect(again.getByLabel(/^Password/)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(again).toBeVisible();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(again.getByRole('alert')).toBeVisible();
  await again.getByLabel(/^Password/).fill(organizer.password);
  await page.keyboard.press('Enter');
  await expect(again).toBeHidden();
  await expect(form.getByRole('alert')).toHaveText(
    'Nothing was saved, because your session had ended. Please try again.',
  );
  await expect(form.getByLabel('Meeting Title')).toHaveValue('Spring assembly');
  await form.getByRole('button', { name: 'Create Meeting' }).click();
  await expect(page.getByText('Meeting created successfully')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Meetings' }).click();
  await expect(page.getByRole('row', { name: /Spring assembly/ })).toBeVisible();
});

test('a sign-out in another tab keeps a half filled form for its person, and for nobody else', async ({
  openAs,
  server,
}) => {
  const { organizer } = await organization(server.url, 'Kept Form');
  const stranger = await organization(server.url, 'Strange Form');
  const one = await openAs(DESKTOP);
  await signInAsOrganizer(one, organizer);
  const other = await newTab(one);
  await other.goto('/client/end-users');
  await other.getByRole('button', { name: 'Create End User' }).click();
  const form = other.getByRole('dialog', { name: 'Create New End User' });
  await form.getByLabel('Full Name').fill('Ada Byron');
  const again = other.getByRole('dialog', { name: 'You were signed out in another tab' });

  await one.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(again).toBeVisible();
  await signInAsOrganizer(one, organizer);
  await expect(again).toBeHidden();
  await expect(form.getByLabel('Full Name')).toHaveValue('Ada Byron');

  await one.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(again).toBeVisible();
  await signInAsOrganizer(one, stranger.organizer);
  await expect(other.getByText('Another account signed in in another tab.')).toBeVisible();
  await expect(form).toBeHidden();
  await expect(other.getByText('Strange Form').first()).toBeVisible();
});

test('leaving the form opens the sign-in page', async ({ openAs, server }) => {
  const { organizer } = await organization(server.url, 'Left Form');
  const page = await openAs(DESKTOP);
  await signInAsOrganizer(page, organizer);
  await page.goto('/client/end-users');
  await page.getByRole('button', { name: 'Create End User' }).click();
  const form = page.getByRole('dialog', { name: 'Create New End User' });
  await form.getByLabel('Full Name').fill('Ada Byron');
  await form.getByLabel('Username').fill('ada');
  await form.getByLabel(/^Password/).fill('a long password');
  await endSession(page, server.url);
  await form.getByRole('button', { name: 'Create End User' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/client\/login$/);
  await expect(page.getByRole('dialog')).toBeHidden();
});

for (const [what, change, isWelcome] of [
  ['a new password', { password: 'another long password' }, true],
  ['a suspended client', { status: 'SUSPENDED' }, false],
] as const) {
  test(`${what} ends the session, and the sign-in says so`, async ({ openAs, server }) => {
    const setting = await organization(server.url, what);
    const page = await openAs(DESKTOP);
    await signInAsOrganizer(page, setting.organizer);
    await page.goto('/client/meetings?status=DRAFT');
    await expect(page.getByText('No meetings found')).toBeVisible();
    await changeClient(server.url, setting, change);
    await page.getByRole('link', { name: 'End Users' }).first().click();
    await expect(page).toHaveURL(/\/client\/login$/);
    await expect(page.getByText(ENDED)).toBeVisible();

    await fillAccount(page, { ...setting.organizer, ...change });
    await page.getByRole('button', { name: 'Sign In to Dashboard' }).click();
    await (isWelcome
      ? expect(page).toHaveURL(/\/client\/end-users$/)
      : expect(page.getByRole('alert')).toBeVisible());
  });
}

test('a page that opens with a session that is over asks to sign in, and leads back', async ({
  openAs,
  server,
}) => {
  const { organizer } = await organization(server.url, 'Cold Start');
  const page = await openAs(DESKTOP);
  await signInAsOrganizer(page, organizer);
  // No part of the app runs on this page, so only the next page learns of the end.
  await page.goto('/favicon.svg');
  await endSession(page, server.url);
  await page.goto('/client/end-users?search=voter1&page=1');
  await expect(page).toHaveURL(/\/client\/login$/);
  await expect(page.getByText(ENDED)).toBeVisible();
  await fillAccount(page, organizer);
  await page.getByRole('button', { name: 'Sign In to Dashboard' }).click();
  await expect(page).toHaveURL(/\/client\/end-users\?search=voter1&page=1$/);
});
