import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import {
  endQuestion,
  expectEnded,
  nextQuestion,
  pressEndQuestion,
  signInAsOrganizer,
  startQuestion,
} from './support/organizer';
import { arrange, type NewQuestion, type Setting } from './support/setting';
import { DESKTOP, expect as eventually, PHONE, PRESENTATION } from './support/test';
import { type Answer, choose, expectChosen, submitButton, vote } from './support/voter';
import { BallotBox, type Device, joinOnDevice, type OpenDevice, test } from './support/voter-devices';
import { setClockWrong } from './support/wrong-clock';

/** The time within which every screen must be current after the network returns. */
const expect = eventually.configure({ timeout: 5_000 });
const LONG_CUT_MS = 10_000;
const COUNTDOWN_SECONDS = 15;

const YES_NO = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };

interface Item {
  question: NewQuestion;
  answers: [Answer, Answer, Answer, Answer, Answer];
  tally: Record<string, number>;
}

const AGENDA: Item[] = [
  {
    question: YES_NO,
    answers: [{ choice: 'Yes' }, { choice: 'No' }, { choice: 'Yes' }, { choice: 'Yes' }, { choice: 'No' }],
    tally: { Yes: 3, No: 2 },
  },
  {
    question: {
      questionText: 'What shall be repaired first?',
      questionType: 'MULTIPLE_CHOICE',
      options: ['Roof', 'Lifts', 'Garden'],
    },
    answers: [
      { choices: ['Roof', 'Lifts'] },
      { choices: ['Roof'] },
      { choices: ['Lifts', 'Garden'] },
      { choices: ['Roof'] },
      { choices: ['Roof', 'Lifts', 'Garden'] },
    ],
    tally: { Roof: 4, Lifts: 3, Garden: 2 },
  },
  {
    question: { questionText: 'How did the board do?', questionType: 'RATING', ratingMax: 5 },
    answers: [
      { rating: '5 of 5' },
      { rating: '4 of 5' },
      { rating: '4 of 5' },
      { rating: '1 of 5' },
      { rating: '4 of 5' },
    ],
    tally: { 5: 1, 4: 3, 1: 1 },
  },
  {
    question: { questionText: 'How much goes into the reserve?', questionType: 'PERCENTAGE' },
    answers: [
      { percentage: '37.5' },
      { percentage: '50' },
      { percentage: '0' },
      { percentage: '50' },
      { percentage: '100' },
    ],
    tally: { 37.5: 1, 50: 2, 0: 1, 100: 1 },
  },
  {
    question: { questionText: 'What else should be said?', questionType: 'OPEN_TEXT' },
    answers: [
      { text: 'More bicycle stands' },
      { text: 'Thank you' },
      { text: 'More bicycle stands' },
      { text: '再来一次 🚲' },
      { text: 'Thank you' },
    ],
    tally: { 'More bicycle stands': 2, 'Thank you': 2, '再来一次 🚲': 1 },
  },
];

interface Voter extends Device {
  username: string;
}

const titleOf = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const stored = (page: Page) => titleOf(page, 'Your vote is stored');
const undelivered = (page: Page) => titleOf(page, 'Not yet delivered');
const waiting = (page: Page) => titleOf(page, 'Waiting for Next Question');
const votesOnPresentation = (presentation: Page, votes: string) =>
  presentation.getByText(votes, { exact: true });
const votesOnControl = (control: Page, votes: string) =>
  control.getByRole('region', { name: 'Live Statistics' }).getByText(votes);

test('a meeting day in a hall whose network fails at the worst moments', async ({ openDevice, server }) => {
  test.slow();
  const { setting, box, control, presentation, voters } = await startFullMeeting(
    openDevice,
    server.url,
    'Bad Reception Club',
    5,
    AGENDA.map(({ question }) => question),
  );

  for (const [number, item] of AGENDA.entries()) {
    const questionId = setting.questionIds[number] ?? '';
    const text = item.question.questionText;
    /** In each round every voter has another kind of failure. */
    const at = (moment: number) => {
      const index = (moment + number) % voters.length;
      return { ...(voters[index] as Voter), answer: item.answers[index] as Answer };
    };
    const [absent, sending, unanswered, reloading, halfway] = [at(0), at(1), at(2), at(3), at(4)];

    await test.step(`question ${number + 1}: nothing reaches one of the phones when it opens`, async () => {
      if (number > 0) {
        await nextQuestion(control.page, number + 1, AGENDA.length);
        await control.page.reload();
      }
      await reloading.page.reload();
      absent.network.cut();
      await startQuestion(control.page);
      await control.page.reload();
      await presentation.page.reload();
      for (const { page } of [presentation, sending, unanswered, reloading, halfway]) {
        await expect(titleOf(page, text)).toBeVisible();
      }
      await expect(titleOf(absent.page, text)).toHaveCount(0);
    });
    const cutAt = Date.now();
    if (number === 1) {
      presentation.network.cut();
    }

    await test.step(`question ${number + 1}: networks fail around the vote`, async () => {
      await Promise.all([
        loseVote(sending),
        loseAnswer(unanswered, () => box.hasVoteOf(questionId, unanswered.username)),
        voteReloading(reloading),
        halfFill(halfway),
      ]);
      if (number === 0) {
        await pass(cutAt + LONG_CUT_MS - Date.now());
      }
    });

    await test.step(`question ${number + 1}: the networks are back`, async () => {
      for (const { network } of [absent, sending, unanswered, halfway, presentation]) {
        network.restore();
      }
      await Promise.all([
        expect(titleOf(absent.page, text)).toBeVisible(),
        expect(stored(sending.page)).toBeVisible(),
        expect(stored(unanswered.page)).toBeVisible(),
        expect(halfway.page.getByText('Connected', { exact: true })).toBeVisible(),
        expect(votesOnPresentation(presentation.page, '3 of 5')).toBeVisible(),
        expect(votesOnControl(control.page, '3 of 5')).toBeVisible(),
      ]);
      await expectChosen(halfway.page, halfway.answer);
      await submitButton(halfway.page).click();
      await expect(stored(halfway.page)).toBeVisible();
      await vote(absent.page, absent.answer);
      await expect(votesOnPresentation(presentation.page, '5 of 5')).toBeVisible();
      await expect(votesOnControl(control.page, '5 of 5')).toBeVisible();
    });

    await test.step(`question ${number + 1} ends, once and for everybody`, async () => {
      if (number === 2) {
        await endUnheard(control, () => box.isOver(questionId));
      } else {
        await endQuestion(control.page);
      }
      await Promise.all([
        ...voters.map(({ page }) => expect(waiting(page)).toBeVisible()),
        expect(titleOf(presentation.page, 'Waiting for Question')).toBeVisible(),
        expect(control.page.getByText(/^5 of 5 voted, weight 5 of 5\./)).toBeVisible(),
      ]);
      await reloading.page.reload();
      await expect(waiting(reloading.page)).toBeVisible();
      await expect(titleOf(reloading.page, 'You have already voted')).toHaveCount(0);
      expect(await box.tallyOf(questionId)).toEqual(item.tally);
    });
  }
});

test('a server that is killed in an open round comes back, and so does every screen', async ({
  openDevice,
  server,
}) => {
  const { setting, box, control, presentation, voters } = await startFullMeeting(
    openDevice,
    server.url,
    'Restart Club',
    4,
    [YES_NO],
  );
  const [early, hasty, halfway, late] = voters as [Voter, Voter, Voter, Voter];
  const [questionId = ''] = setting.questionIds;
  await startQuestion(control.page);
  await vote(early.page, { choice: 'Yes' });
  await expect(votesOnPresentation(presentation.page, '1 of 4')).toBeVisible();
  await choose(halfway.page, { choice: 'Yes' });

  await test.step('it dies with a vote whose answer is under way', async () => {
    await loseAnswer({ ...hasty, answer: { choice: 'No' } }, () => box.hasVoteOf(questionId, hasty.username));
    await server.kill();
    hasty.network.restore();
  });

  await test.step('every screen says so, and keeps what it knew', async () => {
    await expect(titleOf(late.page, 'No connection')).toBeVisible();
    await expect(late.page.getByRole('radio', { name: 'Yes' })).toBeEnabled();
    await expect(control.page.getByText('No connection', { exact: true })).toBeVisible();
    await expect(presentation.page.getByText(/No connection/)).toBeVisible();
    await expect(titleOf(presentation.page, YES_NO.questionText)).toBeVisible();
    await expectChosen(halfway.page, { choice: 'Yes' });
    await submitButton(halfway.page).click();
    await expect(undelivered(halfway.page)).toBeVisible();
  });

  await server.startAgain();

  await test.step('what was handed in arrives once, and what was stored is still there', async () => {
    await Promise.all([
      ...[control, early, late].map(({ page }) =>
        expect(page.getByText('Connected', { exact: true })).toBeVisible(),
      ),
      ...[hasty, halfway].map(({ page }) => expect(stored(page)).toBeVisible()),
      expect(votesOnPresentation(presentation.page, '3 of 4')).toBeVisible(),
    ]);
    await early.page.reload();
    await expect(titleOf(early.page, 'You have already voted')).toBeVisible();
    await vote(late.page, { choice: 'Yes' });
    await expect(votesOnPresentation(presentation.page, '4 of 4')).toBeVisible();
    await endQuestion(control.page);
    expect(await box.tallyOf(questionId)).toEqual({ Yes: 3, No: 1 });
  });
});

test('two organizers whose clocks are hours wrong see the same, and none undoes what the other did', async ({
  openDevice,
  server,
}) => {
  const second = { ...YES_NO, questionText: 'Is the chair elected?' };
  const { setting, box, control, presentation, voters } = await startFullMeeting(
    openDevice,
    server.url,
    'Clock Club',
    1,
    [YES_NO, second],
    {
      control: 5,
      presentation: -26,
      voters: -7,
    },
  );
  const [voter] = voters as [Voter];
  const colleague = await openDevice(DESKTOP);
  await setClockWrong(colleague.page, -9);
  await openControl(colleague.page, setting);
  const controls = [control.page, colleague.page];

  await test.step('both see the round that one of them opened, open for seconds', async () => {
    await startQuestion(control.page);
    for (const page of controls) {
      await expect(page.getByRole('button', { name: 'End Question' })).toBeVisible();
      await expect(page.getByText(/^Elapsed 0:[0-5]\d$/)).toBeVisible();
    }
    await vote(voter.page, { choice: 'Yes' });
  });

  await test.step('a step that was decided on what is over is refused, with what changed', async () => {
    colleague.network.loseAnswers();
    await endQuestion(control.page);
    await nextQuestion(control.page, 2, 2);
    await startQuestion(control.page);
    await pressEndQuestion(colleague.page);
    colleague.network.restore();
    await expect(
      colleague.page
        .getByText(/Another organizer made a change first: voting on “Is the chair elected\?” is open now/)
        .first(),
    ).toBeVisible();
    await expect(titleOf(colleague.page, 'Question Control - 2 of 2')).toBeVisible();
    expect(await box.isOver(setting.questionIds[1] ?? '')).toBe(false);
  });

  await test.step('a countdown ends the round for everybody, without either laptop', async () => {
    await vote(voter.page, { choice: 'No' });
    await box.closeIn(COUNTDOWN_SECONDS);
    const rest = /\b0:(0\d|1[0-5])\b/;
    for (const page of [...controls, presentation.page]) {
      await expect(page.getByText(rest).first()).toBeVisible();
    }
    control.network.cut();
    colleague.network.cut();
    await eventually
      .poll(() => box.isOver(setting.questionIds[1] ?? ''), { timeout: (COUNTDOWN_SECONDS + 10) * 1_000 })
      .toBe(true);
    expect(await box.tallyOf(setting.questionIds[1] ?? '')).toEqual({ No: 1 });
    control.network.restore();
    colleague.network.restore();
    await Promise.all(controls.map((page) => expectEnded(page)));
  });
});

test('a phone that knows itself offline delivers its vote when it is online again', async ({
  openDevice,
  server,
}) => {
  const { setting, box, control, voters } = await startFullMeeting(openDevice, server.url, 'Tunnel Club', 1, [
    YES_NO,
  ]);
  const [{ page, network, username }] = voters as [Voter];
  const [questionId = ''] = setting.questionIds;
  await startQuestion(control.page);
  await choose(page, { choice: 'Yes' });
  network.cut();
  await page.context().setOffline(true);
  await submitButton(page).click();
  await expect(undelivered(page)).toBeVisible();
  expect(await box.hasVoteOf(questionId, username)).toBe(false);
  network.restore();
  await page.context().setOffline(false);
  await expect(stored(page)).toBeVisible();
  await endQuestion(control.page);
  expect(await box.tallyOf(questionId)).toEqual({ Yes: 1 });
});

test('a vote that comes too late is said not to count', async ({ openDevice, server }) => {
  const { setting, box, control, voters } = await startFullMeeting(openDevice, server.url, 'Late Club', 1, [
    YES_NO,
  ]);
  const [voter] = voters as [Voter];
  await startQuestion(control.page);
  await loseVote({ ...voter, answer: { choice: 'Yes' } });
  await endQuestion(control.page);
  voter.network.restore();
  await expect(titleOf(voter.page, 'Your vote was not counted')).toBeVisible();
  expect(await box.tallyOf(setting.questionIds[0] ?? '')).toEqual({});
});

/** The phone sends, but no data leave the hall; then the connection breaks. */
async function loseVote({ page, network, answer }: Device & { answer: Answer }): Promise<void> {
  await choose(page, answer);
  network.stall();
  await submitButton(page).click();
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
  network.cut();
  await expect(undelivered(page)).toBeVisible();
  await expect(stored(page)).toHaveCount(0);
}

/** The server stores the vote, but the phone receives no response. */
async function loseAnswer(
  { page, network, answer }: Device & { answer: Answer },
  hasArrived: () => Promise<boolean>,
): Promise<void> {
  await choose(page, answer);
  network.loseAnswers();
  await submitButton(page).click();
  await eventually.poll(hasArrived).toBe(true);
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
  network.cut();
  await expect(undelivered(page)).toBeVisible();
}

async function voteReloading({ page, answer }: Voter & { answer: Answer }): Promise<void> {
  await choose(page, answer);
  await page.reload();
  await expectChosen(page, answer);
  await submitButton(page).click();
  await expect(stored(page)).toBeVisible();
  await page.reload();
  await expect(titleOf(page, 'You have already voted')).toBeVisible();
}

async function halfFill({ page, network, answer }: Device & { answer: Answer }): Promise<void> {
  await choose(page, answer);
  network.cut();
  await expect(titleOf(page, 'No connection')).toBeVisible();
  await expectChosen(page, answer);
}

/** The server ends the voting, but the laptop receives no response. */
async function endUnheard({ page, network }: Device, isOver: () => Promise<boolean>): Promise<void> {
  network.loseAnswers();
  await pressEndQuestion(page);
  await eventually.poll(isOver).toBe(true);
  network.cut();
  await expect(page.getByText('No connection', { exact: true })).toBeVisible();
  network.restore();
  await expectEnded(page);
}

async function openControl(control: Page, setting: Setting): Promise<void> {
  await signInAsOrganizer(control, setting.organizer);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  await expect(control.getByText('Connected', { exact: true })).toBeVisible();
}

interface FullMeeting {
  setting: Setting;
  box: BallotBox;
  control: Device;
  presentation: Device;
  voters: Voter[];
}

/** A running meeting with all its participants. `hoursWrong` is the error of their devices' clocks. */
async function startFullMeeting(
  openDevice: OpenDevice,
  serverUrl: string,
  name: string,
  voterCount: number,
  questions: NewQuestion[],
  hoursWrong: { control: number; presentation: number; voters: number } = {
    control: 0,
    presentation: 0,
    voters: 0,
  },
): Promise<FullMeeting> {
  const setting = await arrange(serverUrl, { name, voters: voterCount, questions });
  const box = await BallotBox.of(serverUrl, setting);
  const control = await openDevice(DESKTOP);
  const presentation = await openDevice(PRESENTATION);
  await setClockWrong(control.page, hoursWrong.control);
  await setClockWrong(presentation.page, hoursWrong.presentation);
  const voters = await Promise.all(
    setting.voters.map(async ({ username }) => {
      const device = await openDevice(PHONE);
      await setClockWrong(device.page, hoursWrong.voters);
      await joinOnDevice(device, setting, username);
      return { ...device, username };
    }),
  );
  await openControl(control.page, setting);
  await presentation.page.goto(`/presentation/meeting/${setting.meetingId}`);
  await expect(control.page.getByText(new RegExp(`^${voterCount} Active Participants?$`))).toBeVisible();
  return { setting, box, control, presentation, voters };
}
