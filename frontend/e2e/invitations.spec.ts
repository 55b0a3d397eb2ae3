import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { foundOrganization, type Organization } from './support/organization';
import { PlenumServer } from './support/plenum-server';
import { expectNothingCutOff, expectToast, WIDTHS } from './support/screens';
import { FakeMailServer } from './support/smtp';
import { DESKTOP, expect, test } from './support/test';

const PEOPLE = [
  { name: 'Ada Byron', username: 'ada', email: 'ada@voters.test' },
  { name: 'Bo Nilsen', username: 'bo', email: 'bo@voters.test' },
  { name: 'Cleo Marsh', username: 'cleo' },
];

async function planMeeting({ caller }: Organization, status = 'SCHEDULED'): Promise<string> {
  for (const person of PEOPLE) {
    await caller.post('/api/client/end-users', { ...person, password: 'a long password' });
  }
  const meeting = await caller.post('/api/client/meetings', {
    title: 'Annual General Meeting',
    scheduledStartTime: new Date(Date.now() + 3_600_000).toISOString(),
    scheduledEndTime: new Date(Date.now() + 7_200_000).toISOString(),
    status,
  });
  return meeting.id as string;
}

async function openInvitations(page: Page, meetingId: string) {
  await page.goto(`/client/meetings/${meetingId}/control`);
  await page.getByRole('button', { name: 'Send Invitations' }).click();
  const panel = page.getByRole('dialog', { name: 'Send Invitations' });
  await expect(panel.getByRole('heading', { name: 'Send by email' })).toBeVisible();
  return panel;
}

/** The personal link in the last mail to this address. */
function personalLinkIn(mail: FakeMailServer, address: string): string {
  const content = mail.textTo(address);
  return /https?:\/\/\S+\/join#\S+/.exec(content)?.[0] ?? `no link in ${content}`;
}

test.describe('without a mail server', () => {
  for (const { width, viewport } of WIDTHS) {
    test(`a text, a link and a code are passed on, on ${width}`, async ({ openAs, server }) => {
      const organization = await foundOrganization(server.url, 'Invite');
      const meetingId = await planMeeting(organization, 'DRAFT');
      const page = await openAs(viewport, organization.caller.browser);
      const panel = await openInvitations(page, meetingId);
      await expect(panel.getByText('This meeting is a draft: voters cannot open it yet.')).toBeVisible();
      await expect(panel.getByText(/sets PLENUM_SMTP_URL/)).toBeVisible();
      await expect(panel.getByRole('button', { name: /^Send/ })).toHaveCount(0);

      await panel.getByRole('button', { name: 'Copy Link' }).click();
      await expectToast(page, 'Meeting invitation link copied to clipboard');
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toMatch(new RegExp(`^${server.url}/vote/`));
      await expect(panel.getByRole('img', { name: `QR code of ${link}` })).toBeVisible();
      await panel.getByRole('button', { name: 'Copy Text' }).click();
      await expectToast(page, 'Invitation text copied to clipboard');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(link);

      await expectNothingCutOff(page);
      await expectAccessibleInBothSchemes(page, `Send Invitations on ${width}`);

      // It opens the sign-in of the organization.
      const voter = await openAs(viewport);
      await voter.goto(link);
      await expect(voter).toHaveURL(new RegExp(`/participant/login/${organization.code}$`));
    });
  }
});

test.describe('with a mail server', () => {
  let mail: FakeMailServer;
  let server: PlenumServer;

  test.beforeAll(async () => {
    mail = await FakeMailServer.start();
    server = await PlenumServer.start({
      PLENUM_SMTP_URL: mail.url,
      PLENUM_MAIL_FROM: 'Plenum <no-reply@plenum.test>',
    });
  });

  test.afterAll(async () => {
    await server.stop();
    mail.stop();
  });

  test('everybody with an address gets one mail, and a second one only by name', async ({ openAs }) => {
    mail.refused.add('bo@voters.test');
    const organization = await foundOrganization(server.url, 'Mail');
    const meetingId = await planMeeting(organization);
    const page = await openAs(DESKTOP, { ...organization.caller.browser, baseURL: server.url });
    const panel = await openInvitations(page, meetingId);
    const entry = (name: string) => panel.getByRole('listitem').filter({ hasText: name });
    await expect(entry('Cleo Marsh')).toContainText('No address');

    await panel.getByRole('button', { name: 'Send to 2 people' }).click();
    const question = page.getByRole('dialog', { name: 'Send to 2 people?' });
    await question.getByRole('button', { name: 'Send to 2 people' }).dblclick();
    await expect(entry('Ada Byron')).toContainText('Sent');
    await expect(entry('Bo Nilsen')).toContainText('Failed');
    await expect(entry('Bo Nilsen')).toContainText('no such mailbox');
    expect(mail.mailsTo('ada@voters.test')).toHaveLength(1);
    await expectAccessibleInBothSchemes(page, 'Send Invitations with results');

    // Only the refused message is sent again.
    mail.refused.clear();
    await panel.getByRole('button', { name: 'Send to 1 person' }).click();
    await page
      .getByRole('dialog', { name: 'Send to 1 person?' })
      .getByRole('button', { name: 'Send to 1 person' })
      .click();
    await expect(entry('Bo Nilsen')).toContainText('Sent');
    await expect(panel.getByRole('button', { name: 'No one left to invite' })).toBeDisabled();
    expect(mail.mailsTo('ada@voters.test')).toHaveLength(1);
    expect(mail.mailsTo('bo@voters.test')).toHaveLength(1);

    await panel.getByRole('button', { name: 'Send again to Ada Byron' }).click();
    await page
      .getByRole('dialog', { name: /another invitation/ })
      .getByRole('button', { name: 'Send Again' })
      .click();
    await expect.poll(() => mail.mailsTo('ada@voters.test').length).toBe(2);
    expect(mail.mailsTo('bo@voters.test')).toHaveLength(1);
  });

  for (const { width, viewport } of WIDTHS) {
    test(`a personal link in a mail signs its recipient in, on ${width}`, async ({ openAs }) => {
      const organization = await foundOrganization(server.url, 'Linked');
      const meetingId = await planMeeting(organization);
      const page = await openAs(viewport, { ...organization.caller.browser, baseURL: server.url });
      const panel = await openInvitations(page, meetingId);
      const before = mail.mailsTo('ada@voters.test').length;
      await panel.getByRole('button', { name: 'Send to 2 people' }).click();
      const question = page.getByRole('dialog', { name: 'Send to 2 people?' });
      await question.getByRole('checkbox', { name: 'With a personal link' }).check();
      await expectNothingCutOff(page);
      await expectAccessibleInBothSchemes(page, `Send invitations with personal links on ${width}`);
      await question.getByRole('button', { name: 'Send to 2 people' }).click();
      await expectToast(page, '2 invitations on the way');
      await expect.poll(() => mail.mailsTo('ada@voters.test').length).toBe(before + 1);
      const voter = await openAs(viewport);
      await voter.goto(personalLinkIn(mail, 'ada@voters.test'));
      await expect(voter.getByRole('heading', { name: 'You are Ada Byron?' })).toBeVisible();
      await voter.getByRole('button', { name: "Yes, that's me" }).click();
      await expect(voter).toHaveURL(new RegExp(`/voting/meeting/${meetingId}$`));
    });
  }
});
