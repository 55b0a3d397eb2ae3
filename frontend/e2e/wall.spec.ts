import { signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESK, expect, test } from './support/test';

const LONGEST = 'Which of these measures should come first? '.padEnd(
  300,
  'A wordy question leaves nothing out. ',
);
const OPTIONS = Array.from(
  { length: 12 },
  (_, index) => `Measure ${index + 1}, with a few words on what it is about`,
);

for (const [shape, viewport] of [
  ['16:9', { width: 1920, height: 1080 }],
  ['16:9, small', { width: 1280, height: 720 }],
  ['4:3', { width: 1024, height: 768 }],
] as const) {
  test(`the longest question with twelve options fits the wall without scrolling, ${shape}`, async ({
    openAs,
    server,
  }) => {
    const setting = await arrange(server.url, {
      name: `Wall ${viewport.width} by ${viewport.height}`,
      voters: 1,
      questions: [{ questionText: LONGEST, questionType: 'MULTIPLE_CHOICE', options: OPTIONS }],
    });
    const desk = await openAs(DESK);
    const wall = await openAs(viewport);
    await signInAsOrganizer(desk, setting.organizer);
    await desk.goto(`/client/meetings/${setting.meetingId}/control`);
    await startQuestion(desk);
    await wall.goto(`/presentation/meeting/${setting.meetingId}`);
    await expect(wall.getByText(LONGEST.trim())).toBeVisible();

    const page = await wall.evaluate(() => {
      const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
      return { isTooHigh: scrollHeight > clientHeight, isTooWide: scrollWidth > clientWidth };
    });
    expect(page).toEqual({ isTooHigh: false, isTooWide: false });
    const votes = await wall.getByText('0 of 1').boundingBox();
    for (const option of OPTIONS) {
      const box = await wall.getByText(option, { exact: true }).boundingBox();
      expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(votes?.y ?? 0);
    }
    const size = await wall
      .getByText(OPTIONS[0] ?? '', { exact: true })
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(size / viewport.height, 'readable from the back row').toBeGreaterThan(0.018);
  });
}
