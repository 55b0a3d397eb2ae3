import type { Page } from '@playwright/test';
import { BUFFERING, DEFAULT_SETTINGS, HOLDING_BACK, Nginx } from './support/nginx';
import { endQuestion, nextQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect as eventually, PHONE, PRESENTATION, test } from './support/test';
import { type Answer, signInAsVoter, vote } from './support/voter';
import { BallotBox } from './support/voter-devices';

const expect = eventually.configure({ timeout: 10_000 });

interface Item {
  question: { questionText: string; questionType: string; options: string[] };
  answers: [Answer, Answer];
  tally: Record<string, number>;
}

const AGENDA: Item[] = [
  {
    question: { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] },
    answers: [{ choice: 'Yes' }, { choice: 'No' }],
    tally: { Yes: 1, No: 1 },
  },
  {
    // Longer than a buffer of nginx: its beginning is passed on, and its end is not.
    question: {
      questionText: 'Which of these shall be done first?'.padEnd(990, ' And why?'),
      questionType: 'MULTIPLE_CHOICE',
      options: Array.from({ length: 20 }, (_, index) =>
        `Measure ${index + 1} `.padEnd(190, 'at length ').trim(),
      ),
    },
    answers: [{ choices: [] }, { choices: [] }],
    tally: {},
  },
];
const [FIRST = '', SECOND = ''] = AGENDA[1]?.question.options ?? [];
AGENDA[1] = {
  ...(AGENDA[1] as Item),
  answers: [{ choices: [FIRST, SECOND] }, { choices: [SECOND] }],
  tally: { [FIRST]: 1, [SECOND]: 2 },
};

const LIVE = 'Connected';
const POLLING = 'Updated every few seconds';

for (const { proxy, club, settings, connections } of [
  { proxy: 'nginx as it comes', club: 'Proxy Club', settings: DEFAULT_SETTINGS, connections: [LIVE] },
  // It forwards data as long as the screen keeps up, so both states are correct.
  { proxy: 'an nginx that buffers', club: 'Buffer Club', settings: BUFFERING, connections: [LIVE, POLLING] },
  {
    proxy: 'an nginx that holds streams back',
    club: 'Silence Club',
    settings: HOLDING_BACK,
    connections: [POLLING],
  },
]) {
  test(`a meeting day behind ${proxy}`, async ({ openAs, server }) => {
    test.skip(!Nginx.isInstalled, 'There is no nginx, and none could be installed.');
    const setting = await arrange(server.url, {
      name: club,
      voters: 2,
      questions: AGENDA.map(({ question }) => question),
    });
    const box = await BallotBox.of(server.url, setting);
    const nginx = await Nginx.start(server.url, settings);
    const behind = { baseURL: nginx.url };
    const desk = await openAs(DESKTOP, behind);
    const presentation = await openAs(PRESENTATION, behind);
    const voters = [await openAs(PHONE, behind), await openAs(PHONE, behind)];

    await test.step('everybody comes in', async () => {
      await signInAsOrganizer(desk, setting.organizer);
      await desk.goto(`/client/meetings/${setting.meetingId}/control`);
      await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
      for (const [index, voter] of voters.entries()) {
        await voter.goto(`/participant/login/${setting.clientCode}`);
        await signInAsVoter(voter, `voter${index + 1}`, setting.voters[index]?.password ?? '');
        await voter.getByRole('link', { name: 'Join Meeting' }).click();
      }
      for (const page of [desk, ...voters]) {
        await expectConnected(page, connections);
      }
    });

    for (const [number, { question, answers, tally }] of AGENDA.entries()) {
      await test.step(`question ${number + 1}`, async () => {
        if (number > 0) {
          await nextQuestion(desk, number + 1, AGENDA.length);
        }
        await startQuestion(desk);
        for (const page of [presentation, ...voters]) {
          await expect(page.getByRole('heading', { name: question.questionText })).toBeVisible();
        }
        for (const [index, voter] of voters.entries()) {
          await vote(voter, answers[index] as Answer);
          await expect(presentation.getByText(`${index + 1} of 2`, { exact: true })).toBeVisible();
        }
        await expect(desk.getByRole('region', { name: 'Live Statistics' }).getByText('2 of 2')).toBeVisible();
        await endQuestion(desk);
        await expect(presentation.getByRole('heading', { name: 'Waiting for Question' })).toBeVisible();
        for (const voter of voters) {
          await expect(voter.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
        }
        expect(await box.tallyOf(setting.questionIds[number] ?? '')).toEqual(tally);
      });
    }

    await test.step('the connection is what it was', async () => {
      for (const page of [desk, ...voters]) {
        await expectConnected(page, connections);
      }
    });
    await nginx.stop();
  });
}

async function expectConnected(page: Page, words: string[]): Promise<void> {
  const shown = words.map((word) => page.getByText(word, { exact: true }));
  await expect(shown.reduce((either, other) => either.or(other))).toBeVisible();
}
