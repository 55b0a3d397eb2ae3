import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { exportAs, pagesOfPdf, textOfWorkbook } from './support/exports';
import { signInThroughApi } from './support/organization';
import { countVotes, endQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { BINARY } from './support/plenum-server';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, PHONE, PRESENTATION, test } from './support/test';
import { joinAsVoter, vote } from './support/voter';

const TWO_THIRDS_OF_THE_VOTES = {
  units: 'weight',
  base: 'yes_plus_no',
  comparison: 'more_than',
  numerator: 2,
  denominator: 3,
};
const HALF_OF_THE_REGISTER = {
  units: 'weight',
  base: 'whole_register',
  comparison: 'at_least',
  numerator: 1,
  denominator: 2,
};
const WEIGHTS = [41.2345, 20.5, 12.0001, 8.25];
const MOTION = 'Shall the façade be repaired?';

interface Result {
  roundId: string;
  arithmetic: { sentence: string; quorum: { sentence: string } | null };
  options: { text: string; heads: number; weight: number; headsPercent: number; weightPercent: number }[];
  register: { heads: number; weight: number };
  votesCast: { heads: number; weight: number };
  declared: { at: string; by: string } | null;
}

/** A motion of an owners' association: two thirds of the votes, and half of all shares. */
async function arrangeMotion(serverUrl: string, name: string): Promise<Setting> {
  const setting = await arrange(serverUrl, { name, voters: WEIGHTS.length, questions: [] });
  const organizer = await signInThroughApi(serverUrl, setting.organizer);
  const { data } = await organizer.get('/api/client/end-users');
  for (const [index, weight] of WEIGHTS.entries()) {
    const endUser = (data as { id: string; username: string }[]).find(
      ({ username }) => username === `voter${index + 1}`,
    );
    await organizer.put(`/api/client/end-users/${endUser?.id}`, { weight });
  }
  await organizer.put(`/api/client/meetings/${setting.meetingId}`, {
    quorum: {
      comparison: 'at_least',
      numerator: 1,
      denominator: 2,
      unit: 'heads',
      attendance: 'present',
      atOpening: 'warn',
    },
  });
  await organizer.post('/api/client/questions', {
    meetingId: setting.meetingId,
    questionText: MOTION,
    questionType: 'YES_NO',
    options: ['Yes', 'No', 'Abstain'],
    isNamed: true,
    decisionRule: {
      kind: 'majority',
      conditions: [TWO_THIRDS_OF_THE_VOTES, HALF_OF_THE_REGISTER],
      onTie: 'rejected',
    },
  });
  return setting;
}

/** The text of a screen, with each run of white space as one blank. */
async function textOf(page: Page): Promise<string> {
  const text = await page.locator('body').innerText();
  return text.replaceAll(/\s+/g, ' ');
}

function expectAll(where: string, text: string, figures: (string | number)[]): void {
  for (const figure of figures) {
    expect(text, `${where} shows ${figure}`).toContain(String(figure));
  }
}

test('the same numbers stand on every screen and in every file', async ({ openAs, server }, testInfo) => {
  test.setTimeout(180_000);
  const setting = await arrangeMotion(server.url, 'Facade Owners');
  const [organizer, presentation, ...phones] = await Promise.all([
    openAs(DESKTOP),
    openAs(PRESENTATION),
    openAs(PHONE),
    openAs(PHONE),
    openAs(PHONE),
  ]);
  await signInAsOrganizer(organizer, setting.organizer);
  await organizer.goto(`/client/meetings/${setting.meetingId}/control`);
  await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
  await Promise.all(phones.map((phone, index) => joinAsVoter(phone, setting, index)));
  await expect(organizer.getByText('Quorum met', { exact: true })).toBeVisible();
  await startQuestion(organizer);
  await Promise.all(
    phones.map((phone, index) => vote(phone, { choice: ['Yes', 'Yes', 'No'][index] ?? 'Abstain' })),
  );

  const api = await signInThroughApi(server.url, setting.organizer);
  const meetingPath = `/api/client/meetings/${setting.meetingId}`;
  const sentence = /By weight, 61\.7345 of 73\.7346 were yes/;
  await test.step('nobody reads a tally while votes are taken, and only the organizer before it is declared', async () => {
    for (const page of [organizer, presentation, ...phones]) {
      await expect(page.getByText(sentence)).toHaveCount(0);
    }
    await endQuestion(organizer);
    await expect(organizer.getByText(/The votes are not counted yet/)).toBeVisible();
    await expect(organizer.getByText(sentence)).toHaveCount(0);
    await countVotes(organizer);
    await expect(organizer.getByText(sentence).first()).toBeVisible();
    await expect(presentation.getByText(sentence)).toHaveCount(0);

    await organizer.getByRole('button', { name: 'Declare result' }).click();
    await organizer
      .getByRole('dialog', { name: /^Declare the result/ })
      .getByRole('button', { name: 'Declare result' })
      .click();
    await expect(organizer.getByText(/Declared at .* by Olga Ritter/)).toBeVisible();
    await expect(presentation.getByText(sentence).first()).toBeVisible();
    for (const phone of phones) {
      await expect(phone.getByText(sentence).first()).toBeVisible();
    }
  });

  const { rounds } = (await api.get(`${meetingPath}/results`)) as unknown as { rounds: Result[] };
  const result = rounds[0] as Result;
  const yes = result.options.find(({ text }) => text === 'Yes');
  expect(yes).toMatchObject({ heads: 2, weight: 61.7345 });
  const words = result.arithmetic.sentence;
  const chairWords =
    'By weight, 61.7345 of 73.7346 were yes; more than two thirds were needed. ' +
    'By weight, 61.7345 of 81.9846 in the register were yes; at least half was needed. Accepted.';
  // 61.7345 of 73.7346, and of the 81.9846 of all.
  expectAll('the sentence', words, ['61.7345 of 73.7346', '61.7345 of 81.9846', '83.73 %', '75.30 %']);
  const present = 'connected at opening, or voted';
  const counts = result.options.filter(({ heads }) => heads > 0);
  const figures = counts.flatMap(({ weight, weightPercent }) => [weight, weightPercent.toFixed(2)]);
  // Screens show whole percentages of the base of the rule: 61.7345 and 12.0001 of 73.7346.
  const shown = [
    ...counts.map(({ weight }) => weight),
    '84 %',
    '16 %',
    'Percentages are of the yes and no votes.',
  ];

  await test.step('every screen shows the numbers', async () => {
    expectAll('control', await textOf(organizer), [chairWords, ...shown]);
    expectAll('the presentation', await textOf(presentation), [chairWords, ...shown]);
    for (const phone of phones) {
      // The details of a result are loaded with the first one.
      await expect(phone.getByText('Percentages are of the yes and no votes.').first()).toBeVisible();
      expectAll('a voter', await textOf(phone), [chairWords, ...shown]);
    }
    await expectAccessibleInBothSchemes(presentation, 'the declared result on the presentation');
    await expectAccessibleInBothSchemes(phones[2] as Page, 'the declared result on a phone');
    await expect(phones[2]?.getByText(/You voted: No/).first() ?? organizer.locator('none')).toBeVisible();
  });

  await test.step('the results page shows the numbers', async () => {
    await organizer.goto(`/client/meetings/${setting.meetingId}/results`);
    await expect(organizer.getByText(sentence).first()).toBeVisible();
    expectAll('the results page', await textOf(organizer), [chairWords, ...shown, 'Olga Ritter', present]);
    await expectAccessibleInBothSchemes(organizer, 'the results page');
  });

  await test.step('the tables have the numbers', async () => {
    const csv = await exportAs(organizer, 'CSV');
    const table = new TextDecoder().decode(csv.bytes);
    expectAll('CSV', table, [words, ...figures, 'Olga Ritter', 'Voter 3', 'No', present]);
    const workbook = textOfWorkbook((await exportAs(organizer, 'Excel (XLSX)')).bytes);
    expectAll('XLSX', workbook, [
      words,
      ...counts.map(({ weight }) => weight),
      'Olga Ritter',
      'Voter 3',
      present,
    ]);
  });

  await test.step('the JSON file has the numbers, and agrees by itself', async () => {
    const json = (await exportAs(organizer, 'JSON')).bytes;
    expect(JSON.parse(new TextDecoder().decode(json)).rounds[0].result).toEqual(result);
    const file = testInfo.outputPath('results.json');
    await writeFile(file, json);
    const env = { ...process.env, PLENUM_EVIDENCE_KEY_FILE: server.evidenceKeyFile };
    const verified = await promisify(execFile)(BINARY, ['verify', file], { env });
    expect(verified.stdout).toContain('agrees');
    expect(verified.stdout).toMatch(/Verdict: signed by [0-9a-f]{64} and consistent\./);
  });

  await test.step('the minutes have the numbers', async () => {
    const pages = await pagesOfPdf((await exportAs(organizer, 'Minutes as PDF')).bytes);
    expect(pages[0]).toContain(`Page 1 of ${pages.length}`);
    // The minutes break lines at any place.
    const minutes = pages.join(' ').replaceAll(' ', '');
    expectAll(
      'the minutes',
      minutes,
      [chairWords, MOTION, ...figures, 'Olga Ritter', 'Voter 3', present].map((text) =>
        String(text).replaceAll(' ', ''),
      ),
    );
  });
});

test('too few, somebody with a conflict of interest, a latecomer, a tie, and a re-vote', async ({
  openAs,
  server,
}) => {
  test.setTimeout(180_000);
  const setting = await arrange(server.url, {
    name: 'Tied Rowers',
    voters: 4,
    questions: [{ questionText: 'Is a new boat bought?', questionType: 'YES_NO', options: ['Yes', 'No'] }],
  });
  const caller = await signInThroughApi(server.url, setting.organizer);
  const meetingPath = `/api/client/meetings/${setting.meetingId}`;
  const quorum = {
    comparison: 'at_least',
    numerator: 3,
    denominator: 4,
    unit: 'heads',
    attendance: 'present',
  };
  await caller.put(meetingPath, { quorum: { ...quorum, atOpening: 'bar' } });
  const simple = { ...HALF_OF_THE_REGISTER, units: 'heads', base: 'yes_plus_no', comparison: 'more_than' };
  await caller.put(`/api/client/questions/${setting.questionIds[0]}`, {
    decisionRule: { kind: 'majority', conditions: [simple], onTie: 'rejected' },
  });

  const [control, presentation, anna, ben, cleo, dan] = await Promise.all([
    openAs(DESKTOP, caller.browser),
    openAs(PRESENTATION),
    openAs(PHONE),
    openAs(PHONE),
    openAs(PHONE),
    openAs(PHONE),
  ]);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
  await joinAsVoter(anna, setting, 0);

  await test.step('one of four is too few, and the fourth takes no part', async () => {
    const meter = control.getByRole('region', { name: 'Quorum' });
    await expect(meter).toContainText('1 present, 3 needed. The quorum is at least 3/4 of 4;');
    await expect(control.getByRole('button', { name: 'Start Question' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await control.getByRole('button', { name: 'Exclude from this question' }).click();
    const excluded = control.getByRole('dialog', { name: /^Excluded from question 1/ });
    await excluded.getByRole('button', { name: 'Exclude a person' }).click();
    await excluded.getByRole('radio', { name: /Voter 4/ }).check();
    await excluded.getByLabel(/^Reason/).fill('Sells the boat');
    await excluded.getByRole('button', { name: 'Exclude from this question' }).click();
    await expect(excluded.getByText(/Sells the boat/)).toBeVisible();
    await control.keyboard.press('Escape');
    await Promise.all([
      joinAsVoter(ben, setting, 1),
      joinAsVoter(cleo, setting, 2),
      joinAsVoter(dan, setting, 3),
    ]);
    await expect(meter).toContainText('4 present, 3 needed. The quorum is at least 3/4 of 4;');
    await expect(meter).toContainText('Quorum met');
    await startQuestion(control);
    await expect(meter).toContainText('3 present, 3 needed. The quorum is at least 3/4 of 3;');
    await expect(dan.getByText(/You do not take part in this question/)).toBeVisible();
  });

  const lena = await test.step('a latecomer is admitted while voting is open', async () => {
    const late = { username: 'late', name: 'Lena Late', password: 'a long password' };
    await caller.post('/api/client/end-users', { ...late, weight: 2 });
    await control.getByRole('button', { name: /not voted yet$/ }).click();
    const missing = control.getByRole('dialog', { name: 'Not voted yet' });
    await missing.getByRole('button', { name: 'Admit a latecomer' }).click();
    const admit = missing.getByRole('button', { name: 'Admit to this round' });
    await expect(missing.getByText('5 active end users')).toBeVisible();
    const placeBefore = await admit.boundingBox();
    await missing.getByLabel('Search active end users').fill('Lena');
    await expect(missing.getByText('1 active end user found')).toBeVisible();
    expect(await admit.boundingBox(), 'it moves while somebody presses it').toEqual(placeBefore);
    await missing.getByRole('radio', { name: /Lena Late/ }).check();
    await missing.getByLabel(/^Reason/).fill('The train was late');
    await admit.click();
    await expect(control.getByText('Lena Late can vote now')).toBeVisible();
    await control.keyboard.press('Escape');
    const lena = await openAs(PHONE);
    await joinAsVoter(lena, { ...setting, voters: [late] }, 0);
    return lena;
  });

  const pages = [anna, ben, cleo, lena];
  const say = (answers: string[]) =>
    Promise.all(pages.map((page, index) => vote(page, { choice: answers[index] ?? '' })));
  const tied = '2 of 4 votes were yes; more than half was needed.';
  await test.step('a tie is declared', async () => {
    await say(['Yes', 'No', 'Yes', 'No']);
    await endQuestion(control);
    await countVotes(control);
    await expect(control.getByText(tied).first()).toBeVisible();
    await expect(control.getByText(/A tie is rejected/).first()).toBeVisible();
    await control.getByRole('button', { name: 'Declare result' }).click();
    await control.getByRole('dialog').getByRole('button', { name: 'Declare result' }).click();
    await expect(presentation.getByText(tied).first()).toBeVisible();
  });

  const accepted = '3 of 4 votes were yes; more than half was needed.';
  await test.step('a re-vote, for a reason; the first result stays', async () => {
    await control.getByRole('button', { name: 'Re-vote' }).click();
    const again = control.getByRole('dialog', { name: 'Start a re-vote?' });
    await again.getByRole('button', { name: 'Start Re-vote' }).click();
    await expect(again.getByText('Enter the reason')).toBeVisible();
    await again.getByLabel(/^Reason/).fill('The seller has lowered the price');
    await again.getByRole('button', { name: 'Start Re-vote' }).click();
    await expect(control.getByRole('button', { name: 'End Question' })).toBeVisible();
    await expect(presentation.getByText(tied)).toHaveCount(0);
    await say(['Yes', 'Yes', 'Yes', 'No']);
    await endQuestion(control);
    await countVotes(control);
    await expect(control.getByText(accepted).first()).toBeVisible();
    await expect(presentation.getByText(accepted)).toHaveCount(0);
  });

  await test.step('the results page and the minutes have both rounds, the log and the remark', async () => {
    await control.goto(`/client/meetings/${setting.meetingId}/results`);
    await control.getByLabel(/^Note/).fill('The light went out for a minute.');
    await control.getByRole('button', { name: 'Note Remark' }).click();
    const noted = control.getByRole('list', { name: 'Recorded notes' });
    await expect(noted.getByText('The light went out for a minute.')).toBeVisible();
    const text = await textOf(control);
    expectAll('the results page', text, [
      tied,
      accepted,
      'The seller has lowered the price',
      'Not declared yet',
    ]);
    expectAll('the log', text, ['Sells the boat', 'The train was late', 'Lena Late', 'Voter 4']);
    const minutes = (await pagesOfPdf((await exportAs(control, 'Minutes as PDF')).bytes)).join(' ');
    expectAll('the minutes', minutes, [
      'The light went out',
      'The train was late',
      'Sells the boat',
      'Not declared',
    ]);
  });
});
