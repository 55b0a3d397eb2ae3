import { effortBetween, secondsByHand, watchEffort } from './support/effort';
import { superAdmin } from './support/plenum-server';
import { DESKTOP, expect, PHONE, PRESENTATION, testOnOwnServer as test } from './support/test';
import { vote } from './support/voter';

const organizer = { email: 'olga@mitte.test', password: 'olga-has-a-password' };
const people = [
  { name: 'Ada Byron', username: 'ada' },
  { name: 'Bo Nilsen', username: 'bo' },
  { name: 'Cleo Marsh', username: 'cleo' },
];

test('from an empty installation to the first vote of three phones within three minutes', async ({
  openAs,
  server,
}) => {
  const root = await openAs(DESKTOP);
  const desk = await openAs(DESKTOP);
  const ofRoot = await watchEffort(root);
  const ofDesk = await watchEffort(desk);
  const startedAt = Date.now();
  let links: string[] = [];

  await test.step('the operator makes the organization', async () => {
    await root.goto('/admin/login');
    await root.getByLabel('Email Address').fill(superAdmin.email);
    await root.getByLabel(/^Password/).fill(superAdmin.password);
    await root.getByRole('button', { name: 'Sign in' }).click();
    await root.getByRole('link', { name: 'Clients', exact: true }).first().click();
    await root.getByRole('button', { name: '+ Add Client' }).click();
    const form = root.getByRole('dialog');
    await form.getByLabel('Client Name').fill('Wohnbaugenossenschaft Grüne Mitte');
    await form.getByLabel('First Name').fill('Olga');
    await form.getByLabel('Last Name').fill('Ritter');
    await form.getByLabel('Email').fill(organizer.email);
    await form.getByLabel(/^Password/).fill(organizer.password);
    await form.getByRole('button', { name: 'Create Client' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('the organizer adds three people', async () => {
    await desk.goto('/client/login');
    await desk.getByLabel('Email Address').fill(organizer.email);
    await desk.getByLabel(/^Password/).fill(organizer.password);
    await desk.getByRole('button', { name: 'Sign In to Dashboard' }).click();
    await desk.getByRole('link', { name: 'Add people' }).click();
    for (const { name, username } of people) {
      await desk.getByRole('button', { name: 'Create End User' }).click();
      const form = desk.getByRole('dialog');
      await form.getByLabel('Full Name').fill(name);
      await form.getByLabel('Username').fill(username);
      await form.getByRole('button', { name: 'Generate' }).click();
      await form.getByRole('button', { name: 'Create End User' }).click();
      await expect(form).toBeHidden();
      await expect(desk.getByRole('row', { name: new RegExp(name) })).toBeVisible();
    }
  });

  await test.step('the organizer makes a personal link for each', async () => {
    await desk.getByRole('button', { name: 'Personal links' }).click();
    const panel = desk.getByRole('dialog', { name: 'Personal links' });
    const answer = desk.waitForResponse(
      (response) => response.url().endsWith('/join-links') && response.request().method() === 'POST',
    );
    await panel.getByRole('button', { name: 'Make personal links' }).click();
    const { data } = (await (await answer).json()) as { data: { token: string }[] };
    links = data.map(({ token }) => `${server.url}/join#${token}`);
    await expect(panel.getByText('3 personal links made')).toBeVisible();
    // The panel would ask before it closes over links that nobody has kept.
    await panel.getByRole('button', { name: 'Download CSV' }).click();
    await desk.keyboard.press('Escape');
  });

  const before = ofDesk();
  await test.step('the organizer opens a vote, and its presentation', async () => {
    await desk.getByRole('link', { name: 'Dashboard', exact: true }).first().click();
    await desk.getByRole('link', { name: 'Quick Vote' }).click();
    const form = desk.getByRole('dialog', { name: 'Quick Vote' });
    await form.getByRole('textbox', { name: 'Question' }).fill('Shall we take a break?');
    await form.getByRole('button', { name: 'Open Voting' }).click();
    await expect(desk.getByRole('button', { name: 'End Question' })).toBeVisible();
    const opened = desk.context().waitForEvent('page');
    await desk.getByRole('button', { name: 'Open Presentation' }).click();
    const presentation = await opened;
    await presentation.setViewportSize(PRESENTATION);
    await expect(
      presentation.getByRole('heading', { name: 'Shall we take a break?', level: 2 }),
    ).toBeVisible();
    await expect(presentation.getByRole('img', { name: /QR/ })).toBeVisible();
  });
  const forTheVote = effortBetween(before, ofDesk());
  expect(forTheVote.clicks, 'clicks to an open vote').toBeLessThanOrEqual(4);
  expect(forTheVote.fields, 'fields to an open vote').toBeLessThanOrEqual(2);

  await test.step('three phones scan their links and vote', async () => {
    for (const link of links) {
      const phone = await openAs(PHONE);
      const ofPhone = await watchEffort(phone);
      await phone.goto(link);
      await phone.getByRole('button', { name: "Yes, that's me" }).click();
      // A link of the organization leads to its meetings.
      await phone.getByRole('link', { name: 'Join Meeting' }).click();
      await expect(phone.getByRole('radiogroup')).toBeVisible();
      const toBallot = ofPhone();
      expect(toBallot.clicks, 'taps from the scan to the ballot').toBeLessThanOrEqual(2);
      expect(toBallot.fields, 'nothing was typed').toBe(0);
      await vote(phone, { choice: 'Yes' });
    }
    await expect(desk.getByText('3 of 3').first()).toBeVisible();
  });

  const byHand = secondsByHand(ofRoot()) + secondsByHand(ofDesk());
  expect(byHand, 'seconds of a practised person').toBeLessThanOrEqual(180);
  expect(Date.now() - startedAt, 'milliseconds of the script').toBeLessThanOrEqual(180_000);
});
