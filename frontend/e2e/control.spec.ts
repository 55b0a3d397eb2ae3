import { type APIRequestContext, type Page, request } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { type Caller, signInThroughApi } from './support/organization';
import { startQuestion } from './support/organizer';
import { expectNothingCutOff, expectToast } from './support/screens';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { setClockWrong } from './support/wrong-clock';

const SMALL = { width: 360, height: 740 };

const QUESTIONS = ['Is the agenda adopted?', 'Are the accounts approved?', 'Is the board discharged?'].map(
  (questionText) => ({ questionText, questionType: 'YES_NO', options: ['Yes', 'No'] }),
);

interface ControlSetup {
  setting: Setting;
  caller: Caller;
  /** Opens the control screen on a device of its own. */
  open: (
    viewport: { width: number; height: number },
    prepare?: (page: Page) => Promise<void>,
  ) => Promise<Page>;
  /** Submits a voter's answer to the open question. */
  vote: (voter: number) => Promise<void>;
}

const controlTest = test.extend<{ control: ControlSetup }>({
  control: async ({ openAs, server }, use, { testId }) => {
    const setting = await arrange(server.url, {
      name: `Control ${testId.slice(-6)} ${Date.now().toString(36)}`,
      voters: 3,
      questions: QUESTIONS,
    });
    const caller = await signInThroughApi(server.url, setting.organizer);
    const api = await request.newContext({ baseURL: server.url });
    await use({
      setting,
      caller,
      open: async (viewport, prepare) => {
        const page = await openAs(viewport, caller.browser);
        await prepare?.(page);
        await page.goto(`/client/meetings/${setting.meetingId}/control`);
        await expect(page.getByText('Connected', { exact: true })).toBeVisible();
        return page;
      },
      vote: (voter) => voteThroughApi(api, setting, voter),
    });
    await api.dispose();
  },
});

async function voteThroughApi(api: APIRequestContext, setting: Setting, voter: number): Promise<void> {
  const person = setting.voters[voter];
  const login = await api.post('/api/auth/end-user/login', {
    data: { clientCode: setting.clientCode, ...person },
  });
  const headers = { Authorization: `Bearer ${(await login.json()).token}` };
  const path = `/api/voting/meetings/${setting.meetingId}`;
  const { meeting } = await (await api.get(path, { headers })).json();
  const open = meeting.questions.find(({ isActive }: { isActive: boolean }) => isActive);
  const answer = await api.post(`${path}/questions/${open.id}/vote`, {
    headers,
    data: { answers: ['Yes'], roundId: open.roundId },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

const panelOf = (page: Page) => page.getByRole('region', { name: /^Question Control/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

controlTest('two organizers see the same', async ({ control }) => {
  const olga = await control.open(DESKTOP);
  const paul = await control.open(DESKTOP);
  await startQuestion(olga);
  await expect(button(paul, 'End Question')).toBeVisible();
  await expect(
    panelOf(paul).getByText('Changed on another screen: voting on question 1 is open now.'),
  ).toBeVisible();

  await paul.getByRole('button', { name: 'Next' }).click();
  for (const page of [olga, paul]) {
    await expect(page.getByRole('heading', { name: 'Question Control - 2 of 3' })).toBeVisible();
    await expect(button(page, 'Start Question')).toBeEnabled();
    await expect(panelOf(page).getByText('On the presentation, not opened yet')).toBeVisible();
  }
});

controlTest('a step on an old state is refused with what changed', async ({ control }) => {
  const paul = await control.open(DESKTOP);
  // The server answers Paul's click by the state that Paul saw: another organizer was a moment faster.
  await paul.route(
    '**/current-question?step=*',
    async (route) => {
      await control.caller.put(`/api/client/meetings/${control.setting.meetingId}/current-question`, {
        questionId: control.setting.questionIds[1],
      });
      await route.continue();
    },
    { times: 1 },
  );
  await button(paul, 'Start Question').click();
  await expect(
    panelOf(paul).getByText(/^Another organizer made a change first: .*Are the accounts approved/),
  ).toBeVisible();
  await expect(paul.getByRole('heading', { name: 'Question Control - 2 of 3' })).toBeVisible();
  await expect(button(paul, 'End Question')).toBeVisible();
});

controlTest(
  'a countdown closes the voting by itself, also when its organizer is gone',
  async ({ control }) => {
    const olga = await control.open(DESKTOP, (page) => setClockWrong(page, 7));
    const paul = await control.open(PHONE, (page) => setClockWrong(page, -5));
    await startQuestion(olga);
    await expect(panelOf(olga).getByRole('timer', { name: 'Elapsed time' })).toHaveText(/^Elapsed 0:\d\d$/);
    const countdown = olga.getByRole('region', { name: 'Countdown' });
    await countdown.getByText('Custom', { exact: true }).click();
    await countdown.getByLabel('Length in seconds').fill('6');
    await countdown.getByRole('button', { name: 'Start Countdown' }).click();
    await expect(countdown.getByRole('timer')).toHaveText(/^0:0[1-6]$/);
    await expect(paul.getByRole('region', { name: 'Countdown' }).getByRole('timer')).toHaveText(/^0:0[1-6]$/);
    await olga.close();
    await expect(
      panelOf(paul).getByText('The countdown has ended and voting has closed automatically.'),
    ).toBeVisible();
    await expect(button(paul, 'Start Question')).toBeVisible();
    await expect(panelOf(paul).getByText('On the presentation, voting closed')).toBeVisible();
  },
);

controlTest('who has not voted is named, and ending asks while votes come in', async ({ control }) => {
  await control.caller.put(`/api/client/meetings/${control.setting.meetingId}`, {
    countsSurveysAtEnd: false,
  });
  const page = await control.open(DESKTOP);
  await startQuestion(page);
  await control.vote(0);
  await page.getByRole('button', { name: '2 not voted yet' }).click();
  const names = page.getByRole('dialog', { name: 'Not voted yet' });
  await expect(names.getByText('Voter 2', { exact: true })).toBeVisible();
  await expect(names.getByText('Voter 1', { exact: true })).toHaveCount(0);
  await control.vote(1);
  await expect(names.getByText('Voter 2', { exact: true })).toHaveCount(0);
  await expect(names.getByText('1 person has not voted yet')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(names).toHaveCount(0);

  await button(page, 'End Question').dblclick();
  const guard = page.getByRole('alertdialog', {
    name: /^Votes are still coming in: \d in the last 10 seconds, 1 has not voted\.$/,
  });
  await expect(guard).toBeVisible();
  await expect(button(page, 'Keep Voting Open')).toBeFocused();
  await expectAccessibleInBothSchemes(page, 'the question before ending');
  await button(page, 'End Question Now').click();
  await expectToast(page, 'Question ended and participants notified');

  // Still available after the end.
  await page.getByRole('button', { name: '1 person did not vote' }).click();
  await expect(page.getByRole('dialog').getByText('Voter 3', { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page, 'who did not vote');
  await page.keyboard.press('Escape');

  // Everybody has voted, so there is no confirmation.
  await button(page, 'Reopen').click();
  await expect(button(page, 'End Question')).toBeVisible();
  await control.vote(2);
  await expect(page.getByText('3 of 3', { exact: true }).first()).toBeVisible();
  await button(page, 'End Question').click();
  await expect(button(page, 'Reopen')).toBeVisible();

  // A count is final.
  await expectAccessibleInBothSchemes(page, 'the question before counting');
  await button(page, 'Count Votes').click();
  await expectToast(page, 'Votes on question 1 counted');
  await expect(button(page, 'Declare result')).toBeVisible();
  await expect(button(page, 'Start Question')).toHaveCount(0);
  await expect(button(page, 'Reopen')).toHaveCount(0);
});

controlTest('the meeting is run by keyboard', async ({ control }) => {
  const page = await control.open(DESKTOP);
  await expect(page.getByRole('list', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { name: 'Question Control - 2 of 3' })).toBeVisible();
  await expect(button(page, 'Previous')).toBeEnabled();
  await page.keyboard.press('Space');
  await expect(button(page, 'End Question')).toBeVisible();
  await control.vote(0);
  await expect(page.getByText('1 of 3', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Question Control - 1 of 3' })).toBeVisible();
});

controlTest('a question is previewed, and shown when that is asked for', async ({ control }) => {
  for (const viewport of [DESKTOP, PHONE, SMALL]) {
    const page = await control.open(viewport);
    await page.getByRole('navigation', { name: 'Agenda' }).getByText('Is the board discharged?').click();
    const preview = page.getByRole('region', { name: 'Preview of question 3' });
    await expect(preview.getByRole('button', { name: 'Show on Presentation' })).toBeInViewport();
    await expectNothingCutOff(page);
    await expectAccessibleInBothSchemes(page, `a preview at ${viewport.width}`);
    await page.close();
  }
  const page = await control.open(DESKTOP);
  await page.getByRole('navigation', { name: 'Agenda' }).getByText('Is the board discharged?').click();
  await button(page, 'Show on Presentation').click();
  await expect(page.getByRole('heading', { name: 'Question Control - 3 of 3' })).toBeVisible();
  await startQuestion(page);
  await expectAccessibleInBothSchemes(page, 'an open question with its countdown');
});
