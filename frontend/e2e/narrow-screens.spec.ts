import type { Page } from '@playwright/test';
import { expectNoLabelCutOff } from './support/accessible';
import { signInAsOrganizer } from './support/organizer';
import { arrange } from './support/setting';
import { expect, PHONE, test } from './support/test';
import { signInAsVoter } from './support/voter';

const QUORUM = {
  comparison: 'at_least',
  numerator: 1,
  denominator: 2,
  unit: 'weight',
  attendance: 'present',
  atOpening: 'warn',
};

/** A meeting of several days has the longest line of times, as has one that passes midnight. */
const DAYS = 2;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function areApart(one: Box | null, other: Box | null): boolean {
  return (
    one === null ||
    other === null ||
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y
  );
}

/** Checks that the message covers neither a title, nor the countdown, nor the button below it. */
async function expectToastApart(phone: Page): Promise<void> {
  const toast = phone.getByRole('alert').filter({ hasText: 'New question is now active!' });
  // Its time stands still while it is pointed at.
  await toast.dispatchEvent('mouseover');
  await expect(toast).toBeInViewport({ ratio: 1 });
  const shown = await toast.boundingBox();
  for (const [name, part] of [
    ['the title of the meeting', phone.getByRole('heading', { level: 1 })],
    ['the question', phone.getByRole('heading', { level: 2 })],
    ['the countdown', phone.getByRole('timer')],
    ['the bar', phone.getByRole('timer').locator('xpath=..')],
  ] as const) {
    expect(areApart(shown, await part.boundingBox()), `${name} is free`).toBe(true);
  }
}

test('nothing covers or cuts off anything, with scrollbars and at every width', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, {
    name: 'Narrow Club',
    voters: 1,
    questions: [
      { questionText: 'How much goes into the reserve?', questionType: 'PERCENTAGE' },
      { questionText: 'Yes?', questionType: 'YES_NO', options: ['Yes', 'No'] },
    ],
  });
  const desk = await openAs({ width: 1280, height: 720 });

  await test.step('the control, from the narrowest desk to a wide one', async () => {
    await signInAsOrganizer(desk, setting.organizer);
    // By the page, which has a session.
    const status = await desk.evaluate(
      async ([id, quorum, days]) => {
        const token = localStorage.getItem('accessToken') ?? sessionStorage.getItem('accessToken');
        const answer = await fetch(`/api/client/meetings/${id}`, {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          body: JSON.stringify({
            quorum,
            scheduledStartTime: new Date().toISOString(),
            scheduledEndTime: new Date(Date.now() + days * 86_400_000).toISOString(),
          }),
        });
        return answer.status;
      },
      [setting.meetingId, QUORUM, DAYS] as const,
    );
    expect(status).toBe(200);
    await desk.goto(`/client/meetings/${setting.meetingId}/control`);
    await expect(desk.getByRole('button', { name: 'Start Question' })).toBeVisible();
    for (const width of [600, 900, 1024, 1200, 1216, 1240, 1260, 1280, 1320, 1366, 1440]) {
      await desk.setViewportSize({ width, height: 720 });
      await expectNoLabelCutOff(desk, `the control at ${width} px`);
    }
    const figures = desk.getByRole('complementary', { name: 'Live figures' });
    const scrolls = await figures.evaluate((box) => getComputedStyle(box).overflowY);
    expect(scrolls, 'no second scrollbar beside that of the page').toBe('visible');
    const hasScrollbar = await desk.evaluate(() => window.innerWidth > document.documentElement.clientWidth);
    expect(hasScrollbar, 'the desk has scrollbars that take room').toBe(true);
  });

  await test.step("the presentation's controls are not over the quorum", async () => {
    const presentation = await openAs({ width: 1920, height: 1080 });
    await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
    const controls = presentation.getByRole('region', { name: 'Screen' });
    const quorum = presentation.getByText(/^Quorum/);
    await expect(quorum).toBeVisible();
    for (const [width, height] of [
      [1920, 1080],
      [1280, 720],
      [1024, 768],
      [390, 844],
    ] as const) {
      await presentation.setViewportSize({ width, height });
      await presentation.mouse.move(width / 2, height / 2);
      await presentation.mouse.move(width / 3, height / 2);
      await expect(controls).toHaveAttribute('data-idle', 'false');
      expect(
        areApart(await controls.boundingBox(), await quorum.locator('xpath=..').boundingBox()),
        `${width} × ${height}`,
      ).toBe(true);
    }
  });

  await test.step("a phone's messages are not over the title or the countdown, and no field zooms", async () => {
    const phone = await openAs(PHONE);
    await phone.goto(`/participant/login/${setting.clientCode}`);
    await expect(phone.getByLabel('Username')).toBeVisible();
    await signInAsVoter(phone, setting.voters[0]?.username ?? '', setting.voters[0]?.password ?? '');
    await phone.getByRole('link', { name: 'Join Meeting' }).click();
    await expect(phone.getByText('Connected', { exact: true })).toBeVisible();
    await desk.getByRole('button', { name: 'Start Question' }).click();
    await expect(desk.getByRole('button', { name: 'End Question' })).toBeVisible();
    for (const width of [360, 390, 1280]) {
      await desk.setViewportSize({ width, height: 720 });
      await expectNoLabelCutOff(desk, `the countdown's lengths at ${width} px`);
    }
    await desk.getByRole('button', { name: 'Start Countdown' }).click();
    await expect(phone.getByRole('timer')).toBeVisible();
    await expectToastApart(phone);
    // At the foot of the ballot too.
    await phone.setViewportSize({ width: PHONE.width, height: 500 });
    await expect
      .poll(() =>
        phone.evaluate(() => {
          window.scrollTo(0, document.documentElement.scrollHeight);
          return window.scrollY;
        }),
      )
      .toBeGreaterThan(0);
    await expectToastApart(phone);
    await phone.setViewportSize(PHONE);

    const field = phone.getByRole('textbox', { name: 'Percentage' });
    await field.fill('150');
    await expect(field).toHaveValue('150');
    await expect(phone.getByRole('button', { name: 'Submit Vote' })).toBeDisabled();
    await field.fill('49,875');
    await phone.getByRole('button', { name: /^Submit Vote: 49\.875/ }).click();
    await expect(phone.getByRole('heading', { name: 'Your vote is stored' })).toBeVisible();
    await phone.goto('/voting/account');
    await expect(phone.getByLabel('Current password')).toBeVisible();
    const sizes = await phone
      .locator('input:not([type="hidden"]), select, textarea')
      .evaluateAll((fields) => fields.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
  });
});

test('the actions on selected people stay in reach while a phone scrolls the list', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Long Club', voters: 12, questions: [] });
  const phone = await openAs(PHONE);
  await signInAsOrganizer(phone, setting.organizer);
  await phone.goto('/client/end-users');
  await phone.getByLabel('Select Voter 1', { exact: true }).check();
  const actions = phone.getByRole('region', { name: 'Actions on the selected end users' });
  for (const part of [0, 0.3, 0.6]) {
    await phone.evaluate((share) => window.scrollTo(0, document.body.scrollHeight * share), part);
    await expect(actions).toBeInViewport({ ratio: 1 });
    // The navigation does not cover it.
    await actions.getByRole('button', { name: 'Deactivate' }).click({ trial: true });
  }
});
