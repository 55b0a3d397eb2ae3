import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import { answerWithError, countCalls, loseCall } from './support/failures';
import { signInAsOrganizer } from './support/organizer';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';

const READ = { method: 'POST', path: '/api/client/end-users/import/read' } as const;
const IMPORT = { method: 'POST', path: '/api/client/end-users/import' } as const;

interface NamedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** As Excel saves it on a German computer: semicolons, windows-1252, decimal commas. */
function germanFile(name: string, lines: string[]): NamedFile {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1') };
}

const MEMBERS = germanFile('members.csv', [
  'Name;Vorname;E-Mail-Adresse;Stimm-Gewicht;Anschrift;Bemerkung',
  'Müller-Lüdenscheid;Jürgen;juergen@example.org;1,5;"Hauptstraße 1; Hinterhaus";Vorstand',
  'von der Heide; Änne Sophie ;aenne@example.org;2;;',
  'Weiß;Zoë;;0,3333;Nebengasse 2;',
]);

const FAULTY = germanFile('faulty.csv', [
  'Name;E-Mail;Gewicht',
  'Karl Kühn;keine-adresse;1.500',
  'Dora Dünn;dora@example.org;viel',
  'Emil Öst;emil@example.org;1,25',
]);

function people(count: number): NamedFile {
  const rows = Array.from({ length: count }, (_, index) => `Person ${index + 1}`);
  return { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(`Name\n${rows.join('\n')}\n`) };
}

async function arrangeClub(serverUrl: string, name: string): Promise<Setting> {
  const questions = [{ questionText: 'Agreed?', questionType: 'YES_NO', options: ['Yes', 'No'] }];
  return arrange(serverUrl, { name, voters: 2, questions });
}

async function openImport(page: Page, setting: Setting): Promise<void> {
  await signInAsOrganizer(page, setting.organizer);
  await page.goto('/client/end-users');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expect(heading(page, 'Choose file')).toBeVisible();
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, exact: true });
}

async function choose(page: Page, file: NamedFile): Promise<void> {
  await page.getByLabel('File with end users').setInputFiles(file);
}

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check rows' }).click();
  await expect(heading(page, 'Check')).toBeVisible();
}

async function importAll(page: Page, file: NamedFile): Promise<void> {
  await choose(page, file);
  await check(page);
  await page.getByRole('button', { name: /^Import \d/ }).click();
  await expect(heading(page, 'Done')).toBeVisible();
}

async function downloadCsv(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Drops a file from the desktop. */
async function drop(page: Page, file: NamedFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, bytes }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    { name: file.name, bytes: [...file.buffer] },
  );
  await page.getByText('Drop a file here, or choose one.').dispatchEvent('drop', { dataTransfer });
}

for (const [viewport, name] of [
  [DESKTOP, 'Wide Import'],
  [PHONE, 'Narrow Import'],
] as const) {
  test(`a file from Excel becomes voters who can sign in, ${viewport.width} px`, async ({
    openAs,
    server,
  }) => {
    const setting = await arrangeClub(server.url, name);
    const page = await openAs(viewport);
    await openImport(page, setting);

    await drop(page, MEMBERS);
    await expect(page.getByText('CSV, separator semicolon, encoding windows-1252, 3 rows')).toBeVisible();
    await expect(page.getByLabel('Last name')).toHaveValue('0');
    await expect(page.getByLabel('First name')).toHaveValue('1');
    await expect(page.getByRole('cell', { name: 'Müller-Lüdenscheid' })).toBeVisible();

    await check(page);
    await expect(page.getByText('Änne Sophie von der Heide')).toBeVisible();
    await expect(page.getByText('jurgen.muller-ludenscheid')).toBeVisible();
    const calls = countCalls(page, IMPORT);
    await page.getByRole('button', { name: 'Import 3 end users' }).dblclick();
    await expect(heading(page, 'Done')).toBeFocused();
    expect(calls()).toBe(1);

    const csv = await downloadCsv(page);
    expect(csv.name).toMatch(new RegExp(`^${setting.clientCode}-credentials-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = csv.bytes.toString('utf8').split('\r\n');
    expect(lines).toHaveLength(5);
    const [, , person, username = '', password = ''] = lines[1]?.split(',') ?? [];
    expect(person).toBe('Jürgen Müller-Lüdenscheid');

    const voter = await openAs(PHONE);
    await voter.goto(`/participant/login/${setting.clientCode}`);
    await voter.getByLabel('Username').fill(username);
    // The apostrophe prevents a spreadsheet from reading the password as a formula.
    await voter.getByLabel(/^Password/).fill(password.replace(/^'/, ''));
    await voter.getByRole('button', { name: /sign in/i }).click();
    await expect(voter).toHaveURL(/\/voting$/);

    await page.getByRole('link', { name: 'Go to End Users' }).click();
    await expect(heading(page, 'End Users (5)')).toBeVisible();
    await expect(page.getByText('0.3333')).toBeVisible();

    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose(page, MEMBERS);
    await check(page);
    await expect(page.getByText(/^There is nothing to import/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Import 0 end users' })).toBeDisabled();
  });
}

test('an Excel workbook comes in as it went out', async ({ openAs, server }) => {
  const setting = await arrangeClub(server.url, 'Workbook Import');
  const page = await openAs(DESKTOP);
  await openImport(page, setting);
  const token = await page.evaluate(() => window.localStorage.getItem('accessToken'));
  const answer = await page.request.get('/api/client/end-users/export?format=xlsx', {
    headers: { Authorization: `Bearer ${token}` },
  });
  const workbook = { name: 'voters.xlsx', mimeType: 'application/octet-stream', buffer: await answer.body() };

  await choose(page, workbook);
  await expect(page.getByText('Excel workbook, 2 rows')).toBeVisible();
  await expect(page.getByLabel('Active')).toHaveValue('5');
  await check(page);
  await expect(page.getByRole('button', { name: 'Unchanged 2' })).toBeVisible();

  // The address column is empty. Taken for the name, it changes no one.
  await page.getByRole('button', { name: 'Change columns' }).click();
  await page.getByLabel('Name', { exact: true }).selectOption('Username');
  await check(page);
  await expect(page.getByText('Name becomes “voter1”')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 end users' }).click();
  await expect(page.getByText(/^Nobody got a new password/)).toBeVisible();
});

test('a file with errors is refused row by row, and imports nothing', async ({ openAs, server }) => {
  const setting = await arrangeClub(server.url, 'Faulty Import');
  const page = await openAs(DESKTOP);
  await openImport(page, setting);

  await choose(page, { name: 'old.xls', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('x') });
  await expect(page.getByRole('alert')).toContainText('“old.xls” is neither a CSV file nor');
  await choose(page, { name: 'old.xlsx', mimeType: '', buffer: Buffer.from('not a workbook') });
  await expect(page.getByRole('alert')).toContainText('The file must be a');
  await choose(page, { name: 'nobody.csv', mimeType: '', buffer: Buffer.from('Name;Weight\n') });
  await expect(page.getByRole('alert')).toContainText('The file must have headings and at least one row');
  await choose(page, people(20_001));
  await expect(page.getByRole('alert')).toContainText('The file must have at most 20000 rows.');

  await choose(page, FAULTY);
  await check(page);
  await expect(page.getByRole('row').nth(1)).toContainText('Email “keine-adresse”: Must be an email address');
  await expect(page.getByRole('row').nth(1)).toContainText('Weight “1.500”: Is ambiguous');
  await expect(page.getByRole('row').nth(2)).toContainText('Weight “viel”: Must be a number from 0 to 100.');
  await expect(page.getByText(/^2 rows have errors\. Correct the file/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import the valid row' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Download 2 wrong rows' })).toBeVisible();
  await page.getByRole('button', { name: 'New 1' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await choose(page, MEMBERS);
  await check(page);
  await expect(page.getByRole('button', { name: 'Import 3 end users' })).toBeEnabled();
});

test('nothing is lost when a call fails', async ({ openAs, server }) => {
  const setting = await arrangeClub(server.url, 'Failing Import');
  const page = await openAs(DESKTOP);
  await openImport(page, setting);
  const alert = page.getByRole('alert');
  const retry = page.getByRole('button', { name: 'Try again' });

  await test.step('reading the file', async () => {
    const restoreServer = await answerWithError(page, READ, { status: 500 });
    await choose(page, MEMBERS);
    await expect(alert).toContainText('Something is broken here');
    await restoreServer();
    const restoreNetwork = await loseCall(page, READ);
    await retry.click();
    await expect(alert).toContainText('Failed to read the file: the server could not be reached');
    await restoreNetwork();
    await retry.click();
    await expect(heading(page, 'Match columns')).toBeFocused();
  });

  await test.step('checking the rows', async () => {
    await page.getByLabel('Address').selectOption('Bemerkung');
    const restoreServer = await answerWithError(page, IMPORT, { status: 503, error: 'The service is busy.' });
    await page.getByRole('button', { name: 'Check rows' }).click();
    await expect(alert).toContainText('The service is busy.');
    await restoreServer();
    const restoreNetwork = await loseCall(page, IMPORT);
    await retry.click();
    await expect(alert).toContainText('Failed to check the rows: the server could not be reached');
    await expect(page.getByLabel('Address')).toHaveValue('5');
    await restoreNetwork();
    await retry.click();
    await expect(heading(page, 'Check')).toBeFocused();
  });

  await test.step('importing', async () => {
    const confirm = page.getByRole('button', { name: 'Import 3 end users' });
    const restoreServer = await answerWithError(page, IMPORT, { status: 500 });
    await confirm.click();
    await expect(alert).toContainText('Something is broken here. It is not known whether');
    await restoreServer();
    const restoreNetwork = await loseCall(page, IMPORT);
    await retry.click();
    await expect(alert).toContainText('Failed to import the end users: the server could not be reached');
    await expect(page.getByText('Zoë Weiß')).toBeVisible();
    await restoreNetwork();
    await retry.click();
    await expect(heading(page, 'Done')).toBeFocused();
  });
});

test('what others change meanwhile is checked again, and an answer that got lost is found out', async ({
  openAs,
  server,
}) => {
  const setting = await arrangeClub(server.url, 'Shared Import');
  const page = await openAs(DESKTOP);
  await openImport(page, setting);
  await choose(page, MEMBERS);
  await check(page);

  await page.route('**/api/client/end-users/import', async (route) => {
    await (route.request().postDataJSON().dryRun
      ? route.continue()
      : route.fulfill({ status: 409, json: { error: 'Outdated', code: 'import_outdated' } }));
  });
  await page.getByRole('button', { name: 'Import 3 end users' }).click();
  await expect(page.getByText(/^Another person changed the end users in the meantime/)).toBeVisible();
  await page.unroute('**/api/client/end-users/import');

  // The import is done, and the network fails before its response arrives.
  await page.route('**/api/client/end-users/import', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Import 3 end users' }).click();
  await expect(page.getByRole('alert')).toContainText('the server could not be reached');
  await page.unroute('**/api/client/end-users/import');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/it probably succeeded/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unchanged 3' })).toBeVisible();
});

test('by keyboard alone, and asked before anything is lost', async ({ openAs, server }) => {
  const setting = await arrangeClub(server.url, 'Keyboard Import');
  const page = await openAs(DESKTOP);
  const { keyboard } = page;
  // Registered first: the browser needs some time until it intercepts file choosers.
  page.on('filechooser', (chooser) => chooser.setFiles(MEMBERS));
  await openImport(page, setting);

  await page.getByRole('link', { name: 'Back to End Users' }).focus();
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(heading(page, 'Match columns')).toBeFocused();
  await keyboard.press('Tab');
  await expect(page.getByLabel('Row with the headings')).toBeFocused();
  await keyboard.press('Tab');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();

  await page.goBack();
  const leaving = page.getByRole('dialog', { name: 'Leave the import?' });
  await expect(leaving).toBeVisible();
  await keyboard.press('Escape');
  await expect(leaving).toBeHidden();

  await page.getByLabel('Password').focus();
  // The scrolling preview has a tab stop in between.
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Check rows' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(heading(page, 'Check')).toBeFocused();
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Import 3 end users' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(heading(page, 'Done')).toBeFocused();

  await page.getByRole('link', { name: 'Go to End Users' }).click();
  const losing = page.getByRole('dialog', { name: 'Leave without the passwords?' });
  await expect(losing).toBeVisible();
  await losing.getByRole('button', { name: 'Stay here' }).click();
  await expect(losing).toBeHidden();
  const asking = page.waitForEvent('dialog');
  await page.evaluate(() => window.setTimeout(() => window.location.reload()));
  const question = await asking;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await downloadCsv(page);
  await page.getByRole('link', { name: 'Go to End Users' }).click();
  await expect(heading(page, 'End Users (5)')).toBeVisible();
});

test('slips are printed six a page, and nothing else is', async ({ openAs, server }) => {
  const setting = await arrangeClub(server.url, 'Printed Import');
  const page = await openAs(DESKTOP);
  await openImport(page, setting);
  await importAll(page, people(30));
  await page.getByRole('button', { name: 'Print slips' }).click();
  await expect(page.getByRole('button', { name: 'Print 5 pages' })).toBeVisible();

  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(5);

  await page.emulateMedia({ media: 'print' });
  const printed = page.getByTestId('printed-slips');
  await expect(printed.getByRole('article')).toHaveCount(30);
  await expect(page.getByRole('heading')).toHaveCount(0);
  const slip = printed.getByRole('article', { name: 'Slip of Person 30' });
  await expect(slip).toContainText('Printed Import');
  await expect(slip).toContainText(`/participant/login/${setting.clientCode}`);
  const code = await slip.getByRole('img').locator('use').boundingBox();
  expect(code?.width, 'the QR code is drawn').toBeGreaterThan(80);
});

for (const viewport of [DESKTOP, PHONE]) {
  test(`no step has a violation that axe finds, light and dark, ${viewport.width} px`, async ({
    openAs,
    server,
  }) => {
    const setting = await arrangeClub(server.url, `Axe Import ${viewport.width}`);
    // Axe measures colors, which differ from the final ones during a transition.
    const page = await openAs(viewport, { colorScheme: 'light', reducedMotion: 'reduce' });
    await openImport(page, setting);
    await expectAccessibleInBothSchemes(page, 'import, choose');
    await choose(page, { name: 'old.xls', mimeType: '', buffer: Buffer.from('x') });
    await expect(page.getByRole('alert')).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'import, wrong file');
    await choose(page, FAULTY);
    await expect(heading(page, 'Match columns')).toBeVisible();
    await page.getByLabel('Name', { exact: true }).selectOption('Not in the file');
    await expect(page.getByText(/^No column holds the name/)).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'import, match');
    await page.getByLabel('Name', { exact: true }).selectOption('Name');
    await check(page);
    await expectAccessibleInBothSchemes(page, 'import, errors');
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, people(51));
    await check(page);
    await expectAccessibleInBothSchemes(page, 'import, check');
    await page.getByRole('button', { name: 'Import 51 end users' }).click();
    await expect(heading(page, 'Done')).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'import, done');
    await page.getByRole('link', { name: 'Go to End Users' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'import, leave');
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Print slips' }).click();
    await expect(heading(page, 'Print slips')).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'import, slips');
  });
}
