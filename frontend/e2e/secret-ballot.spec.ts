import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { exportAs, pagesOfPdf } from './support/exports';
import { pressEndQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, testOnOwnServer as test } from './support/test';
import { choose, joinAsVoter, submitButton } from './support/voter';

const ELECTION = {
  questionText: 'Is Ada Byron elected chair?',
  questionType: 'YES_NO',
  options: ['Yes', 'No', 'Abstain'],
  secrecy: 'secret' as const,
};
const CAST = /\/questions\/[^/]+\/vote$/;
const RECEIPT = /^[A-Z]{4}(-[A-Z]{4}){3}$/;

const inUrn = (page: Page) => page.getByRole('heading', { name: 'Your ballot is in the urn' });

async function handIn(page: Page, choice: string): Promise<void> {
  await choose(page, { choice });
  await submitButton(page).click();
}

async function receiptOn(page: Page): Promise<string> {
  await expect(inUrn(page)).toBeVisible();
  const code = page.getByText(RECEIPT).first();
  await expect(code).toBeVisible();
  return code.innerText();
}

/** Lets the vote arrive at the server and loses the response, until the returned function is called. */
async function loseResponses(page: Page): Promise<() => Promise<void>> {
  await page.context().route(CAST, async (route) => {
    await route.fetch();
    await route.abort('connectionfailed');
  });
  return () => page.context().unroute(CAST);
}

/** Searches everything that the browser keeps. */
function keptOn(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
}

test('eight people elect in secret, through lost networks and a killed server', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Secret Club', voters: 8, questions: [ELECTION] });
  const control = await openAs(DESKTOP);
  const presentation = await openAs(PRESENTATION);
  const phones = await Promise.all(setting.voters.map(() => openAs(PHONE)));
  const [plain, offline, reloading, tabbed, early, late, last, latecomer] = phones as [
    Page,
    Page,
    Page,
    Page,
    Page,
    Page,
    Page,
    Page,
  ];
  const receipts: string[] = [];

  await test.step('seven people are there when voting opens', async () => {
    await Promise.all(phones.slice(0, 7).map((phone, index) => joinAsVoter(phone, setting, index)));
    await signInAsOrganizer(control, setting.organizer);
    await control.goto(`/client/meetings/${setting.meetingId}/control`);
    await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
    await startQuestion(control);
    await expect(control.getByText('Secret vote').first()).toBeVisible();
    await expect(presentation.getByRole('heading', { name: ELECTION.questionText })).toBeVisible();
    await expect(presentation.getByText('Secret vote')).toBeVisible();
    await expect(plain.getByText(/This is a secret vote/)).toBeVisible();
    await expectAccessibleInBothSchemes(plain, 'a secret ballot');
  });

  await test.step('one votes, and the device keeps the receipt and not the answer', async () => {
    await handIn(plain, 'No');
    receipts.push(await receiptOn(plain));
    expect(await keptOn(plain)).not.toMatch(/"No"/);
    await expect(plain.getByText('No', { exact: true })).toHaveCount(0);
    await expectAccessibleInBothSchemes(plain, 'a receipt');
  });

  await test.step('one loses the network after handing in, and the same envelope is repeated', async () => {
    const restore = await loseResponses(offline);
    await handIn(offline, 'Yes');
    await expect(offline.getByRole('heading', { name: 'Not yet delivered' })).toBeVisible();
    expect(await keptOn(offline)).not.toMatch(/"Yes"/);
    await restore();
    receipts.push(await receiptOn(offline));
  });

  await test.step('one reloads', async () => {
    await handIn(reloading, 'Yes');
    const receipt = await receiptOn(reloading);
    await reloading.reload();
    expect(await receiptOn(reloading)).toBe(receipt);
    receipts.push(receipt);
  });

  await test.step('one has two tabs, and votes in both at once', async () => {
    const other = await tabbed.context().newPage();
    await other.goto(tabbed.url());
    await choose(tabbed, { choice: 'Yes' });
    await choose(other, { choice: 'No' });
    // The ballot of the slower tab is gone as soon as the other one is stored.
    const press = (tab: Page) =>
      submitButton(tab)
        .click({ force: true, timeout: 5_000 })
        .catch(() => null);
    await Promise.all([press(tabbed), press(other)]);
    for (const tab of [tabbed, other]) {
      await expect(tab.getByRole('heading', { name: /in the urn|already voted/i }).first()).toBeVisible();
    }
    await tabbed.reload();
    receipts.push(await receiptOn(tabbed));
    await other.close();
  });

  await test.step('the server is killed while two votes are under way', async () => {
    await choose(early, { choice: 'Yes' });
    await choose(late, { choice: 'Yes' });
    await submitButton(early).click();
    await server.kill();
    await submitButton(late).click();
    await expect(late.getByRole('heading', { name: 'Not yet delivered' })).toBeVisible();
    await server.startAgain();
    for (const phone of [early, late]) {
      receipts.push(await receiptOn(phone));
    }
  });

  await test.step('one comes late', async () => {
    await joinAsVoter(latecomer, setting, 7);
    await handIn(last, 'Abstain');
    receipts.push(await receiptOn(last));
    await handIn(latecomer, 'Yes');
    receipts.push(await receiptOn(latecomer));
    expect(new Set(receipts).size).toBe(8);
  });

  await test.step('the urn is opened, and the result declared', async () => {
    await expect(control.getByText('Connected', { exact: true })).toBeVisible();
    await pressEndQuestion(control);
    await control.getByRole('button', { name: 'Open the urn and count' }).click();
    await expect(
      control
        .getByRole('row', { name: /^Abstain/ })
        .getByRole('cell')
        .first(),
    ).toContainText('1');
    await control.getByRole('button', { name: 'Declare result' }).click();
    await control.getByRole('dialog').getByRole('button', { name: 'Declare result' }).click();
    await expect(presentation.getByText(/^8 of 8 voted/)).toBeVisible();
  });

  await test.step('everybody finds their receipt', async () => {
    for (const [index, phone] of [
      plain,
      offline,
      reloading,
      tabbed,
      early,
      late,
      last,
      latecomer,
    ].entries()) {
      await phone.getByText('Details', { exact: true }).first().click();
      const found = phone.getByRole('status').filter({ hasText: receipts[index] ?? 'no receipt' });
      await expect(found).toContainText('was found: your ballot was in the urn');
    }
    await expectAccessibleInBothSchemes(plain, 'the receipts of a secret vote');
  });

  await test.step('the minutes tell that the vote was secret, and nobody’s answer', async () => {
    await control.goto(`/client/meetings/${setting.meetingId}/results`);
    const { bytes } = await exportAs(control, 'Minutes as PDF');
    const minutes = (await pagesOfPdf(bytes)).join(' ');
    expect(minutes).toContain('Secret vote: sealed ballots, opened once');
    expect(minutes).toContain('8 sealed ballots; receipts are in the export');
    for (const receipt of receipts) {
      expect(minutes).not.toContain(receipt);
    }
  });
});
