import type { Locator, Page } from '@playwright/test';
import { expectAccessible, showInColors } from './support/accessible';
import { violationsOn } from './support/axe';
import { foundOrganization, type Organization } from './support/organization';
import { expect, PRESENTATION, test } from './support/test';
import { setClockWrong } from './support/wrong-clock';

const BEAMER = { width: 1024, height: 768 };
const SIZES = [PRESENTATION, BEAMER, { width: 1280, height: 720 }, { width: 3840, height: 2160 }];
const IDLE_AFTER_MS = 5_000;
const YES_NO = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };

const twelve = (text: (number: number) => string) =>
  Array.from({ length: 12 }, (_, index) => text(index + 1));

/** The longest questions of an agenda, in forms that break layouts. */
const LONGEST = [
  {
    kind: 'words',
    questionText: 'Which of these measures should come first? '.padEnd(
      300,
      'A wordy question leaves nothing out. ',
    ),
    options: twelve(
      (number) => `Measure ${number}: renew the insulation of the northern facade of house ${number}`,
    ),
  },
  {
    kind: 'long words and emoji',
    questionText: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft 🏠 '
      .repeat(4)
      .slice(0, 300),
    options: twelve(
      (number) => `${number}${'Grundstücksverkehrsgenehmigungszuständigkeit'.repeat(2)}👩‍👩‍👧‍👦`,
    ),
  },
  {
    kind: 'right to left',
    questionText: 'أي من هذه التدابير يجب أن يأتي أولا في السنة القادمة؟ '.repeat(6).slice(0, 300),
    options: twelve(
      (number) => `التدبير رقم ${number}: تجديد عزل الواجهة الشمالية ونوافذ المنازل القريبة من النهر`,
    ),
  },
].map((question) => ({ ...question, questionText: question.questionText.trim() }));

function asked(question: (typeof LONGEST)[number] | undefined) {
  return {
    questionText: question?.questionText,
    options: question?.options,
    questionType: 'MULTIPLE_CHOICE',
  };
}

interface MeetingCaller {
  meeting: string;
  questions: string[];
  put: Organization['caller']['put'];
  post: Organization['caller']['post'];
}

/** A meeting with these questions and five voters, controlled through the API. */
async function arrangeMeeting(serverUrl: string, label: string, questions: object[]): Promise<MeetingCaller> {
  const { caller } = await foundOrganization(serverUrl, label);
  for (const number of [1, 2, 3, 4, 5]) {
    await caller.post('/api/client/end-users', {
      username: `voter${number}`,
      name: `Voter ${number}`,
      password: 'a long password',
    });
  }
  const { id } = await caller.post('/api/client/meetings', {
    title: 'Annual General Meeting',
    description: 'Accounts and elections',
    scheduledStartTime: new Date().toISOString(),
    scheduledEndTime: new Date(Date.now() + 3_600_000).toISOString(),
    status: 'SCHEDULED',
  });
  const meeting = `/api/client/meetings/${id}`;
  const ids: string[] = [];
  for (const question of questions) {
    const created = await caller.post('/api/client/questions', { meetingId: id, ...question });
    ids.push(created.id as string);
  }
  return { meeting, questions: ids, put: caller.put, post: caller.post };
}

const start = (caller: MeetingCaller) => caller.post(`${caller.meeting}/start`, {});
const end = (caller: MeetingCaller) => caller.post(`${caller.meeting}/end`, {});
const countDown = (caller: MeetingCaller, seconds: number) =>
  caller.put(`${caller.meeting}/countdown`, { seconds });
const show = (caller: MeetingCaller, position: number | null, open = true) =>
  caller.put(`${caller.meeting}/current-question`, {
    questionId: position === null ? null : caller.questions[position],
    open,
  });

async function openPresentation(presentation: Page, caller: MeetingCaller): Promise<void> {
  await presentation.goto(`/presentation/meeting/${caller.meeting.split('/').at(-1)}`);
  await expect(presentation.getByRole('heading', { name: 'Annual General Meeting' })).toBeVisible();
}

/**
 * Checks that nothing scrolls, is cut off or overlaps, once the screen is rendered in its size. `below` is in order
 * from left to right.
 */
async function expectAllInPlace(presentation: Page, below: Locator[]): Promise<void> {
  await expect(() => expectAllInPlaceNow(presentation, below)).toPass({ timeout: 15_000 });
}

async function expectAllInPlaceNow(presentation: Page, below: Locator[]): Promise<void> {
  const strip = await Promise.all(below.map((part) => part.boundingBox()));
  const stripTop = Math.min(...strip.map((part) => part?.y ?? 0));
  const faults = await presentation.getByRole('main').evaluate((main, bottom) => {
    const found: string[] = [];
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
    if (scrollHeight > clientHeight || scrollWidth > clientWidth) {
      found.push(`scrolls: ${scrollWidth} by ${scrollHeight}`);
    }
    const head = main.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    const question = main.querySelector('h2')?.getBoundingClientRect();
    if (!question || question.top < head || question.bottom > bottom) {
      found.push('the question is out of its place');
    }
    for (const option of main.querySelectorAll('li')) {
      const { left, right, top, bottom: end } = option.getBoundingClientRect();
      const isInside =
        left >= 0 && right <= clientWidth && top >= (question?.bottom ?? 0) && end <= bottom + 1;
      if (!isInside || option.scrollWidth > option.clientWidth) {
        found.push(`out of its place: ${option.textContent}`);
      }
    }
    return found;
  }, stripTop);
  expect(faults).toEqual([]);

  const { width, height } = presentation.viewportSize() ?? PRESENTATION;
  let free = 0;
  for (const part of strip) {
    expect(part?.x).toBeGreaterThanOrEqual(free);
    free = (part?.x ?? 0) + (part?.width ?? 0);
    expect((part?.y ?? 0) + (part?.height ?? height)).toBeLessThanOrEqual(height);
  }
  expect(free).toBeLessThanOrEqual(width);
}

async function fontShare(part: Locator, height: number): Promise<number> {
  return (await part.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))) / height;
}

/** WCAG AAA, in both schemes. */
async function expectContrast(presentation: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await showInColors(presentation, colorScheme);
    const violations = await violationsOn(presentation, ['color-contrast-enhanced']);
    const found = violations.flatMap(({ nodes }) => nodes.map(({ failureSummary }) => failureSummary));
    expect(found, `${screen}, ${colorScheme}`).toEqual([]);
  }
  await showInColors(presentation, 'light');
}

test('the longest questions with twelve options fill every presentation without scrolling', async ({
  openAs,
  server,
}) => {
  const caller = await arrangeMeeting(server.url, 'Longest', [...LONGEST.map(asked), YES_NO]);
  await start(caller);
  const presentation = await openAs(PRESENTATION);
  await openPresentation(presentation, caller);

  for (const [position, { kind, questionText }] of LONGEST.entries()) {
    await test.step(kind, async () => {
      await show(caller, position);
      await countDown(caller, 600);
      await expect(presentation.getByRole('heading', { level: 2 })).toHaveText(questionText);
      await expect(presentation.getByRole('timer')).toBeVisible();
      for (const viewport of SIZES) {
        await presentation.setViewportSize(viewport);
        const strip = [
          presentation.getByText('0 of 5'),
          presentation.getByRole('timer'),
          presentation.getByText(/\/participant$/),
        ];
        await expectAllInPlace(presentation, [...strip, presentation.getByRole('img', { name: /^QR code/ })]);
        const size = await fontShare(presentation.getByRole('listitem').first(), viewport.height);
        expect(size, 'as large as so much text can be').toBeGreaterThan(0.017);
      }
    });
  }
  await test.step('a short question is as large as a hall needs it', async () => {
    await show(caller, LONGEST.length);
    await expect(presentation.getByRole('heading', { level: 2 })).toHaveText(YES_NO.questionText);
    for (const viewport of SIZES) {
      await presentation.setViewportSize(viewport);
      await expectAllInPlace(presentation, [presentation.getByText(/\/participant$/)]);
      await expect(presentation.getByRole('complementary')).toContainText('0 of 5 votes received');
      expect(
        await fontShare(presentation.getByRole('heading', { level: 2 }), viewport.height),
      ).toBeGreaterThan(0.07);
      expect(await fontShare(presentation.getByRole('listitem').first(), viewport.height)).toBeGreaterThan(
        0.045,
      );
    }
  });
});

test('each state says what it is, and is accessible, light and dark', async ({ openAs, server }) => {
  test.slow();
  const caller = await arrangeMeeting(server.url, 'States', [YES_NO]);
  const presentation = await openAs(PRESENTATION);

  const expectState = async (screen: string, part: (page: Page) => Locator) => {
    await expect(part(presentation)).toBeVisible();
    await expectAccessible(presentation, screen);
    await expectContrast(presentation, screen);
  };
  // Another layout with the same colors.
  const expectOnBeamer = async (screen: string) => {
    await presentation.setViewportSize(BEAMER);
    await expectAccessible(presentation, `${screen}, 4:3`);
    await presentation.setViewportSize(PRESENTATION);
  };
  await openPresentation(presentation, caller);
  await expectState('not started', (page) => page.getByRole('heading', { name: 'Meeting Not Active' }));
  await start(caller);
  await expectState('waiting', (page) => page.getByRole('heading', { name: 'Waiting for Question' }));
  await expectOnBeamer('waiting');
  await show(caller, 0, false);
  await expectState('shown', (page) => page.getByText('Voting is not open'));
  await expect(presentation.getByText(/votes received/)).toHaveCount(0);
  await show(caller, 0);
  await countDown(caller, 600);
  await expectState('open', (page) => page.getByText('Voting closes in'));
  await expectOnBeamer('open');
  await countDown(caller, 5);
  await expectState('closed', (page) => page.getByText('Voting closed', { exact: true }));
  await expectAllInPlace(presentation, [
    presentation.getByText('Voting closed'),
    presentation.getByText('0 of 5'),
  ]);
  await presentation.context().setOffline(true);
  await expectState('offline', (page) => page.getByText(/^No connection, last update/));
  await presentation.context().setOffline(false);
  await end(caller);
  await expectState('completed', (page) => page.getByText('Thank you for participating!'));
  await caller.put(caller.meeting, { status: 'CANCELLED' });
  await expectState('cancelled', (page) => page.getByText('This meeting was cancelled.'));
});

test('the countdown goes by the time of the server, and ends in closed voting', async ({
  openAs,
  server,
}) => {
  const caller = await arrangeMeeting(server.url, 'Countdown', [YES_NO]);
  await start(caller);
  await show(caller, 0);
  const presentations = [await openAs(PRESENTATION), await openAs(BEAMER)] as const;
  await setClockWrong(presentations[0], 5);
  await setClockWrong(presentations[1], -30);
  for (const presentation of presentations) {
    await openPresentation(presentation, caller);
    await expect(presentation.getByText('Voting is open')).toBeVisible();
    await expect(presentation.getByRole('timer')).toHaveCount(0);
  }
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  // The page shows the minute of its last tick, and a message takes its time.
  const before = clock.format(new Date(Date.now() - 3_000));

  await countDown(caller, 100);
  for (const presentation of presentations) {
    await expect(presentation.getByRole('timer')).toHaveText(/^Voting closes in1:(40|3\d)$/);
    expect([before, clock.format(new Date())]).toContain(
      await presentation
        .getByText(/^\d\d:\d\d$/)
        .first()
        .textContent(),
    );
  }
  await countDown(caller, 5);
  for (const presentation of presentations) {
    await expect(presentation.getByRole('timer')).toHaveText(/^Last seconds to vote0:0[1-5]$/);
  }
  for (const presentation of presentations) {
    await expect(presentation.getByText('Voting closed', { exact: true })).toBeVisible();
    await expect(presentation.getByText('0 of 5')).toBeVisible();
    await expect(presentation.getByRole('timer')).toHaveCount(0);
    await expect(presentation.getByRole('heading', { name: YES_NO.questionText })).toBeVisible();
  }
});

test('without a network the last state stays with its age, and it comes back by itself', async ({
  openAs,
  server,
}) => {
  const caller = await arrangeMeeting(server.url, 'Away', [
    YES_NO,
    { ...YES_NO, questionText: 'Who leads?' },
  ]);
  await start(caller);
  await show(caller, 0);
  const presentation = await openAs(PRESENTATION);
  await presentation.clock.install();
  await openPresentation(presentation, caller);
  await expect(presentation.getByText('0 of 5')).toBeVisible();

  await test.step('the network of the laptop', async () => {
    await presentation.context().setOffline(true);
    await expect(presentation.getByText('No connection, last update a moment ago')).toBeVisible();
    await presentation.clock.fastForward('02:05');
    await expect(presentation.getByText('No connection, last update 2 minutes ago')).toBeVisible();
    await expect(presentation.getByRole('heading', { name: YES_NO.questionText })).toBeVisible();
    await expect(presentation.getByText('0 of 5')).toBeVisible();
    await show(caller, 1);
    await presentation.context().setOffline(false);
    await expect(presentation.getByRole('heading', { name: 'Who leads?' })).toBeVisible();
    await expect(presentation.getByText(/No connection/)).toHaveCount(0);
  });

  await test.step('the server', async () => {
    await server.kill();
    await expect(presentation.getByText(/^No connection, last update/)).toBeVisible();
    await expect(presentation.getByRole('heading', { name: 'Who leads?' })).toBeVisible();
    await server.startAgain();
    await expect(presentation.getByText(/No connection/)).toHaveCount(0, { timeout: 30_000 });
    await show(caller, null);
    await expect(presentation.getByRole('heading', { name: 'Waiting for Question' })).toBeVisible();
  });
});

test('nothing moves while nothing changes', async ({ openAs, server }) => {
  // Long enough that its size must be measured until it fits.
  const caller = await arrangeMeeting(server.url, 'Quiet', [asked(LONGEST[0])]);
  await start(caller);
  await show(caller, 0);
  const presentation = await openAs(PRESENTATION);
  await presentation.clock.install();
  await presentation.addInitScript(() => {
    const frames: MessageEvent[] = [];
    const Real = EventSource;
    /** Repeats a message of the server any number of times. */
    const hearAgain = () => {
      for (const { data, lastEventId, target } of [...frames]) {
        target?.dispatchEvent(new MessageEvent('message', { data, lastEventId }));
      }
    };
    Object.assign(globalThis, {
      hearAgain,
      heard: () => frames.map(({ data }) => JSON.parse(data).type),
      EventSource: class extends Real {
        constructor(...parts: ConstructorParameters<typeof EventSource>) {
          super(...parts);
          this.addEventListener('message', (frame) => frame.isTrusted && frames.push(frame));
        }
      },
    });
  });
  await openPresentation(presentation, caller);
  await expect.poll(() => presentation.evaluate('heard()')).toEqual(['connected', 'heartbeat']);
  await presentation.clock.fastForward(IDLE_AFTER_MS);
  await expect(presentation.getByRole('main')).toHaveCSS('cursor', 'none');
  await presentation.evaluate(async () => {
    await document.fonts.ready;
    const changes: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { type, target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        // The clock, and the time of the last update.
        if (!element?.closest('time')) {
          changes.push(`${type} of ${element?.outerHTML}`);
        }
      }
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    Object.assign(globalThis, { changes });
  });
  for (let times = 0; times < 3; times += 1) {
    await presentation.evaluate('hearAgain()');
    await presentation.clock.runFor(1_500);
  }
  expect(await presentation.evaluate('changes')).toEqual([]);

  await show(caller, null);
  await expect(presentation.getByRole('heading', { name: 'Waiting for Question' })).toBeVisible();
  expect(await presentation.evaluate('changes'), 'changes are seen').not.toEqual([]);
});

test('one key fills the screen, and cursor and controls go away', async ({ openAs, server }) => {
  const caller = await arrangeMeeting(server.url, 'Keys', [YES_NO]);
  const presentation = await openAs(PRESENTATION);
  await presentation.clock.install();
  await openPresentation(presentation, caller);
  const controls = presentation.getByRole('region', { name: 'Screen' });
  const isFull = () => presentation.evaluate(() => document.fullscreenElement !== null);

  await expect(presentation.getByText('Press F for full screen')).toBeVisible();
  await presentation.keyboard.press('f');
  await expect.poll(isFull).toBe(true);
  await expect(presentation.getByText('Press Escape to leave full screen')).toBeVisible();
  await presentation.clock.fastForward(IDLE_AFTER_MS);
  await expect(controls).toHaveCSS('opacity', '0');
  await expect(presentation.getByRole('main')).toHaveCSS('cursor', 'none');

  await presentation.mouse.move(300, 300);
  await expect(controls).toHaveCSS('opacity', '1');
  await expect(presentation.getByRole('main')).not.toHaveCSS('cursor', 'none');
  await presentation.clock.fastForward(IDLE_AFTER_MS);
  await expect(controls).toHaveCSS('opacity', '0');

  await presentation.keyboard.press('Tab');
  await expect(controls).toHaveCSS('opacity', '1');
  await expect(presentation.getByRole('button', { name: 'Leave full screen' })).toBeFocused();
  await presentation.keyboard.press('Enter');
  await expect.poll(isFull).toBe(false);

  const scheme = () => presentation.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await scheme()).toBe('light');
  await presentation.getByRole('button', { name: 'Dark' }).click();
  expect(await scheme()).toBe('dark');
  await presentation.reload();
  await expect(presentation.getByRole('button', { name: 'Light' })).toBeVisible();
  expect(await scheme()).toBe('dark');
  // The control view on the same laptop is unchanged.
  await presentation.goto('/client/login');
  await expect(presentation.getByRole('button', { name: 'Sign In to Dashboard' })).toBeVisible();
  expect(await scheme()).toBe('light');
});
