import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { type Caller, signInThroughApi } from './support/organization';
import { expectNothingCutOff } from './support/screens';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { joinAsVoter, vote } from './support/voter';

/** A tablet held upright. */
const TABLET = { width: 768, height: 1024 };

const QUESTION = 'Is the roof repaired?';

interface Hall {
  setting: Setting;
  caller: Caller;
  meeting: string;
}

async function hall(serverUrl: string, name: string, secrecy: 'named' | 'unshown' | 'secret'): Promise<Hall> {
  const setting = await arrange(serverUrl, {
    name,
    voters: 4,
    questions: [{ questionText: QUESTION, questionType: 'YES_NO', options: ['Yes', 'No'], secrecy }],
  });
  const caller = await signInThroughApi(serverUrl, setting.organizer);
  return { setting, caller, meeting: `/api/client/meetings/${setting.meetingId}` };
}

/** Opens the vote. With so few people, some secret votes could be inferred. */
function open({ caller, setting, meeting }: Hall) {
  const questionId = setting.questionIds[0];
  return caller.put(`${meeting}/current-question?acceptRisk=true`, { questionId });
}

/** Ends the vote and counts it. */
async function count({ caller, meeting }: Hall): Promise<void> {
  await caller.put(`${meeting}/current-question`, { questionId: null });
  const rounds = (await caller.get(`${meeting}/rounds`)) as unknown as { id: string }[];
  await caller.post(`${meeting}/rounds/${rounds[0]?.id}/count`, {});
}

/** The path of the link of a new desk, which the organizer makes on the page for votes on paper. */
async function makeDesk(page: Page, purpose: string, name: string): Promise<string> {
  await page.getByLabel('What the link is for').selectOption(purpose);
  await page.getByRole('button', { name: 'Make a desk' }).click();
  await expect(page.getByRole('img', { name: `QR code of the link of ${name}` })).toBeVisible();
  const link = new URL((await page.getByText(/\/desk#desk_/).innerText()).trim());
  await page.getByRole('button', { name: 'Done' }).click();
  return link.pathname + link.hash;
}

/** The same over the API. */
async function deskPath({ caller, meeting }: Hall, purpose: string, name: string): Promise<string> {
  const { token } = (await caller.post(`${meeting}/desks`, { name, purpose })) as { token: string };
  return `/desk#${token}`;
}

/** Enters the ballot of a person by the keyboard alone. The key is the place of the option. */
async function enterBallot(page: Page, username: string, name: string, key: string): Promise<void> {
  await page.getByLabel('Name or username').fill(username);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name} is added.`)).toBeVisible();
}

async function findAtPlace(page: Page, username: string): Promise<void> {
  await page.getByLabel('Name or username of the person').fill(username);
  await page.keyboard.press('Enter');
}

test('two tellers count votes on paper, and a voting place takes others', async ({ openAs, server }) => {
  const paper = await hall(server.url, 'Paper House', 'named');
  const control = await openAs(DESKTOP, paper.caller.browser);
  const teller = await openAs(TABLET);
  const phone = await openAs(PHONE);
  const place = await openAs(TABLET);

  await test.step('the organizer makes links, and nothing is open yet', async () => {
    await control.goto(`/client/meetings/${paper.setting.meetingId}/control`);
    await control.getByRole('link', { name: 'Votes on Paper' }).click();
    await expect(control.getByText(/^No question is open\./)).toBeVisible();
    await teller.goto(await makeDesk(control, 'Tellers', 'Tellers 1'));
    await place.goto(await makeDesk(control, 'Voting place', 'Voting place 1'));
    await expect(teller.getByRole('heading', { name: 'Tellers 1' })).toBeVisible();
    await expect(place.getByText(/^Voting is not open\./)).toBeVisible();
    await joinAsVoter(phone, paper.setting, 0);
    await open(paper);
  });

  await test.step('a teller enters two ballots, through a reload of the page', async () => {
    await expect(teller.getByRole('heading', { name: QUESTION })).toBeVisible();
    await enterBallot(teller, 'voter1', 'Voter 1', '1');
    await teller.reload();
    await enterBallot(teller, 'voter2', 'Voter 2', '2');
    await expect(teller.getByText('2 people in this batch.')).toBeVisible();
    await expectNothingCutOff(teller);
    await expectAccessibleInBothSchemes(teller, 'a batch that is being entered');
    await teller.getByRole('button', { name: 'Enter batch of 2 votes' }).click();
    await expect(teller.getByText(/^Batch 1 with 2 votes is entered\./)).toBeVisible();
    await teller.getByRole('button', { name: 'Show: batch 1' }).click();
    await expect(teller.getByText(/^You entered this batch, so another teller/)).toBeVisible();
  });

  await test.step('the organizer compares and confirms them, and the phone of a voter says so', async () => {
    await expect(phone.getByRole('radio', { name: 'Yes', exact: true })).toBeVisible();
    await control.getByRole('button', { name: 'Compare and confirm: batch 1' }).click();
    const ballots = control.getByRole('list', { name: 'Votes of the batch' }).getByRole('listitem');
    await expect(ballots).toContainText(['Yes', 'No']);
    await expectAccessibleInBothSchemes(control, 'a batch to compare');
    await control.getByRole('button', { name: 'Confirm 2 votes' }).click();
    await expect(control.getByText('2 counted.')).toBeVisible();
    await expect(phone.getByRole('heading', { name: 'Your vote was cast on paper.' })).toBeVisible({
      timeout: 30_000,
    });
    await expectAccessibleInBothSchemes(phone, 'a vote that was cast on paper');
    await expect(teller.getByText('2 counted.')).toBeVisible();
  });

  await test.step('a third person votes at the voting place, which forgets them', async () => {
    await findAtPlace(place, 'voter1');
    await expect(place.getByText('Voter 1: Voted on paper.')).toBeVisible();
    await expectAccessibleInBothSchemes(place, 'the search of a voting place');
    await findAtPlace(place, 'voter3');
    await expect(place.getByRole('heading', { name: 'Voter 3' })).toBeVisible();
    await expectNothingCutOff(place);
    await expectAccessibleInBothSchemes(place, 'the ballot of a voting place');
    await place.getByRole('radio', { name: 'No', exact: true }).check();
    await place.getByRole('button', { name: 'Cast vote' }).click();
    await expect(place.getByRole('heading', { name: 'Thank you. The vote is counted.' })).toBeVisible();
    await expect(place.getByLabel('Name or username of the person')).toBeVisible();
    await expect(place.getByText('Voter 3')).toBeHidden();
    const stored = await place.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(stored).not.toContain('Voter 3');
    await findAtPlace(place, 'voter3');
    await expect(place.getByText('Voter 3: Voted at a voting place.')).toBeVisible();
  });

  await test.step('the result tells how many votes came which way', async () => {
    const fourth = await openAs(PHONE);
    await joinAsVoter(fourth, paper.setting, 3);
    await vote(fourth, { choice: 'Yes' });
    await count(paper);
    await expect(control.getByText(/^No question is open\./)).toBeVisible();
    await expect(place.getByText(/^Voting is not open\./)).toBeVisible();
    await control.goto(`/client/meetings/${paper.setting.meetingId}/control`);
    await expect(control.getByText(/By device 1, on paper 2, at a voting place 1\./)).toBeVisible();
    await control.goto(`/client/meetings/${paper.setting.meetingId}/results`);
    await expect(
      control.getByText('By device 1, weight 1; on paper 2, weight 2; at a voting place 1, weight 1.'),
    ).toBeVisible();
  });
});

test('votes on paper that are not named are entered as people and numbers', async ({ openAs, server }) => {
  const paper = await hall(server.url, 'Unshown House', 'unshown');
  const teller = await openAs(PHONE);
  await teller.goto(await deskPath(paper, 'TELLERS', 'Tellers 1'));
  await open(paper);
  for (const number of [1, 2, 3]) {
    await teller.getByLabel('Name or username').fill(`voter${number}`);
    await teller.keyboard.press('Enter');
    await expect(teller.getByText(`Voter ${number} is marked.`)).toBeVisible();
  }
  const enter = teller.getByRole('button', { name: 'Enter batch of 3 votes' });
  await teller.getByLabel('Yes', { exact: true }).fill('2');
  await expect(teller.getByText('2 of 3. 1 vote missing.')).toBeVisible();
  await expect(enter).toBeDisabled();
  await teller.getByLabel('No', { exact: true }).fill('1');
  await expect(teller.getByText('3 of 3. The numbers match.')).toBeVisible();
  await expectNothingCutOff(teller);
  await expectAccessibleInBothSchemes(teller, 'numbers of ballots');

  // Without a network the batch is kept, and arrives later once.
  await teller.context().setOffline(true);
  await enter.click();
  await expect(teller.getByText(/^The batch of 3 votes is not delivered yet\./)).toBeVisible();
  await teller.context().setOffline(false);
  await expect(teller.getByText(/^Batch 1 with 3 votes is entered\./)).toBeVisible();

  const second = await openAs(TABLET);
  await second.goto(await deskPath(paper, 'TELLERS', 'Tellers 2'));
  await second.getByRole('button', { name: 'Compare and confirm: batch 1' }).click();
  await expect(second.getByRole('list', { name: 'Votes by answer' })).toContainText(/Yes\s*2/);
  await second.getByRole('button', { name: 'Confirm 3 votes' }).click();
  await expect(second.getByText('3 counted.')).toBeVisible();
});

test('a secret vote at a voting place is sealed, and its receipt is shown once', async ({
  openAs,
  server,
}) => {
  const paper = await hall(server.url, 'Sealed House', 'secret');
  const place = await openAs(TABLET);
  await place.goto(await deskPath(paper, 'VOTING_PLACE', 'Voting place 1'));
  const teller = await openAs(TABLET);
  await teller.goto(await deskPath(paper, 'TELLERS', 'Tellers 1'));
  await open(paper);
  await expect(teller.getByText(/^This is a secret vote\. It takes no votes on paper/)).toBeVisible();

  await findAtPlace(place, 'voter1');
  await place.getByRole('radio', { name: 'Yes', exact: true }).check();
  await place.getByRole('button', { name: 'Cast vote' }).click();
  await expect(place.getByText(/^Your ballot is in the urn\. This is your receipt\./)).toBeVisible();
  const receipt = await place.locator('code').innerText();
  expect(receipt).toMatch(/^\S{4}(-\S{4})+$/);
  await expectAccessibleInBothSchemes(place, 'the receipt at a voting place');
  await place.getByRole('button', { name: 'I have noted it' }).click();
  await expect(place.getByLabel('Name or username of the person')).toBeVisible();
  await expect(place.getByText(receipt)).toBeHidden();
});
