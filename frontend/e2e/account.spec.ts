import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInAsOrganizer } from './support/organizer';
import { PlenumServer } from './support/plenum-server';
import { expectNothingCutOff, expectToast, WIDTHS } from './support/screens';
import { arrange } from './support/setting';
import { FakeMailServer } from './support/smtp';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { joinMeeting, signInAsVoter } from './support/voter';

const ENDED = /^Your session has ended\./;
const NEW = 'battery staple';

test('a voter changes the password, and the other device is signed out at once', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'New Password', voters: 1, questions: [] });
  const { username, password } = setting.voters[0] as { username: string; password: string };
  const [phone, tablet] = [await openAs(PHONE), await openAs(DESKTOP)];
  for (const page of [phone, tablet]) {
    await page.goto(`/participant/login/${setting.clientCode}`);
    await signInAsVoter(page, username, password);
    await expect(page.getByRole('heading', { name: 'Your Meetings' })).toBeVisible();
  }
  await joinMeeting(tablet, setting.meetingTitle);

  await phone.getByRole('link', { name: 'Account' }).click();
  await expect(phone.getByRole('heading', { name: 'Your Account' })).toBeVisible();
  await expect(phone.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')).toHaveCount(2);
  await expectNothingCutOff(phone);
  await expectAccessibleInBothSchemes(phone, 'the voter’s account');

  await phone.getByLabel('Current password').fill('another horse');
  await phone.getByLabel('New password', { exact: true }).fill(NEW);
  await phone.getByLabel('New password again').fill(NEW);
  await phone.getByRole('button', { name: 'Change password' }).click();
  await expect(phone.getByText('This is not your current password')).toBeVisible();
  await phone.getByLabel('Current password').fill(password);
  await phone.getByRole('button', { name: 'Change password' }).click();
  await expectToast(phone, 'Password changed. You are signed out on all other devices.');
  await expect(phone.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')).toHaveCount(1);

  await expect(tablet.getByText(ENDED)).toBeVisible();
  await tablet.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(tablet, username, password);
  await expect(tablet.getByRole('alert')).toContainText('The name or the password is wrong');
  await signInAsVoter(tablet, username, NEW);
  await expect(tablet.getByRole('heading', { name: 'Your Meetings' })).toBeVisible();
});

for (const { width, viewport } of WIDTHS) {
  test(`an organizer signs out on another device, on ${width}`, async ({ openAs, server }) => {
    const setting = await arrange(server.url, { name: `Devices on ${width}`, voters: 0, questions: [] });
    const [here, elsewhere] = [await openAs(viewport), await openAs(DESKTOP)];
    await signInAsOrganizer(elsewhere, setting.organizer);
    await signInAsOrganizer(here, setting.organizer);
    if (viewport === PHONE) {
      await here.getByRole('button', { name: 'Your account' }).click();
    }
    await here.getByRole('link', { name: 'Password and devices' }).filter({ visible: true }).click();
    await expect(here).toHaveURL(/\/client\/account$/);

    const devices = here.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem');
    // The API sign-in of the test's setup is a session too.
    await expect(devices).toHaveCount(3);
    await expect(devices.filter({ hasText: 'This device' })).toContainText('Chrome on Linux');
    await expect(devices.filter({ hasText: 'Unknown device' })).toHaveCount(1);
    await expectNothingCutOff(here);
    await expectAccessibleInBothSchemes(here, `the account on ${width}`);

    await here.getByRole('button', { name: 'Sign out on Chrome on Linux' }).click();
    await expect(devices).toHaveCount(2);
    await elsewhere.goto('/client/meetings');
    await expect(elsewhere).toHaveURL(/\/client\/login$/);
    await expect(elsewhere.getByText(ENDED)).toBeVisible();

    await here.getByRole('button', { name: 'Sign out on all other devices' }).click();
    await expectToast(here, 'Signed out on 1 other device');
    await expect(devices).toHaveCount(1);
  });
}

test.describe('with a mail server', () => {
  let mail: FakeMailServer;
  let server: PlenumServer;

  test.beforeAll(async () => {
    mail = await FakeMailServer.start();
    server = await PlenumServer.start({
      PLENUM_SMTP_URL: mail.url,
      PLENUM_MAIL_FROM: 'Plenum <no-reply@plenum.test>',
      PLENUM_PUBLIC_URL: 'https://vote.plenum.test',
    });
  });

  test.afterAll(async () => {
    await server.stop();
    mail.stop();
  });

  for (const { width, viewport } of WIDTHS) {
    test(`a forgotten password is exchanged by a link, on ${width}`, async ({ openAs }) => {
      const { organizer } = await arrange(server.url, {
        name: `Forgotten on ${width}`,
        voters: 0,
        questions: [],
      });
      const page = await openAs(viewport, { baseURL: server.url });
      const elsewhere = await openAs(DESKTOP, { baseURL: server.url });
      await signInAsOrganizer(elsewhere, organizer);

      await page.goto('/client/login');
      await page.getByRole('link', { name: 'Forgotten password?' }).click();
      await expect(page.getByRole('heading', { name: 'Forgotten password' })).toBeVisible();
      await expectAccessibleInBothSchemes(page, `the forgotten password on ${width}`);
      await page.getByLabel('Email Address').fill(organizer.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
      await expectNothingCutOff(page);

      await expect.poll(() => mail.mailsTo(organizer.email).length).toBe(1);
      await page.goto(linkIn(mail.mailsTo(organizer.email)[0]?.content ?? ''));
      await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
      expect(page.url()).toBe(`${server.url}/reset-password`);
      await expectAccessibleInBothSchemes(page, `the new password on ${width}`);
      await page.getByLabel('New password', { exact: true }).fill(NEW);
      await page.getByLabel('New password again').fill(NEW);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();

      await elsewhere.goto('/client/meetings');
      await expect(elsewhere.getByText(ENDED)).toBeVisible();
      await signInAsOrganizer(page, { ...organizer, password: NEW });

      // The link works once.
      await elsewhere.goto(linkIn(mail.mailsTo(organizer.email)[0]?.content ?? ''));
      await elsewhere.getByLabel('New password', { exact: true }).fill(NEW);
      await elsewhere.getByLabel('New password again').fill(NEW);
      await elsewhere.getByRole('button', { name: 'Change password' }).click();
      await expect(elsewhere.getByRole('alert')).toHaveText('This link is too old or was used already');
    });
  }
});

test('without a mail server nobody is offered a link', async ({ openAs }) => {
  const page = await openAs(DESKTOP);
  const asked = page.waitForResponse(/\/api\/auth\/options$/);
  await page.goto('/client/login');
  expect(await (await asked).json()).toEqual({ canResetPassword: false });
  await expect(page.getByLabel('Email Address')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Forgotten password?' })).toHaveCount(0);
});

/** The path of the link in a mail, whose long lines may be wrapped. */
function linkIn(content: string): string {
  const text = content.replaceAll('=\n', '').replaceAll('=3D', '=');
  return /https:\/\/vote\.plenum\.test(\/reset-password#token=\S+)/.exec(text)?.[1] ?? 'no link';
}
