import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Credentials, ImportRow, ImportRowView, ImportTable, ImportView } from '../../api/types';
import { CREDENTIALS, TABLE } from '../../test/import-samples';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleWeightKind } from '../../test/samples';
import { http, server } from '../../test/server';

let table: ImportTable;
let views: ImportRowView[];
let credentials: Credentials[];
/** The calls to the import, in order. */
let sent: { dryRun: boolean; rows: ImportRow[]; skipErrors?: boolean }[];

beforeEach(() => {
  newGroups = [];
  table = TABLE;
  views = [
    sampleView({ line: 2, verdict: 'new', name: 'Jürgen Müller-Lüdenscheid', username: 'jurgen' }),
    sampleView({ line: 3, verdict: 'change', name: 'Zoë Weiß', username: 'zoe', changes: ['name'] }),
  ];
  credentials = [CREDENTIALS];
  sent = [];
  server.use(
    http.post('/client/end-users/import/read', ({ response }) =>
      response(200).json({ success: true, data: table }),
    ),
    http.post('/client/end-users/import', async ({ request, response }) => {
      const body = await request.json();
      sent.push(body);
      return response(200).json({ success: true, data: answerTo(body.dryRun) });
    }),
    http.get('/client/end-users', ({ response }) => response(200).json({ success: true, data: [] })),
  );
});

let newGroups: string[];

function sampleView(changes: Partial<ImportRowView>): ImportRowView {
  return { line: 2, verdict: 'new', username: null, name: null, errors: [], changes: [], ...changes };
}

function answerTo(dryRun: boolean): ImportView {
  const count = (verdict: string) => views.filter((view) => view.verdict === verdict).length;
  const counts = {
    new: count('new'),
    change: count('change'),
    unchanged: count('unchanged'),
    error: count('error'),
  };
  return { rows: views, counts, newGroups, applied: !dryRun, credentials: dryRun ? [] : credentials };
}

function refuseImport(status: 409 | 503, code: string) {
  server.use(
    http.post('/client/end-users/import', async ({ request, response }) => {
      const body = await request.clone().json();
      if (body.dryRun) {
        return undefined;
      }
      sent.push(body);
      return response(status).json({ error: 'Not now.', message: 'Not now.', code });
    }),
  );
}

async function open(): Promise<UserEvent> {
  const { user } = await renderApp('/client/end-users/import', { as: clientAdmin });
  await screen.findByRole('heading', { name: 'Choose file' });
  return user;
}

function drop(...files: File[]) {
  fireEvent.drop(screen.getByTestId('drop-zone'), { dataTransfer: { files } });
}

async function openWithFile(): Promise<UserEvent> {
  const user = await open();
  await user.upload(screen.getByLabelText('File with end users'), new File(['Name\nAnna'], 'members.csv'));
  await screen.findByRole('heading', { name: 'Match columns' });
  return user;
}

async function openChecked(): Promise<UserEvent> {
  const user = await openWithFile();
  await user.click(screen.getByRole('button', { name: 'Check rows' }));
  await screen.findByRole('heading', { name: 'Check' });
  return user;
}

async function openDone(): Promise<UserEvent> {
  const user = await openChecked();
  await user.click(screen.getByRole('button', { name: /^Import \d/ }));
  await screen.findByRole('heading', { name: 'Done' });
  return user;
}

/** Replaces the browser's download. */
function catchDownload() {
  const createObjectURL = vi.fn((_file: Blob) => 'blob:credentials');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: vi.fn() }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  return {
    bytes: async () => new Uint8Array((await createObjectURL.mock.calls[0]?.[0].arrayBuffer()) ?? []),
  };
}

it('begins with the file, and says what it may hold', async () => {
  await open();
  const [first] = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('aria-current'));
  expect(first).toHaveTextContent('Choose file');
  expect(screen.getByRole('heading', { name: 'Recognized columns' })).toBeInTheDocument();
});

it('offers a template with the headings and nobody in it', async () => {
  const download = catchDownload();
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Download template' }));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await download.bytes());
  expect(text).toBe('\uFEFFName,Username,Email,Address,Weight,Groups,Active,Password\r\n');
});

it('says of a file that cannot be right why, and sends nothing', async () => {
  await open();
  drop(new File(['x'], 'Members.XLS'));
  expect(await screen.findByRole('alert')).toHaveTextContent(/“Members.XLS” is neither a CSV file nor/);
  drop(new File([], 'empty.csv'));
  expect(screen.getByRole('alert')).toHaveTextContent('“empty.csv” is empty.');
  drop(new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'large.xlsx'));
  expect(screen.getByRole('alert')).toHaveTextContent(/“large.xlsx” is 5.1 MB large/);
  drop(new File(['x'], 'a.csv'), new File(['x'], 'b.csv'));
  expect(screen.getByRole('alert')).toHaveTextContent('Choose one file at a time.');
  expect(screen.getByRole('heading', { name: 'Choose file' })).toBeInTheDocument();
});

it('shows in its place why the server cannot use a file', async () => {
  const wanted = 'Must have at most 20000 rows.';
  server.use(
    http.post('/client/end-users/import/read', ({ response }) =>
      response(422).json({
        error: `content: ${wanted}`,
        message: '',
        code: 'invalid_input',
        fields: { content: [wanted] },
      }),
    ),
  );
  await open();
  drop(new File(['x'], 'members.csv'));
  expect(await screen.findByRole('alert')).toHaveTextContent('The file must have at most 20000 rows.');
});

it('sends the bytes of the file, and again when the network was down', async () => {
  let attempts = 0;
  let content: string | undefined;
  server.use(
    http.post('/client/end-users/import/read', async ({ request, response }) => {
      attempts += 1;
      ({ content } = await request.json());
      return attempts === 1
        ? response.untyped(HttpResponse.error())
        : response(200).json({ success: true, data: table });
    }),
  );
  const user = await open();
  drop(new File([new Uint8Array([0x4e, 0xfc, 0x0a])], 'members.csv'));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to read the file: the server could not be reached',
  );
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Match columns' })).toHaveFocus();
  expect(content).toBe('TvwK');
});

it('says what was found out, and takes over the suggested columns', async () => {
  await openWithFile();
  expect(screen.getByText(/CSV, separator semicolon, encoding windows-1252, 2 rows/)).toBeInTheDocument();
  expect(screen.getByRole('combobox', { name: 'Last name' })).toHaveDisplayValue('Name');
  expect(screen.getByRole('combobox', { name: 'First name' })).toHaveDisplayValue('Vorname');
  expect(screen.getByRole('combobox', { name: 'Username' })).toHaveDisplayValue('Not in the file');
  const preview = within(screen.getByRole('table', { name: 'The rows' }));
  expect(preview.getByRole('columnheader', { name: /Stimmen as Weight/ })).toBeInTheDocument();
  expect(preview.getByRole('columnheader', { name: /Bemerkung Not imported/ })).toBeInTheDocument();
  expect(preview.getByRole('cell', { name: 'Müller-Lüdenscheid' })).toBeInTheDocument();
});

it('says at once when no column holds the name', async () => {
  table = { ...TABLE, columns: ['A', 'B', '', 'A'], mapping: {} };
  const user = await openWithFile();
  expect(screen.getByText(/^No column holds the name. Choose the column/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Check rows' })).toBeDisabled();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Username' }), 'Column 3');
  expect(screen.getByText(/A row for a new person is an error/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Check rows' })).toBeEnabled();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Name' }), 'A (column 4)');
  expect(screen.queryByText(/^No column holds the name/)).not.toBeInTheDocument();
});

it('checks the rows by the columns that were chosen, and leaves out what is blank', async () => {
  const user = await openWithFile();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Weight' }), 'Not in the file');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Address' }), 'Bemerkung');
  await user.click(screen.getByRole('button', { name: 'Check rows' }));
  await screen.findByRole('heading', { name: 'Check' });
  expect(sent).toEqual([
    {
      dryRun: true,
      rows: [
        { line: 2, lastName: 'Müller-Lüdenscheid', firstName: 'Jürgen', address: 'x' },
        { line: 3, lastName: 'Weiß', firstName: 'Zoë' },
      ],
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Change columns' }));
  expect(screen.getByRole('combobox', { name: 'Address' })).toHaveDisplayValue('Bemerkung');
});

it('matches columns with kinds of weight, and sends their cells as they are', async () => {
  const area = sampleWeightKind();
  server.use(
    http.get('/client/weight-kinds', ({ response }) =>
      response(200).json({ success: true, data: [area, sampleWeightKind({ id: 'w2', name: 'Shares' })] }),
    ),
  );
  table = {
    ...TABLE,
    rows: [...TABLE.rows.slice(0, 1), ['Weiß', 'Zoë', '1.234', '0'], ['Otto', 'Ben', '125,37', '']],
    lines: [2, 3, 4],
    rowCount: 3,
    mapping: { name: 0, weights: [{ kindId: area.id, column: 2 }] },
  };
  views = [
    sampleView({
      verdict: 'error',
      name: 'Jürgen',
      errors: [{ field: 'weights', kindId: 'w2', message: 'Shares: Must be a whole number.' }],
    }),
    sampleView({
      line: 3,
      verdict: 'change',
      name: 'Zoë',
      changes: ['weights'],
      weights: [
        { kindId: area.id, value: '1234' },
        { kindId: 'w2', value: '0' },
      ],
    }),
    sampleView({ line: 4, name: 'Ben', weights: [{ kindId: area.id, value: '125.37' }] }),
  ];
  const user = await openWithFile();
  expect(await screen.findByRole('combobox', { name: 'Floor area' })).toHaveDisplayValue('Stimmen');
  const preview = within(screen.getByRole('table', { name: 'The rows' }));
  expect(preview.getByRole('columnheader', { name: /Stimmen as Floor area/ })).toBeInTheDocument();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Shares' }), 'Bemerkung');
  await user.click(screen.getByRole('button', { name: 'Check rows' }));
  await screen.findByRole('heading', { name: 'Check' });
  expect(sent[0]?.rows).toEqual([
    {
      line: 2,
      name: 'Müller-Lüdenscheid',
      weights: [
        { kindId: area.id, value: '1,5' },
        { kindId: 'w2', value: 'x' },
      ],
    },
    {
      line: 3,
      name: 'Weiß',
      weights: [
        { kindId: area.id, value: '1.234' },
        { kindId: 'w2', value: '0' },
      ],
    },
    { line: 4, name: 'Otto', weights: [{ kindId: area.id, value: '125,37' }] },
  ]);
  expect(screen.getByRole('row', { name: /Kinds of weight “x”: Shares: Must be a whole/ })).toBeVisible();
  const change = screen.getByRole('row', { name: /Zoë/ });
  expect(change).toHaveTextContent('Floor area becomes “1234”Shares becomes “0”');
  expect(screen.getByRole('row', { name: /Ben/ })).toHaveTextContent(/random passwordFloor area “125.37”$/);
});

it('names kinds of weight by what they are if they were deleted meanwhile', async () => {
  views = [
    sampleView({ verdict: 'change', changes: ['weights'], weights: [{ kindId: 'gone', value: '2' }] }),
  ];
  await openChecked();
  expect(screen.getByText('Kinds of weight').parentElement).toHaveTextContent('Kinds of weight becomes “2”');
});

it('says of each row what happens, errors first, and imports those without errors', async () => {
  views = [
    sampleView({ line: 2, verdict: 'change', name: 'Jürgen', username: 'j', changes: ['weight', 'name'] }),
    sampleView({
      line: 3,
      verdict: 'error',
      name: 'Zoë Weiß',
      errors: [{ field: 'lastName', message: 'Must be shorter.' }],
    }),
  ];
  const user = await openChecked();
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows[0]).toHaveTextContent(/3Zoë WeißErrorLast name “Weiß”: Must be shorter\./);
  expect(rows[1]).toHaveTextContent(/2JürgenjChangeWeight becomes “1,5”Name becomes “Jürgen”/);
  expect(screen.getByText(/^1 row has an error\. Correct the file/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: /Change 1/ }));
  expect(screen.getByRole('heading', { name: 'Rows (1)' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /Change 1/ })).toHaveAttribute('aria-pressed', 'true');
  expect(screen.queryByText('Zoë Weiß')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Import the valid row' }));
  expect(await screen.findByText(/except for 1 row with errors/)).toBeInTheDocument();
  const download = catchDownload();
  await user.click(screen.getByRole('button', { name: 'Download 1 wrong row' }));
  expect(new TextDecoder().decode(await download.bytes())).toContain(
    '\r\nWeiß;Zoë;;;3;Last name: Must be shorter.',
  );
  expect(sent.map(({ dryRun, skipErrors }) => [dryRun, skipErrors])).toEqual([
    [true, undefined],
    [false, true],
  ]);
});

it('hands out the wrong rows as they stand in the file, with their numbers and what is wrong', async () => {
  views = [
    sampleView({ line: 5, name: 'Jürgen', username: 'j' }),
    sampleView({
      line: 9,
      verdict: 'error',
      errors: [
        { field: 'weight', message: 'Must be a number.' },
        { field: 'name', message: 'Must not be empty.' },
      ],
    }),
  ];
  const download = catchDownload();
  const user = await openChecked();
  await user.click(screen.getByRole('button', { name: 'Download 1 wrong row' }));
  expect(new TextDecoder().decode(await download.bytes())).toBe(
    'Name;Vorname;Stimmen;Bemerkung;Row in the file;What is wrong\r\n' +
      'Weiß;Zoë;;;9;Weight: Must be a number. Name: Must not be empty.\r\n',
  );
});

it('imports nothing where every row is wrong', async () => {
  views = [sampleView({ verdict: 'error', errors: [{ field: 'name', message: 'Must not be empty.' }] })];
  await openChecked();
  expect(screen.getByRole('button', { name: 'Import the 0 valid rows' })).toBeDisabled();
});

it('lets somebody choose the sheet and the row with the headings', async () => {
  const asked: unknown[] = [];
  server.use(
    http.post('/client/end-users/import/read', async ({ request, response }) => {
      const { sheet, headerRow } = await request.json();
      asked.push({ sheet, headerRow });
      return response(200).json({
        success: true,
        data: {
          ...TABLE,
          sheets: ['Cover', 'Members'],
          sheet: sheet ?? 'Members',
          headerRow: headerRow ?? 1,
        },
      });
    }),
  );
  const user = await openWithFile();
  const sheets = screen.getByRole('combobox', { name: 'Sheet' });
  expect(sheets).toHaveDisplayValue('Members');
  await user.selectOptions(sheets, 'Cover');
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Sheet' })).toHaveDisplayValue('Cover'));
  const rows = screen.getByRole('combobox', { name: 'Row with the headings' });
  await user.selectOptions(rows, 'Row 2: Müller-Lüdenscheid, Jürgen, 1,5, x');
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Row with the headings' })).toHaveDisplayValue(/^Row 2/),
  );
  expect(asked).toEqual([{}, { sheet: 'Cover' }, { sheet: 'Cover', headerRow: 2 }]);
});

it('says when there is nothing to do', async () => {
  views = [sampleView({ verdict: 'unchanged' }), sampleView({ line: 3, verdict: 'unchanged' })];
  await openChecked();
  expect(screen.getByText(/^There is nothing to import/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Import 0 end users' })).toBeDisabled();
});

it('shows many rows a page at a time', async () => {
  const count = 20_000;
  table = {
    ...TABLE,
    rows: Array.from({ length: count }, (_, index) => [`Person ${index}`, '', '', '']),
    lines: Array.from({ length: count }, (_, index) => index + 2),
    rowCount: count,
  };
  views = table.lines.map((line) => sampleView({ line, name: `Person ${line}`, username: `p${line}` }));
  const user = await openChecked();
  expect(screen.getByText('1–50 of 20,000')).toBeInTheDocument();
  expect(screen.getAllByRole('row')).toHaveLength(51);
  await user.click(screen.getByRole('button', { name: 'Page 400' }));
  expect(screen.getByText('Person 20001')).toBeInTheDocument();
});

it('imports once, also on a double click, and hands out the credentials', async () => {
  credentials = [CREDENTIALS, { ...CREDENTIALS, username: 'zoe', name: 'Zoë Weiß', password: '@bcdefgh' }];
  const download = catchDownload();
  const user = await openChecked();
  await user.dblClick(screen.getByRole('button', { name: 'Import 2 end users' }));
  expect(await screen.findByRole('heading', { name: 'Done' })).toHaveFocus();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, false]);
  expect(sent[1]?.rows).toEqual(sent[0]?.rows);
  expect(screen.getByText('Credentials of 2 people')).toBeInTheDocument();
  expect(screen.getByText(/^1 password holds a sign/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  const bytes = await download.bytes();
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toContain(
    'Jürgen Müller-Lüdenscheid,jurgen.muller-ludenscheid,aB3$efgh1l0O,',
  );
});

it('shows what the file says of a new person before the import', async () => {
  table = { ...TABLE, columns: ['Name', 'Gruppen', 'Stimmen'], mapping: { name: 0, groups: 1, weight: 2 } };
  table.rows = [
    ['Jürgen', 'Board; Rowers', '1,5'],
    ['Zoë', '', ''],
  ];
  views = [
    sampleView({ line: 2, name: 'Jürgen', username: 'j' }),
    sampleView({ line: 3, name: 'Zoë', username: 'z' }),
  ];
  await openChecked();
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows[0]).toHaveTextContent(
    /2JürgenjNewIs added, with a random passwordWeight “1,5”Groups “Board; Rowers”$/,
  );
  expect(rows[1]).toHaveTextContent(/3ZoëzNewIs added, with a random password$/);
});

it('does not warn of passwords that are in the file', async () => {
  table = { ...TABLE, columns: ['Name', 'Password'], mapping: { name: 0, password: 1 } };
  table.rows = [['Jürgen', 'correct horse']];
  views = [sampleView({ line: 2, name: 'Jürgen', username: 'j' })];
  const user = await openDone();
  expect(screen.getByText(/^All passwords are those of your file\./)).toBeInTheDocument();
  expect(screen.queryByText(/saved only now/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Back to End Users' }));
  expect(await screen.findByRole('heading', { name: 'End Users' })).toBeInTheDocument();
});

it('asks before the passwords are lost, and no more once they are downloaded', async () => {
  catchDownload();
  const user = await openDone();
  await user.click(screen.getByRole('link', { name: 'Back to End Users' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without the passwords?' }));
  expect(dialog.getByText(/credentials of 1 person have not been downloaded/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Stay here' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  await user.click(screen.getByRole('link', { name: 'Back to End Users' }));
  expect(await screen.findByRole('heading', { name: 'End Users' })).toBeInTheDocument();
});

it('asks before an import is left half-way', async () => {
  const user = await openChecked();
  await user.click(screen.getByRole('link', { name: 'Back to End Users' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave the import?' }));
  await user.click(dialog.getByRole('button', { name: 'Leave the import' }));
  expect(await screen.findByRole('heading', { name: 'End Users' })).toBeInTheDocument();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true]);
});

it('prints a slip for each person, with one QR code drawn for all', async () => {
  credentials = Array.from({ length: 9 }, (_, index) => ({ ...CREDENTIALS, username: `voter${index}` }));
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  const user = await openDone();
  await user.click(screen.getByRole('button', { name: 'Print slips' }));
  expect(await screen.findByRole('heading', { name: 'Print slips' })).toHaveFocus();
  const sheet = within(screen.getByTestId('printed-slips'));
  expect(sheet.getAllByRole('article')).toHaveLength(9);
  expect(screen.getByTestId('printed-slips').querySelectorAll('path')).toHaveLength(1);
  const slip = sheet.getAllByRole('article')[8];
  expect(slip).toHaveTextContent('Riverside Housing Cooperative');
  expect(slip).toHaveTextContent('Organization codeRIVERSIDE');
  expect(slip).toHaveTextContent('Usernamevoter8');
  expect(slip).toHaveTextContent('PasswordaB3$efgh1l0O');
  expect(slip).toHaveTextContent('Sign in at plenum.test/participant/login/riverside');
  await user.click(screen.getByRole('button', { name: 'Print 2 pages' }));
  expect(print).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('heading', { name: 'Done' })).toHaveFocus();
  expect(screen.queryByTestId('printed-slips')).not.toBeInTheDocument();
});

it.each([
  ['import_outdated', /^Another person changed the end users in the meantime/],
  ['import_has_errors', /^Some rows now have errors/],
])('checks again what was refused as %s', async (code, notice) => {
  const user = await openChecked();
  refuseImport(409, code);
  views = views.map((view) => ({ ...view, verdict: 'unchanged' as const, changes: [] }));
  await user.click(screen.getByRole('button', { name: 'Import 2 end users' }));
  expect(await screen.findByText(notice)).toBeInTheDocument();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, false, true]);
  expect(screen.getByRole('button', { name: 'Import 0 end users' })).toBeDisabled();
});

it('asks for the reason of passwords during a vote, and imports with it', async () => {
  const user = await openChecked();
  sent = [];
  server.use(
    http.post('/client/end-users/import', async ({ request, response }) => {
      const body = await request.clone().json();
      if (body.dryRun || body.passwordReason) {
        return undefined;
      }
      const error = '1 person may vote on “Budget?” in “Assembly”, and voting is open. Give a reason';
      return response(409).json({ code: 'password_reason_needed', error, message: error });
    }),
  );
  const confirm = screen.getByRole('button', { name: 'Import 2 end users' });
  await user.click(confirm);
  expect(await screen.findByRole('alert')).toHaveTextContent(/may vote on “Budget\?” in “Assembly”/);
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  await user.type(screen.getByLabelText(/Reason for the new password/), 'Lost the letters');
  await user.click(confirm);
  expect(await screen.findByRole('heading', { name: 'Done' })).toBeInTheDocument();
  expect(sent).toEqual([expect.objectContaining({ dryRun: false, passwordReason: 'Lost the letters' })]);
});

it('keeps everything when the network is down, and looks first whether the import got through', async () => {
  const user = await openChecked();
  server.use(
    http.post('/client/end-users/import', ({ response }) => response.untyped(HttpResponse.error()), {
      once: true,
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Import 2 end users' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Failed to import the end users: the server could not be reached\. It is not known/,
  );
  expect(screen.getByText('Zoë Weiß')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Done' })).toBeInTheDocument();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, true, false]);
});

it('does not import again what got through although its answer was lost', async () => {
  const user = await openChecked();
  server.use(
    http.post('/client/end-users/import', ({ response }) => response.untyped(HttpResponse.error()), {
      once: true,
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Import 2 end users' }));
  await screen.findByRole('alert');
  views = views.map((view) => ({ ...view, verdict: 'unchanged' as const, changes: [] }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/it probably succeeded/)).toBeInTheDocument();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, true]);
});

it('says what the server says when the rows cannot be checked, and tries again', async () => {
  const user = await openWithFile();
  server.use(
    http.post(
      '/client/end-users/import',
      ({ response }) => response(503).json({ error: 'The service is busy.', message: '', code: 'busy' }),
      { once: true },
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Check rows' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The service is busy.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Check' })).toBeInTheDocument();
});

it('goes on with the earlier file when no other one is chosen', async () => {
  const user = await openChecked();
  await user.click(screen.getByRole('button', { name: 'Choose another file' }));
  await user.click(screen.getByRole('button', { name: 'Go on with members.csv' }));
  expect(screen.getByRole('heading', { name: 'Match columns' })).toHaveFocus();
});
