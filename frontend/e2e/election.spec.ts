import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { exportAs, pagesOfPdf } from './support/exports';
import { pressEndQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, testOnOwnServer as test } from './support/test';
import { joinAsVoter, submitButton } from './support/voter';

const BOARD = ['Nadia Brandt', 'Tomas Reyes', 'Imani Okafor', 'Jonas Weber'];
const CHOICES = [
  ['Nadia Brandt', 'Tomas Reyes'],
  ['Nadia Brandt', 'Imani Okafor'],
  ['Nadia Brandt', 'Tomas Reyes'],
  ['Nadia Brandt', 'Imani Okafor'],
];

const candidate = (page: Page, name: string | RegExp) => page.getByRole('checkbox', { name });
const stored = (page: Page) => page.getByRole('heading', { name: 'Your vote is stored' });

test('a board is elected, a tie for the last seat is decided by lot, and the minutes tell it', async ({
  openAs,
  server,
}) => {
  const question = {
    questionText: 'Who joins the board?',
    questionType: 'ELECTION',
    options: BOARD,
    decisionRule: {
      kind: 'election',
      election: {
        method: 'plurality',
        seats: 2,
        candidates: [{ line: 'Flat 12' }, { about: 'Rows since 1998.' }, {}, { isWithdrawn: true }],
      },
    },
  };
  const setting = await arrange(server.url, { name: 'Board Club', voters: 4, questions: [question] });
  const control = await openAs(DESKTOP);
  const presentation = await openAs(PRESENTATION);
  const phones = await Promise.all(setting.voters.map(() => openAs(PHONE)));

  await test.step('four people choose up to two candidates', async () => {
    await Promise.all(phones.map((phone, index) => joinAsVoter(phone, setting, index)));
    await signInAsOrganizer(control, setting.organizer);
    await control.goto(`/client/meetings/${setting.meetingId}/control`);
    await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
    await startQuestion(control);
    const [first] = phones as [Page];
    await expect(candidate(first, /Jonas Weber, withdrawn/)).toBeDisabled();
    await expectAccessibleInBothSchemes(first, 'the ballot of an election');
    for (const [index, phone] of phones.entries()) {
      for (const name of CHOICES[index] ?? []) {
        await candidate(phone, new RegExp(`^${name}`)).check();
      }
      await submitButton(phone).click();
      await expect(stored(phone)).toBeVisible();
    }
    await expect(presentation.getByText('Nadia Brandt')).toBeVisible();
  });

  await test.step('the count waits at the tie, and goes on after the lot', async () => {
    await pressEndQuestion(control);
    await control.getByRole('button', { name: 'Count Votes' }).click();
    const tie = control.getByRole('region', { name: /^The count waits/ });
    await expect(tie).toContainText('Tomas Reyes and Imani Okafor are equal, and 1 seat is left for them.');
    await expect(control.getByRole('button', { name: 'Declare result' })).toHaveCount(0);
    await expectAccessibleInBothSchemes(control, 'a tie of an election');
    await tie.getByRole('button', { name: 'Draw the lot' }).click();
    await expect(tie).toHaveCount(0);
    const elected = control.getByRole('list', { name: 'Elected, in the order of election' });
    await expect(elected.getByRole('listitem')).toHaveCount(2);
  });

  await test.step('the result is declared, and everybody sees who is elected', async () => {
    await control.getByRole('button', { name: 'Declare result' }).click();
    await control.getByRole('dialog').getByRole('button', { name: 'Declare result' }).click();
    await expect(presentation.getByText('Nadia Brandt').first()).toBeVisible();
    await expect(presentation.getByText(/^Elected/).first()).toBeVisible();
    await expectAccessibleInBothSchemes(presentation, 'the result of an election');
    const [phone] = phones as [Page];
    await phone.getByText('Details', { exact: true }).first().click();
    await expect(phone.getByText(/Elected/).first()).toBeVisible();
  });

  await test.step('the minutes tell the count and the lot', async () => {
    await control.goto(`/client/meetings/${setting.meetingId}/results`);
    const { bytes } = await exportAs(control, 'Minutes as PDF');
    const minutes = (await pagesOfPdf(bytes)).join(' ').replaceAll(/\s+/g, ' ');
    expect(minutes).toContain('Count of the election');
    expect(minutes).toContain('Plenum drew the lot from the seed');
    expect(minutes).toContain('4 ballots: 4 valid, 0 abstentions, 0 invalid.');
  });
});

test('forty candidates are ranked on a narrow phone, by touch and by keyboard', async ({
  openAs,
  server,
}) => {
  const names = Array.from({ length: 40 }, (_, index) => `Candidate ${String(index + 1).padStart(2, '0')}`);
  const question = {
    questionText: 'Who speaks for the house?',
    questionType: 'ELECTION',
    options: names,
    decisionRule: { kind: 'election', election: { method: 'stv_scottish', seats: 3 } },
  };
  const setting = await arrange(server.url, { name: 'Ranking Club', voters: 1, questions: [question] });
  const control = await openAs(DESKTOP);
  const phone = await openAs({ width: 360, height: 740 });
  await joinAsVoter(phone, setting);
  await signInAsOrganizer(control, setting.organizer);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  await startQuestion(control);

  await candidate(phone, 'Candidate 40').check();
  const status = phone.getByRole('status').filter({ hasText: 'ranked' });
  await expect(status).toContainText('Candidate 40 is your choice 1 of 40.');
  await expect(status).toContainText('1 of 40 ranked, 39 left.');
  await expect(status).toBeInViewport();
  await candidate(phone, 'Candidate 01').focus();
  await phone.keyboard.press('Space');
  await expect(candidate(phone, 'Candidate 01, choice 2')).toBeChecked();
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  await expectAccessibleInBothSchemes(phone, 'a ranking of forty candidates');

  await submitButton(phone).click();
  await expect(stored(phone)).toBeVisible();
  await expect(phone.getByText('1. Candidate 40').first()).toBeVisible();
});
