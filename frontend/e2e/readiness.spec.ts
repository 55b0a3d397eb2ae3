import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { fingerprintOf } from './support/database';
import { foundOrganization, type Organization } from './support/organization';
import type { PlenumServer } from './support/plenum-server';
import { expectNothingCutOff, startAction } from './support/screens';
import { DESKTOP, expect, PHONE, testOnOwnServer as test } from './support/test';
import { signInAsVoter, vote } from './support/voter';
import { BallotBox } from './support/voter-devices';

const LOOK = { reducedMotion: 'reduce' } as const;
const PASSWORD = 'a long password';
const TITLE = 'General assembly';
const QUESTION = 'Do you approve the minutes?';
const DELAY = /^\d+(\.\d)? s$/;
/** A run generates dozens of passwords and signs in with each. */
const RUN_MS = 150_000;

interface Assembly {
  organization: Organization;
  meetingId: string;
  questionId: string;
}

test('a rehearsal shows whose phones work', async ({ server, openAs }) => {
  const assembly = await arrange(server, ['Anna Berg', 'Ben Holt', 'Cara Lund', 'Dora Pine']);
  const desk = await openAs(DESKTOP, { ...LOOK, ...assembly.organization.caller.browser });
  const anna = await openAs(PHONE, LOOK);
  const ben = await openAs(PHONE, LOOK);

  await test.step('before it, one has opened the meeting, one sees the list, one has gone again', async () => {
    await signIn(anna, assembly, 'anna');
    await anna.goto(`/voting/meeting/${assembly.meetingId}`);
    await expect(anna.getByText('Connected', { exact: true })).toBeVisible();
    await signIn(ben, assembly, 'ben');
    await expect(ben.getByRole('button', { name: 'Not Started Yet' })).toBeDisabled();
    const cara = await openAs(PHONE, LOOK);
    await signIn(cara, assembly, 'cara');
    await cara.context().close();
  });

  await test.step('the organizer starts it from the list of meetings', async () => {
    await desk.goto('/client/meetings');
    await startAction(desk, TITLE, 'Readiness Check');
    await expect(desk.getByRole('heading', { name: 'Readiness Check', level: 1 })).toBeVisible();
    await expect(desk.getByText('No rehearsal has been held yet.')).toBeVisible();
    await expect(personOf(desk, 'Anna Berg')).toContainText('Connected');
    await desk.getByRole('button', { name: 'Start Rehearsal' }).click();
    await expect(desk.getByText(/^Running since .*, started by/)).toBeVisible();
  });

  await test.step('phones show it, also one that was not in the meeting', async () => {
    await expect(cardOn(anna)).toBeVisible();
    await expectNothingCutOff(anna, anna.getByRole('button', { name: 'I see this' }));
    await expectAccessibleInBothSchemes(anna, "the voter's card");
    await ben.getByRole('link', { name: 'Join rehearsal' }).click();
    await expect(cardOn(ben)).toBeVisible();
    await anna.getByRole('button', { name: 'I see this' }).click();
    await expect(
      anna.getByText('Thank you. The organizer can see that your phone works.', { exact: true }),
    ).toBeVisible();
  });

  await test.step('the organizer reads who has answered, and who has not', async () => {
    await expectPerson(desk, 'Anna Berg', ['Answered', DELAY, DELAY]);
    await expectPerson(desk, 'Ben Holt', ['Received, no answer', DELAY, '–']);
    await expectPerson(desk, 'Cara Lund', ['Not connected', '–', '–']);
    await expectPerson(desk, 'Dora Pine', ['Never signed in', '–', '–']);
    await expect(personOf(desk, 'Dora Pine').getByRole('cell').last()).toHaveText('Never');
    expect(await figuresOf(desk)).toEqual({
      Invited: '4',
      Answered: '1',
      'Connected, no answer': '1',
      'Not connected': '1',
      'Never signed in': '1',
    });
    await expect(desk.getByRole('list', { name: 'What to do' }).getByRole('listitem')).toContainText([
      '1 is connected but did not answer',
      '1 is not connected',
      '1 has never signed in',
    ]);
  });

  await test.step('the list is narrowed to each of them', async () => {
    for (const [filter, name] of [
      ['Answered', 'Anna Berg'],
      ['Connected, no answer', 'Ben Holt'],
      ['Not connected', 'Cara Lund'],
      ['Never signed in', 'Dora Pine'],
    ] as const) {
      await desk.getByLabel('Filter by status').selectOption({ label: filter });
      await expect(desk.getByRole('heading', { name: 'People (1)' })).toBeVisible();
      await expect(personOf(desk, name)).toBeVisible();
    }
    await desk.getByLabel('Filter by status').selectOption({ label: 'Everybody' });
    await expect(desk.getByRole('heading', { name: 'People (4)' })).toBeVisible();
  });

  await test.step('everybody can use the page', async () => {
    await expectAccessibleInBothSchemes(desk, 'the readiness check');
    await desk.setViewportSize(PHONE);
    await expect(desk.getByRole('list', { name: 'People' })).toBeVisible();
    await expectNothingCutOff(desk);
    await desk.setViewportSize(DESKTOP);
  });

  await test.step('who comes back in the middle of it is not asked again', async () => {
    await anna.reload();
    await expect(anna.getByText('Thank you. The organizer can see that your phone works.')).toBeVisible();
    await expect(anna.getByRole('button', { name: 'I see this' })).toHaveCount(0);
  });

  await test.step('ending takes it off the phones, and what was found out stays', async () => {
    await desk.getByRole('button', { name: 'End Rehearsal' }).click();
    await expect(desk.getByText(/^Held from .* to .*, started by/)).toBeVisible();
    for (const phone of [anna, ben]) {
      await expect(phone.getByRole('heading', { name: 'Meeting Not Started Yet' })).toBeVisible();
      await expectNoRehearsal(phone);
    }
    await expectPerson(desk, 'Anna Berg', ['Answered', DELAY, DELAY]);
    await expectPerson(desk, 'Ben Holt', ['Received, no answer', DELAY, '–']);
  });
});

test('a question that opens ends the rehearsal, which no result knows of', async ({ server, openAs }) => {
  const assembly = await arrange(server, ['Anna Berg', 'Ben Holt']);
  const { caller } = assembly.organization;
  const path = `/api/client/meetings/${assembly.meetingId}`;
  await caller.post(`${path}/start`, {});
  const desk = await openAs(DESKTOP, caller.browser);
  const anna = await openAs(PHONE);
  const ben = await openAs(PHONE);
  for (const [phone, username] of [
    [anna, 'anna'],
    [ben, 'ben'],
  ] as const) {
    await signIn(phone, assembly, username);
    await phone.getByRole('link', { name: 'Join Meeting' }).click();
    await expect(phone.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
  }

  await openReadiness(desk, assembly);
  await desk.getByRole('button', { name: 'Start Rehearsal' }).click();
  await expect(cardOn(ben)).toBeVisible();
  await anna.getByRole('button', { name: 'I see this' }).click();
  await expect(anna.getByText('Thank you. The organizer can see that your phone works.')).toBeVisible();

  await caller.put(`${path}/current-question`, { questionId: assembly.questionId });
  for (const phone of [anna, ben]) {
    await expect(phone.getByRole('heading', { name: QUESTION })).toBeVisible();
    await expectNoRehearsal(phone);
  }
  await expect(desk.getByText(/^Held from .* to .*, started by/)).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Start Rehearsal' })).toBeDisabled();
  await expect(desk.getByRole('button', { name: 'Start Simulated Run' })).toBeDisabled();
  await expectPerson(desk, 'Anna Berg', ['Answered', DELAY, DELAY]);

  await vote(ben, { choice: 'Yes' });
  const box = await BallotBox.of(server.url, settingOf(assembly));
  expect(await box.hasVoteOf(assembly.questionId, 'ben')).toBe(true);
  expect(await box.hasVoteOf(assembly.questionId, 'anna'), 'an answer to a rehearsal is no vote').toBe(false);

  await caller.put(`${path}/current-question`, { questionId: null });
  expect(await box.tallyOf(assembly.questionId)).toEqual({ Yes: 1 });
  const results = await caller.get(`${path}/results/export?format=json`);
  const exported = JSON.stringify(results);
  expect(exported).toContain(QUESTION);
  expect(exported, 'nothing of the rehearsal').not.toMatch(/rehears/i);
  expect(await caller.get(`${path}/rounds`), 'the rounds of the meeting').toHaveLength(1);

  await test.step('discarded, it is as if there had been none', async () => {
    await desk.getByRole('button', { name: 'Discard' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Discard rehearsal' }).click();
    await expect(desk.getByText('No rehearsal has been held yet.')).toBeVisible();
    expect(await box.tallyOf(assembly.questionId)).toEqual({ Yes: 1 });
    expect(resultsOf(await caller.get(`${path}/results/export?format=json`))).toEqual(resultsOf(results));
  });
});

test('a simulated run answers in green, and leaves nothing behind', async ({ server, openAs }) => {
  test.setTimeout(2 * RUN_MS);
  const assembly = await arrange(server, ['Anna Berg']);
  const before = await fingerprintOf(server);
  const desk = await openAs(DESKTOP, { ...LOOK, ...assembly.organization.caller.browser });
  await openReadiness(desk, assembly);

  await test.step('a whole run', async () => {
    await desk.getByLabel('Voters').selectOption('25');
    await desk.getByRole('button', { name: 'Start Simulated Run' }).click();
    await expect(desk.getByRole('progressbar')).toBeVisible();
    const answer = desk.getByRole('heading', { name: /^(Green|Amber|Red|Stopped): / });
    await expect(answer).toBeVisible({ timeout: RUN_MS });
    const message = await desk.getByRole('status').filter({ has: answer }).innerText();
    expect(message).toMatch(/^Green: ready/);
    await expect(desk.getByRole('table', { name: 'Measured' })).toContainText('25 voters');
    await expect(desk.getByRole('row', { name: /^Votes counted/ })).toContainText(/(\d+) of \1 sent/);
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
    await expectAccessibleInBothSchemes(desk, 'the answer of a simulated run');
    await desk.setViewportSize(PHONE);
    await expect(desk.getByRole('list', { name: 'People' })).toBeVisible();
    await expectNothingCutOff(desk);
    await desk.setViewportSize(DESKTOP);
  });

  await test.step('one that is stopped while people sign in', async () => {
    await startRun(desk, /\/auth\/end-user\/login$/);
    await desk.getByRole('button', { name: 'Stop', exact: true }).click();
    await expectStopped(desk);
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
  });

  await test.step('one whose page is left', async () => {
    await startRun(desk, /\/vote$/);
    await desk.getByRole('link', { name: 'Back to Meetings' }).click();
    await startAction(desk, TITLE, 'Readiness Check');
    await expectStopped(desk);
    expect(await fingerprintOf(server), 'nothing is left').toEqual(before);
  });

  await test.step('one in whose middle real voters are asked to vote', async () => {
    const { caller } = assembly.organization;
    const path = `/api/client/meetings/${assembly.meetingId}`;
    await caller.post(`${path}/start`, {});
    await expect(desk.getByText('This meeting is running.')).toBeVisible();
    await desk.getByLabel('Voters').selectOption('200');
    await startRun(desk, /\/client\/end-users$/);
    await caller.put(`${path}/current-question`, { questionId: assembly.questionId });
    await expect(
      desk.getByText(`The simulated run was stopped: voting was opened in “${TITLE}”.`),
    ).toBeVisible();
    await expectStopped(desk);
    for (const list of ['meetings', 'end-users']) {
      const { data } = await caller.get(`/api/client/${list}?search=TEST_&page=1&pageSize=50`);
      expect(data, `test data among the ${list}`).toEqual([]);
    }
  });
});

/** A planned meeting with a question, and its voters. */
async function arrange(server: PlenumServer, names: string[]): Promise<Assembly> {
  const organization = await foundOrganization(server.url, 'Ready');
  const { caller } = organization;
  for (const name of names) {
    await caller.post('/api/client/end-users', { name, username: usernameOf(name), password: PASSWORD });
  }
  const meeting = await caller.post('/api/client/meetings', {
    title: TITLE,
    status: 'SCHEDULED',
    scheduledStartTime: new Date().toISOString(),
    scheduledEndTime: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const meetingId = meeting.id as string;
  const question = await caller.post('/api/client/questions', {
    meetingId,
    questionText: QUESTION,
    questionType: 'YES_NO',
    options: ['Yes', 'No'],
  });
  return { organization, meetingId, questionId: question.id as string };
}

function usernameOf(name: string): string {
  return name.split(' ')[0]?.toLowerCase() ?? name;
}

function settingOf({ organization, meetingId, questionId }: Assembly) {
  const { code, admin } = organization;
  return {
    clientCode: code,
    organizer: admin,
    voters: [],
    meetingId,
    meetingTitle: TITLE,
    questionIds: [questionId],
  };
}

async function signIn(phone: Page, { organization }: Assembly, username: string): Promise<void> {
  await phone.goto(`/participant/login/${organization.code}`);
  await signInAsVoter(phone, username, PASSWORD);
  await expect(phone.getByRole('heading', { name: 'Your Meetings' })).toBeVisible();
}

async function openReadiness(desk: Page, { meetingId }: Assembly): Promise<void> {
  await desk.goto(`/client/meetings/${meetingId}/readiness`);
  await expect(desk.getByRole('table', { name: 'People' })).toBeVisible();
}

/** Starts a simulated run, and waits until it sends a request to `address`. */
async function startRun(desk: Page, address: RegExp): Promise<void> {
  await Promise.all([
    desk.waitForRequest((request) => request.method() === 'POST' && address.test(request.url()), {
      timeout: RUN_MS,
    }),
    desk.getByRole('button', { name: 'Start Simulated Run' }).click(),
  ]);
}

/** The verdict appears after the test data are deleted. */
async function expectStopped(desk: Page): Promise<void> {
  await expect(desk.getByRole('heading', { name: 'Stopped: no answer' })).toBeVisible({ timeout: 60_000 });
}

function cardOn(phone: Page): Locator {
  return phone.getByText('This is a rehearsal. Nothing is counted.');
}

async function expectNoRehearsal(phone: Page): Promise<void> {
  await expect(cardOn(phone)).toHaveCount(0);
  await expect(phone.getByText('The organizer can see that your phone works.')).toHaveCount(0);
  await expect(phone.getByRole('button', { name: 'I see this' })).toHaveCount(0);
}

function personOf(desk: Page, name: string): Locator {
  return desk.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: name });
}

/** The person's status, and the delays of the receipt and the answer. */
async function expectPerson(desk: Page, name: string, [status, ...delays]: (string | RegExp)[]) {
  const cells = personOf(desk, name).getByRole('cell');
  await expect(cells.nth(1)).toHaveText(status ?? '');
  for (const [index, delay] of delays.entries()) {
    await expect(cells.nth(2 + index)).toHaveText(delay);
  }
}

/** The figures of the rehearsal by their labels. */
function figuresOf(desk: Page): Promise<Record<string, string>> {
  return desk
    .getByRole('region', { name: 'Rehearsal' })
    .locator('dl > div')
    .evaluateAll((figures) =>
      Object.fromEntries(
        figures.map((figure) => [
          figure.querySelector('dt')?.textContent ?? '',
          figure.querySelector('dd')?.textContent ?? '',
        ]),
      ),
    );
}

/** Without the time of the export. */
function resultsOf(file: Record<string, unknown>): unknown {
  return file.rounds;
}
