import { mkdirSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes, showInColors } from './support/accessible';
import { signInAsOrganizer } from './support/organizer';
import { expectNothingCutOff } from './support/screens';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { joinMeeting, signInAsVoter } from './support/voter';

const QUESTION = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };

/** A PNG file with a violet picture of this size. */
function logo(width: number, height: number): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([0x7a, 0x1f, 0x5c]))]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, sum]);
}

/** CRC-32, as PNG requires it. */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** Keeps pictures for a visual check, if a folder is named. */
async function keep(page: Page, name: string) {
  const folder = process.env.PLENUM_KEEP_SCREENS;
  if (folder) {
    mkdirSync(folder, { recursive: true });
    for (const scheme of ['light', 'dark'] as const) {
      await showInColors(page, scheme);
      await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
    }
    await showInColors(page, 'light');
  }
}

/** Waits until every logo on the page has loaded. */
async function expectLogo(page: Page) {
  const logo = page.locator('img[src*="/logo?v="]').first();
  await expect(logo).toBeVisible();
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240);
}

async function accentOf(page: Page, selector: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).getPropertyValue('--plenum-accent').trim());
}

test('an organization’s logo and color are on phones and on the presentation', async ({ openAs, server }) => {
  const setting = await arrange(server.url, { name: 'Brand Club', voters: 1, questions: [QUESTION] });
  const look = { reducedMotion: 'reduce' } as const;
  const desk = await openAs(DESKTOP, look);
  await signInAsOrganizer(desk, setting.organizer);
  await desk.getByRole('link', { name: 'Logo and color' }).click();
  await expect(desk.getByRole('heading', { name: 'Logo and color' })).toBeVisible();
  await desk
    .getByLabel('Logo', { exact: true })
    .and(desk.locator('input'))
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(240, 80) });
  await expectLogo(desk);
  await desk.getByLabel('Color', { exact: true }).fill('#ffcc00');
  await expect(desk.getByText(/contrast of 1\.35:1/)).toBeVisible();
  await desk.getByLabel('Color', { exact: true }).fill('#7a1f5c');
  await desk.getByRole('button', { name: 'Save color' }).click();
  await expect(desk.getByRole('button', { name: 'Use Plenum’s color' })).toBeVisible();
  await keep(desk, 'settings-1440');
  await expectAccessibleInBothSchemes(desk, 'logo and color');
  await desk.setViewportSize({ width: 390, height: 844 });
  await expectNothingCutOff(desk);
  await keep(desk, 'settings-390');

  const phone = await openAs(PHONE, look);
  await phone.goto(`/participant/login/${setting.clientCode}`);
  await expectLogo(phone);
  await expect.poll(() => accentOf(phone, 'html')).toBe('#7a1f5c');
  await keep(phone, 'sign-in');
  await expectAccessibleInBothSchemes(phone, 'sign-in with branding');
  const voter = setting.voters[0];
  await signInAsVoter(phone, voter?.username ?? '', voter?.password ?? '');
  await expectLogo(phone);
  await keep(phone, 'meetings');
  await joinMeeting(phone, setting.meetingTitle);
  await expectLogo(phone);
  await expectNothingCutOff(phone);
  await keep(phone, 'meeting');
  await expectAccessibleInBothSchemes(phone, 'meeting with branding');

  const hall = await openAs(PRESENTATION, look);
  await hall.goto(`/presentation/meeting/${setting.meetingId}`);
  await expectLogo(hall);
  await expect(hall.getByRole('heading', { name: setting.meetingTitle })).toBeVisible();
  await keep(hall, 'presentation');
  await expectAccessibleInBothSchemes(hall, 'presentation with branding');
});
