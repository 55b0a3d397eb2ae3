import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInThroughApi } from './support/organization';
import { signInAsOrganizer } from './support/organizer';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { joinAsVoter } from './support/voter';

/** A tablet held upright. */
const TABLET = { width: 768, height: 1024 };

test('a desk checks people in, goes on without a network, and the phone of the voter says so', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Hall', voters: 3, questions: [] });
  const organizer = await signInThroughApi(server.url, setting.organizer);
  const meeting = `/api/client/meetings/${setting.meetingId}`;
  await organizer.put(meeting, { checkIn: 'ON', selfCheckIn: true });

  // The organizer makes a desk, whose link is shown once.
  const control = await openAs(DESKTOP);
  await signInAsOrganizer(control, setting.organizer);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  await control.getByRole('button', { name: 'Check-in', exact: true }).click();
  const panel = control.getByRole('dialog', { name: 'Check-in' });
  await panel.getByRole('button', { name: 'Make a desk' }).click();
  await expect(panel.getByRole('img', { name: /QR code of the link/ })).toBeVisible();
  const link = (await panel.getByText(/\/desk#desk_/).innerText()).trim();
  await expect(panel.getByText('0 of 3')).toBeVisible();

  const phone = await openAs(PHONE);
  await joinAsVoter(phone, setting, 0);
  await expect(phone.getByRole('heading', { name: 'You are not checked in' })).toBeVisible();
  await expect(phone.getByRole('img', { name: 'Your check-in code' })).toBeVisible();

  const desk = await openAs(TABLET);
  await desk.goto(new URL(link).pathname + new URL(link).hash);
  await expect(desk.getByRole('heading', { name: 'Desk 1' })).toBeVisible();
  await expect(desk.getByText('Connected. Everything is sent.')).toBeVisible();
  const search = desk.getByLabel('Name, member number or group');
  await search.fill('voter1');
  await expectAccessibleInBothSchemes(desk, 'the desk');
  await search.press('Enter');
  await expect(desk.getByText('Voter 1 is checked in.')).toBeVisible();
  await expect(phone.getByText(/^You are checked in since .*, Desk 1\.$/)).toBeVisible();
  await expect(panel.getByText('1 of 3')).toBeVisible();

  // Without a network the work goes on, through a reload of the page, too.
  await desk.context().setOffline(true);
  await search.fill('Voter 2');
  await search.press('Enter');
  await expect(desk.getByText(/^No network.*1 entry is kept on this device/)).toBeVisible();
  await expect(desk.getByText('2 of 3 here')).toBeVisible();
  await desk.context().setOffline(false);
  await expect(desk.getByText('Connected. Everything is sent.')).toBeVisible();
  await expect(panel.getByText('2 of 3')).toBeVisible();

  // The third voter types the code of the presentation.
  const presentation = await openAs(PRESENTATION);
  await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
  await expect(presentation.getByText('2 checked in')).toBeVisible();
  const code = await presentation.getByText(/^\d{3} \d{3}$/).innerText();
  const third = await openAs(PHONE);
  await joinAsVoter(third, setting, 2);
  await third.getByLabel('Or type the code on the presentation').fill(code);
  await third.getByRole('button', { name: 'Check in' }).click();
  await expect(third.getByText(/^You are checked in since/)).toBeVisible();
  await expect(presentation.getByText('3 checked in')).toBeVisible();

  await panel.getByRole('button', { name: 'Revoke Desk 1' }).click();
  await expect(desk.getByRole('heading', { name: 'This desk is closed' })).toBeVisible();
  await expectAccessibleInBothSchemes(desk, 'a closed desk');
});

/** Gives the page a camera, before which `showCode` holds a code. */
async function giveCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const context = canvas.getContext('2d');
    let code: { size: number; path: string } | null = null;
    const draw = () => {
      if (context) {
        context.resetTransform();
        context.fillStyle = '#ffffff';
        context.fillRect(0, 0, canvas.width, canvas.height);
        if (code) {
          context.translate(120, 40);
          context.scale(400 / code.size, 400 / code.size);
          context.fillStyle = '#000000';
          context.fill(new Path2D(code.path));
        }
      }
    };
    // As of a camera, pictures keep coming.
    setInterval(draw, 100);
    Object.assign(globalThis, {
      holdCode: (held: typeof code) => {
        code = held;
      },
    });
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
  });
}

/** Holds the code of a picture before the camera of the desk, or nothing. */
async function showCode(desk: Page, picture: Locator | null): Promise<void> {
  const code = await picture?.evaluate((svg) => ({
    size: (svg as SVGSVGElement).viewBox.baseVal.width,
    path: svg.querySelector('path')?.getAttribute('d') ?? '',
  }));
  await desk.evaluate(
    (held) => (globalThis as unknown as { holdCode: (code: unknown) => void }).holdCode(held),
    code ?? null,
  );
}

/** Makes personal links on the control view, and returns the side panel with their slips. */
async function showSlips(control: Page, setting: Setting): Promise<Locator> {
  await signInAsOrganizer(control, setting.organizer);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  await control.getByRole('button', { name: 'Send Invitations' }).click();
  const invitations = control.getByRole('dialog', { name: 'Send Invitations' });
  await invitations.getByRole('button', { name: 'Make personal links' }).click();
  await invitations.getByRole('button', { name: 'Make personal links' }).click();
  await invitations.getByRole('button', { name: 'Print slips with personal links' }).click();
  return invitations;
}

test('the camera of a desk reads the code of a slip, and a second scan checks out', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Slips', voters: 2, questions: [] });
  const organizer = await signInThroughApi(server.url, setting.organizer);
  const meeting = `/api/client/meetings/${setting.meetingId}`;
  await organizer.put(meeting, { checkIn: 'ON' });
  const made = await organizer.post(`${meeting}/desks`, { name: 'Desk 1', purpose: 'CHECK_IN' });

  const control = await openAs(DESKTOP);
  const invitations = await showSlips(control, setting);
  const slip = invitations.getByRole('article', { name: 'Slip of Voter 1' });
  const codes = slip.getByRole('img');
  await expect(codes).toHaveCount(2);
  for (const code of await codes.all()) {
    await expect(code).toBeInViewport({ ratio: 1 });
  }

  const desk = await openAs(TABLET);
  await giveCamera(desk);
  await desk.goto(`/desk#${(made as { token: string }).token}`);
  await expect(desk.getByText('Connected. Everything is sent.')).toBeVisible();
  await desk.getByRole('button', { name: 'Scan codes' }).click();
  await showCode(desk, slip.getByRole('img', { name: 'Check-in code of Voter 1' }));
  await expect(desk.getByText('Voter 1 is checked in.')).toBeVisible();
  await expect(desk.getByText('1 of 2 here')).toBeVisible();

  // The personal link is no code for a desk, which learns nothing from it.
  await showCode(desk, slip.getByRole('img', { name: 'QR code of the personal link of Voter 1' }));
  await expect(desk.getByText(/^This is not a check-in code/)).toBeVisible();
  await showCode(desk, slip.getByRole('img', { name: 'Check-in code of Voter 1' }));
  await expect(desk.getByText('Voter 1 is checked out.')).toBeVisible();
  await expect(desk.getByText('0 of 2 here')).toBeVisible();
});

test('slips in the side panel of invitations are shown without scrolling sideways', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Narrow slips', voters: 3, questions: [] });
  const organizer = await signInThroughApi(server.url, setting.organizer);
  await organizer.put(`/api/client/meetings/${setting.meetingId}`, { checkIn: 'ON' });
  const control = await openAs(DESKTOP);
  const invitations = await showSlips(control, setting);
  const preview = invitations.getByRole('region', { name: 'First page of the slips' });
  for (const width of [390, 768, 1440]) {
    await control.setViewportSize({ width, height: 900 });
    await expect(preview).toBeVisible();
    const overflow = await preview.evaluate((box) => {
      const parents: Element[] = [];
      for (let at: Element | null = box; at; at = at.parentElement) {
        parents.push(at);
      }
      return parents
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map(({ className }) => className);
    });
    expect(overflow, `at ${width} px`).toEqual([]);
    for (const code of await preview.getByRole('img').all()) {
      const box = await code.boundingBox();
      const slips = await preview.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((slips?.x ?? 0) + (slips?.width ?? 0));
    }
  }
});
