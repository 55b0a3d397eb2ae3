import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { tabTo } from './support/keyboard';
import { type Caller, signInThroughApi } from './support/organization';
import { signInAsOrganizer } from './support/organizer';
import { expectNothingCutOff, expectToast } from './support/screens';
import { arrange, type NewQuestion, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { choose, joinAsVoter, joinMeeting, signInAsVoter, submitButton, vote } from './support/voter';

const SMALL = { width: 360, height: 740 };
const LANDSCAPE = { width: 740, height: 360 };
/** Longer than the interval at which a screen polls the server. */
const SOON = { timeout: 12_000 };

const YES_NO = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };
const CHAIR = { questionText: 'Who shall chair?', questionType: 'YES_NO', options: ['Ada', 'Bo'] };
const REPAIRS = {
  questionText: 'What shall be repaired first?',
  questionType: 'MULTIPLE_CHOICE',
  options: ['Roof', 'Lifts', 'Garden'],
};

/** The organizer, without a screen. */
class Control {
  readonly #caller: Caller;
  readonly #setting: Setting;

  constructor(caller: Caller, setting: Setting) {
    this.#caller = caller;
    this.#setting = setting;
  }

  open(question = 0) {
    return this.#put('current-question', { questionId: this.#setting.questionIds[question] });
  }

  close() {
    return this.#put('current-question', { questionId: null });
  }

  closeIn(seconds: number) {
    return this.#put('countdown', { seconds });
  }

  async votes(): Promise<number> {
    const rounds = await this.#caller.get(`/api/client/meetings/${this.#setting.meetingId}/rounds`);
    return (rounds as unknown as { voteCount: number }[]).reduce((sum, round) => sum + round.voteCount, 0);
  }

  /** The usernames of the people who voted in the last round. */
  async whoVoted(): Promise<string[]> {
    const rounds = `/api/client/meetings/${this.#setting.meetingId}/rounds`;
    const last = ((await this.#caller.get(rounds)) as unknown as { id: string }[]).at(-1);
    const register = await this.#caller.get(`${rounds}/${last?.id}/register?voted=true`);
    return (register.data as { username: string }[]).map(({ username }) => username);
  }

  async invitation(): Promise<string> {
    const path = `/api/client/meetings/${this.#setting.meetingId}/generate-link`;
    const { invitationLink } = await this.#caller.post(path, {});
    return `/vote/${invitationLink}`;
  }

  async cancel(): Promise<void> {
    await this.#caller.put(`/api/client/meetings/${this.#setting.meetingId}`, { status: 'CANCELLED' });
  }

  async #put(path: string, data: object): Promise<void> {
    await this.#caller.put(`/api/client/meetings/${this.#setting.meetingId}/${path}`, data);
  }
}

async function meet(serverUrl: string, name: string, questions: NewQuestion[] = [YES_NO], voters = 1) {
  const setting = await arrange(serverUrl, { name, voters, questions });
  return { setting, control: new Control(await signInThroughApi(serverUrl, setting.organizer), setting) };
}

async function signIn(page: Page, setting: Setting, index = 0): Promise<void> {
  await page.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(page, setting.voters[index]?.username ?? '', setting.voters[index]?.password ?? '');
}

/** Loses every vote from this browser until the returned function is called. */
async function loseVotes(page: Page): Promise<() => Promise<void>> {
  const path = /\/questions\/[^/]+\/vote$/;
  await page.context().route(path, (route) => route.abort('connectionfailed'));
  return () => page.context().unroute(path);
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

test('a vote on a dead network is kept through a reload and a closed tab, and arrives once', async ({
  openAs,
  server,
}) => {
  const { setting, control } = await meet(server.url, 'Kept Club');
  const phone = await openAs(SMALL);
  await joinAsVoter(phone, setting);
  await control.open();
  await choose(phone, { choice: 'No' });
  const restore = await loseVotes(phone);
  await submitButton(phone).click();

  await expect(heading(phone, 'Not yet delivered')).toBeVisible();
  await expect(phone.getByText('Your answer:')).toBeVisible();
  await expect(phone.getByText('Vote submitted successfully!')).toHaveCount(0);
  await expectAccessibleInBothSchemes(phone, 'a vote that is not delivered');
  await phone.reload();
  await expect(heading(phone, 'Not yet delivered')).toBeVisible();
  await expect(phone.getByRole('radio')).toHaveCount(0);

  const again = await phone.context().newPage();
  await phone.close();
  await again.goto('/voting');
  await expect(again.getByText('One of your votes is not yet delivered.')).toBeVisible();
  await again.getByRole('button', { name: 'Logout' }).click();
  await expect(again.getByText(/If you log out now, it will not be sent/)).toBeVisible();
  await expectAccessibleInBothSchemes(again, 'logging out with a vote that is not delivered');
  await again.getByRole('button', { name: 'Stay' }).click();
  await joinMeeting(again, setting.meetingTitle);
  await expect(heading(again, 'Not yet delivered')).toBeVisible();
  // The count is not checked: a request that was under way when its page closed may still arrive.

  await restore();
  await expect(heading(again, 'Your vote is stored')).toBeVisible();
  await expect(again.getByText(/^The server confirmed it at \d\d:\d\d\.$/)).toBeVisible();
  await again.reload();
  await expect(heading(again, 'You have already voted')).toBeVisible();
  expect(await control.votes()).toBe(1);
});

test('whoever signs in next on the device sends no vote of the last one', async ({ openAs, server }) => {
  const { setting, control } = await meet(server.url, 'Shared Phone Club', [YES_NO], 2);
  const phone = await openAs(PHONE);
  await joinAsVoter(phone, setting);
  await control.open();
  await choose(phone, { choice: 'No' });
  const restore = await loseVotes(phone);
  await submitButton(phone).click();
  await expect(heading(phone, 'Not yet delivered')).toBeVisible();
  await phone.evaluate(() => {
    localStorage.removeItem('accessToken');
    localStorage.removeItem('refreshToken');
  });
  await phone.goto(`/participant/login/${setting.clientCode}`);
  await expect(phone.getByText(/A vote on this device is not yet delivered/)).toBeVisible();
  await restore();
  await joinAsVoter(phone, setting, 1);
  await expect(phone.getByRole('radio', { name: 'No' })).not.toBeChecked();
  expect(await control.whoVoted()).not.toContain(setting.voters[1]?.username);
});

test('a vote that comes too late is not counted, neither in its round nor in the next one', async ({
  openAs,
  server,
}) => {
  const { setting, control } = await meet(server.url, 'Too Late Club', [YES_NO, CHAIR]);
  const phone = await openAs(PHONE);
  await joinAsVoter(phone, setting);
  await control.open();
  await choose(phone, { choice: 'Yes' });
  let restore = await loseVotes(phone);
  await submitButton(phone).click();
  await expect(heading(phone, 'Not yet delivered')).toBeVisible();

  await test.step('the question is put anew while the vote is under way', async () => {
    await control.close();
    await control.open();
    await expect(phone.getByText(/The next question is open/)).toBeVisible();
    await expectToast(phone, 'New question is now active!');
    await expect(phone.getByRole('radio')).toHaveCount(0);
    await restore();
    await expect(heading(phone, 'Your vote was not counted')).toBeVisible();
    await expect(phone.getByText(/Your answer does not count in the new vote/)).toBeVisible();
    await expect(phone.getByRole('radio', { name: 'Yes' })).not.toBeChecked();
    expect(await control.votes()).toBe(0);
    await expectAccessibleInBothSchemes(phone, 'a vote that was not counted');
  });

  await test.step('the round closes while the vote is under way', async () => {
    restore = await loseVotes(phone);
    await choose(phone, { choice: 'No' });
    await submitButton(phone).click();
    await expect(heading(phone, 'Not yet delivered')).toBeVisible();
    await control.close();
    await restore();
    await expect(phone.getByText('Voting on this question ended before your vote arrived.')).toBeVisible();
    await expect(heading(phone, 'Waiting for Next Question')).toBeVisible();
    expect(await control.votes()).toBe(0);
  });

  await test.step('the voter goes on without waiting', async () => {
    await control.open();
    restore = await loseVotes(phone);
    await choose(phone, { choice: 'No' });
    await submitButton(phone).click();
    await control.open(1);
    await phone.getByRole('button', { name: 'Go on to the next question' }).click();
    await expect(heading(phone, 'Your vote on question 1 was not confirmed')).toBeVisible();
    await expectAccessibleInBothSchemes(phone, 'a vote that was set aside');
    await restore();
    await vote(phone, { choice: 'Ada' });
    expect(await control.votes()).toBe(1);
  });
});

test('a second tab and a second device show what the server has', async ({ openAs, server }) => {
  const { setting, control } = await meet(server.url, 'Two Devices Club');
  const tab = await openAs(PHONE);
  await joinAsVoter(tab, setting);
  const otherTab = await tab.context().newPage();
  await otherTab.goto(`/voting/meeting/${setting.meetingId}`);
  const tablet = await openAs(PHONE);
  const laptop = await openAs(DESKTOP);
  await joinAsVoter(tablet, setting);
  await joinAsVoter(laptop, setting);
  await control.open();
  for (const page of [otherTab, tablet, laptop]) {
    await choose(page, { choice: 'No' });
  }
  await vote(tab, { choice: 'Yes' });

  await submitButton(tablet).click();
  // Only the session that voted sees the answer: another person may know the password.
  await expect(
    tablet.getByText(/and it counts\. Only the device and session that you voted with/),
  ).toBeVisible();
  await expect(tablet.getByText('Not counted:')).toHaveCount(0);
  for (const page of [otherTab, laptop]) {
    await expect(heading(page, 'You have already voted')).toBeVisible(SOON);
    await expect(page.getByRole('radio')).toHaveCount(0);
  }
  await expect(otherTab.getByText('Your answer:')).toBeVisible();
  await expect(
    laptop.getByText('Only the device and session that you voted with show your answer.'),
  ).toBeVisible();
  await expect(laptop.getByText('Your answer:')).toHaveCount(0);
  await tablet.reload();
  await expect(heading(tablet, 'You have already voted')).toBeVisible();
  expect(await control.votes()).toBe(1);
});

test('a half-filled ballot stays until voting closes, and the screen says so', async ({ openAs, server }) => {
  const { setting, control } = await meet(server.url, 'Half Filled Club', [REPAIRS], 2);
  const phone = await openAs(PHONE);
  const other = await openAs(PHONE);
  await joinAsVoter(phone, setting);
  await joinAsVoter(other, setting, 1);
  await control.open();
  const isFilled = () => expect(phone.getByRole('checkbox', { name: 'Lifts' })).toBeChecked();
  await choose(phone, { choices: ['Lifts'] });
  await vote(other, { choices: ['Roof'] });
  await isFilled();
  await phone.reload();
  await isFilled();

  await control.closeIn(6);
  await expect(phone.getByRole('timer')).toHaveText(/^Voting closes in 0:0[1-6]$/);
  await isFilled();
  await expectAccessibleInBothSchemes(phone, 'a ballot with a countdown');
  await expect(heading(phone, 'Voting on this question has ended')).toBeVisible();
  await expect(phone.getByText('You had not submitted a vote on it, so none was counted.')).toBeVisible();
  await expectAccessibleInBothSchemes(phone, 'a question that was missed');
  expect(await control.votes()).toBe(1);
});

test('a proxy that holds the stream back does not keep anybody from voting', async ({ openAs, server }) => {
  const { setting, control } = await meet(server.url, 'Held Back Club');
  const phone = await openAs(PHONE);
  await phone.route(/\/stream\?/, () => undefined);
  await signIn(phone, setting);
  await phone.getByRole('link', { name: 'Join Meeting' }).click();
  await expect(heading(phone, 'Waiting for Next Question')).toBeVisible({ timeout: 4_000 });
  await expect(phone.getByText('Updated every few seconds')).toBeVisible({ timeout: 6_500 });
  await expectAccessibleInBothSchemes(phone, 'a meeting without a stream');
  await control.open();
  await choose(phone, { choice: 'Yes' });
  await vote(phone, { choice: 'Yes' });
  await control.close();
  await phone.reload();
  await expect(phone.getByRole('region', { name: 'Your Answers' })).toContainText('Yes', SOON);
});

test('a phone in the pocket holds no stream, and is right as soon as it is looked at', async ({
  openAs,
  server,
}) => {
  const { setting, control } = await meet(server.url, 'Pocket Club');
  const phone = await openAs(PHONE);
  await phone.clock.install();
  await joinAsVoter(phone, setting);
  let streams = 0;
  phone.on('request', (request) => {
    streams += /\/stream\?/.test(request.url()) ? 1 : 0;
  });
  await hide(phone, true);
  await phone.clock.fastForward(31_000);
  await phone.clock.fastForward(60_000);
  await control.open();
  await expect(phone.getByText('Reconnecting…')).toBeVisible();
  expect(streams).toBe(0);
  await hide(phone, false);
  await expect(phone.getByText('Connected', { exact: true })).toBeVisible();
  await expectToast(phone, 'New question is now active!');
  await vote(phone, { choice: 'Yes' });
});

function hide(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (hidden ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

test('an invitation leads each to where they belong', async ({ openAs, server }) => {
  const { setting, control } = await meet(server.url, 'Inviting Club');
  const elsewhere = (await meet(server.url, 'Elsewhere Club')).setting;
  const link = await control.invitation();
  const phone = await openAs(PHONE);

  await test.step('who is not signed in goes to the sign-in, and from there to the meeting', async () => {
    await phone.goto(link);
    await expect(phone).toHaveURL(/\/participant\/login\/inviting-club$/);
    await expect(phone.getByText(`You're joining: ${setting.meetingTitle}`)).toBeVisible();
    await signInAsVoter(phone, 'voter1', setting.voters[0]?.password ?? '');
    await expect(phone).toHaveURL(new RegExp(`/voting/meeting/${setting.meetingId}$`));
    expect(await phone.evaluate(() => sessionStorage.getItem('pendingMeeting'))).toBeNull();
  });

  await test.step('a voter of the organization goes straight to the meeting', async () => {
    await phone.goto(link);
    await expect(phone).toHaveURL(new RegExp(`/voting/meeting/${setting.meetingId}$`));
  });

  await test.step('a voter of another organization goes to the sign-in of this one', async () => {
    const stranger = await openAs(PHONE);
    await signIn(stranger, elsewhere);
    await expect(heading(stranger, 'Your Meetings')).toBeVisible();
    await stranger.goto(link);
    await expect(stranger.getByText(`You're joining: ${setting.meetingTitle}`)).toBeVisible();
    await signInAsVoter(stranger, 'voter1', setting.voters[0]?.password ?? '');
    await expect(stranger).toHaveURL(new RegExp(`/voting/meeting/${setting.meetingId}$`));
  });

  await test.step('an organizer is asked to sign in as a participant', async () => {
    const organizer = await openAs(PHONE);
    await signInAsOrganizer(organizer, setting.organizer);
    await organizer.goto(link);
    await expect(
      organizer.getByText('You need to log in as a participant to join this meeting'),
    ).toBeVisible();
    await expectAccessibleInBothSchemes(organizer, 'an invitation opened by an organizer');
  });

  await test.step('a lost answer says nothing of the link', async () => {
    const lost = /\/meetings\/by-link\//;
    await phone.route(lost, (route) => route.abort('connectionfailed'));
    await phone.goto(link);
    await expect(heading(phone, 'Your invitation could not be opened yet')).toBeVisible();
    await expect(heading(phone, 'Invalid Invitation')).toHaveCount(0);
    await expectAccessibleInBothSchemes(phone, 'an invitation without an answer');
    await phone.unroute(lost);
    await phone.getByRole('button', { name: 'Try again' }).click();
    await expect(phone).toHaveURL(new RegExp(`/voting/meeting/${setting.meetingId}$`));
  });

  await test.step('a link that leads nowhere, or is void, is invalid', async () => {
    await control.cancel();
    for (const path of ['/vote/nothing', link]) {
      await phone.goto(path);
      await expect(heading(phone, 'Invalid Invitation')).toBeVisible();
      await expect(
        phone.getByText(
          'Failed to process invitation link. The meeting may not exist or the link may have expired.',
        ),
      ).toBeVisible();
    }
    await expectAccessibleInBothSchemes(phone, 'an invalid invitation');
    await phone.getByRole('link', { name: 'Go to Participant Portal' }).click();
    await expect(phone).toHaveURL(/\/participant$/);
  });
});

test('a whole vote is cast by keyboard alone, and announced', async ({ openAs, server }) => {
  const { setting, control } = await meet(server.url, 'Keyboard Voter Club');
  const page = await openAs(SMALL);
  await page.goto('/participant');
  await tabTo(page, page.getByLabel('Organization Code'));
  await page.keyboard.type(setting.clientCode);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Username'));
  await page.keyboard.type('voter1');
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(setting.voters[0]?.password ?? '');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: 'Join Meeting' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page, 'waiting');

  await control.open();
  await expectToast(page, 'New question is now active!');
  await expect(page.getByRole('status').getByText(`Question: ${YES_NO.questionText}`)).toHaveCount(1);
  await expect(page.getByRole('radiogroup', { name: YES_NO.questionText })).toBeVisible();
  await tabTo(page, page.getByRole('radio', { name: 'Yes' }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'No' })).toBeChecked();
  await expectAccessibleInBothSchemes(page, 'a ballot');
  await tabTo(page, page.getByRole('button', { name: 'Submit Vote: No' }));
  await page.keyboard.press('Enter');
  await expectToast(page, 'Vote submitted successfully!');
  await expect(heading(page, 'Your vote is stored')).toBeVisible();
  await expectAccessibleInBothSchemes(page, 'a stored vote');
});

test('nothing is covered or cut off on small and turned phones, and with large text', async ({
  openAs,
  server,
}) => {
  const long = {
    questionText: `هل توافق على الميزانية؟ 🏠 ${'Wohnungseigentümergemeinschaftsversammlungsprotokoll '.repeat(4)}`,
    questionType: 'MULTIPLE_CHOICE',
    options: [
      'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen',
      'نعم، بالتأكيد',
      '👍🏽 Ja',
      'Nein',
    ],
  };
  const { setting, control } = await meet(server.url, 'Small Screen Club', [long]);
  const page = await openAs(SMALL);
  await joinAsVoter(page, setting);
  const back = page.getByRole('link', { name: 'Back' });

  await control.open();
  await page.getByRole('checkbox', { name: 'Nein' }).check();
  for (const viewport of [SMALL, LANDSCAPE]) {
    await page.setViewportSize(viewport);
    await expectNothingCutOff(page, submitButton(page));
    await page.getByRole('checkbox', { name: 'Nein' }).scrollIntoViewIfNeeded();
    await expectNothingCutOff(page, submitButton(page));
  }
  await page.setViewportSize(SMALL);
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  await expectNothingCutOff(page, submitButton(page));
  await page.addStyleTag({ content: 'html { font-size: 100% !important }' });

  await submitButton(page).click();
  for (const viewport of [SMALL, LANDSCAPE]) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectToast(page, 'Vote submitted successfully!');
    await back.click({ trial: true });
    await expectNothingCutOff(page, back);
  }
});
