import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { exportAs, pagesOfPdf } from './support/exports';
import { pressEndQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, testOnOwnServer as test } from './support/test';
import { joinAsVoter, submitButton } from './support/voter';

const BOARD = [
  'Nadia Brandt',
  'Tomas Reyes',
  'Imani Okafor',
  'Jonas Weber',
  'Lea Fontaine',
  'Omar Haddad',
  'Priya Nair',
  'Sven Lindqvist',
];
const FOUR = ['Nadia Brandt', 'Lea Fontaine', 'Omar Haddad', 'Priya Nair'];
const CHOICES = [
  [...FOUR, 'Tomas Reyes'],
  [...FOUR, 'Imani Okafor'],
  [...FOUR, 'Tomas Reyes'],
  [...FOUR, 'Imani Okafor'],
];

const candidate = (page: Page, name: string | RegExp) => page.getByRole('checkbox', { name });
const stored = (page: Page) => page.getByRole('heading', { name: 'Your vote is stored' });

test('a board of five is elected with a tie and a lot, one declines, the next moves up, and the minutes tell it', async ({
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
        seats: 5,
        candidates: BOARD.map((name) =>
          name === 'Jonas Weber' ? { isWithdrawn: true } : { line: 'Flat 12', about: 'Rows since 1998.' },
        ),
      },
    },
  };
  const setting = await arrange(server.url, { name: 'Board Club', voters: 4, questions: [question] });
  const control = await openAs(DESKTOP);
  const presentation = await openAs(PRESENTATION);
  const phones = await Promise.all(setting.voters.map(() => openAs(PHONE)));

  await test.step('four people choose up to five candidates', async () => {
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
    const dialog = control.getByRole('dialog', { name: 'Draw the lot?' });
    await expect(dialog).toContainText('Plenum draws between Tomas Reyes and Imani Okafor.');
    await dialog.getByRole('button', { name: 'Draw the lot' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(tie).toHaveCount(0);
    const elected = control.getByRole('list', { name: 'Elected, in the order of election' });
    await expect(elected.getByRole('listitem')).toHaveCount(5);
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

  const seats = control.getByRole('region', { name: 'Seats' });
  const holders = seats.getByRole('list', { name: 'Who has a seat' }).getByRole('listitem');

  await test.step('one declines, and the next moves up', async () => {
    await seats.getByRole('button', { name: 'Accepts: Nadia Brandt' }).click();
    await expect(holders.filter({ hasText: 'Nadia Brandt' })).toContainText('Accepted');
    await seats.getByRole('button', { name: 'Declines: Omar Haddad' }).click();
    await control.getByRole('dialog').getByRole('button', { name: 'Record refusal' }).click();
    await expect(seats.getByRole('list', { name: 'Who declined' })).toContainText('Omar Haddad');
    // Both who were tied for the last seat have one now.
    await expect(holders).toHaveCount(5);
    await expect(holders.filter({ hasText: 'Tomas Reyes' })).toHaveCount(1);
    await expect(holders.filter({ hasText: 'Imani Okafor' })).toHaveCount(1);
    await expect(holders.filter({ hasText: 'Moved up' })).toHaveCount(1);
    await expectAccessibleInBothSchemes(control, 'the seats of an election');
  });

  await test.step('the minutes tell the count, the lot and the seats', async () => {
    await control.goto(`/client/meetings/${setting.meetingId}/results`);
    await expect(seats).toContainText('5 of 5 seats filled.');
    const { bytes } = await exportAs(control, 'Minutes as PDF');
    const minutes = (await pagesOfPdf(bytes)).join(' ').replaceAll(/\s+/g, ' ');
    expect(minutes).toContain('Count of the election');
    expect(minutes).toContain('Plenum drew the lot from the seed');
    expect(minutes).toContain('4 ballots: 4 valid, 0 abstentions, 0 invalid.');
    expect(minutes).toContain('Seats: Who joins the board?');
    expect(minutes).toMatch(/Omar Haddad declines the election\. (Tomas Reyes|Imani Okafor) moves up\./);
  });
});

test('a run-off is one tap after a tie, and both ballots are one election', async ({ openAs, server }) => {
  const question = {
    questionText: 'Who chairs?',
    questionType: 'ELECTION',
    options: ['Nadia Brandt', 'Tomas Reyes', 'Imani Okafor'],
    decisionRule: { kind: 'election', election: { method: 'plurality', ties: 'run_off' } },
  };
  const setting = await arrange(server.url, { name: 'Chair Club', voters: 2, questions: [question] });
  const control = await openAs(DESKTOP);
  const phones = await Promise.all(setting.voters.map(() => openAs(PHONE)));
  await Promise.all(phones.map((phone, index) => joinAsVoter(phone, setting, index)));
  await signInAsOrganizer(control, setting.organizer);
  await control.goto(`/client/meetings/${setting.meetingId}/control`);
  const seats = control.getByRole('region', { name: 'Seats' });

  async function vote(names: string[]) {
    for (const [index, phone] of phones.entries()) {
      await candidate(phone, new RegExp(`^${names[index]}`)).check();
      await submitButton(phone).click();
      await expect(stored(phone)).toBeVisible();
    }
    await pressEndQuestion(control);
    await control.getByRole('button', { name: 'Count Votes' }).click();
    await control.getByRole('button', { name: 'Declare result' }).click();
    await control.getByRole('dialog').getByRole('button', { name: 'Declare result' }).click();
  }

  await test.step('the first ballot ends in a tie', async () => {
    await startQuestion(control);
    await vote(['Nadia Brandt', 'Tomas Reyes']);
    await expect(seats).toContainText('0 of 1 seat filled, 1 seat vacant.');
  });
  await test.step('one tap adds the next ballot, with the tied alone', async () => {
    await seats.getByRole('button', { name: 'Add the next ballot' }).click();
    await expect(seats).toContainText('The next ballot is question 2.');
    await control.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(control.getByRole('region', { name: 'Question Control - 2 of 2' })).toBeVisible();
    await startQuestion(control);
    const [phone] = phones as [Page];
    await expect(candidate(phone, /^Nadia Brandt/)).toBeEnabled();
    await expect(candidate(phone, /^Tomas Reyes/)).toBeEnabled();
    await expect(candidate(phone, /^Imani Okafor/)).toHaveCount(0);
  });
  await test.step('the second ballot fills the seat of the election', async () => {
    await vote(['Tomas Reyes', 'Tomas Reyes']);
    await expect(seats).toContainText('1 of 1 seat filled, after 2 ballots.');
    await expect(seats.getByRole('list', { name: 'Who has a seat' })).toContainText('Tomas ReyesBallot 2');
    await control.goto(`/client/meetings/${setting.meetingId}/results`);
    await expect(seats).toHaveCount(1);
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
