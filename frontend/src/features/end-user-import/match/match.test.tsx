import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { ImportTable } from '../../../api/types';
import { clientAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { http, server } from '../../../test/server';

const TABLE: ImportTable = {
  sheet: null,
  sheets: [],
  headerRow: 1,
  headerRows: [
    { row: 1, cells: ['Name', 'Votes'] },
    { row: 2, cells: ['Zoë', '1,5'] },
  ],
  columns: ['Name', 'Votes'],
  rows: [['Zoë', '1,5']],
  lines: [2],
  rowCount: 1,
  format: 'csv',
  separator: ';',
  encoding: 'utf-8',
  mapping: { name: 0, weight: 1 },
};

let table: ImportTable;
let checks: number;

beforeEach(() => {
  table = TABLE;
  checks = 0;
  server.use(
    http.post('/client/end-users/import/read', ({ response }) =>
      response(200).json({ success: true, data: table }),
    ),
    http.post('/client/end-users/import', ({ response }) => {
      checks += 1;
      const counts = { new: 0, change: 0, unchanged: 1, error: 0 };
      const row = { line: 2, verdict: 'unchanged', username: 'zoe', name: 'Zoë' } as const;
      return response(200).json({
        success: true,
        data: {
          rows: [{ ...row, errors: [], changes: [] }],
          counts,
          newGroups: [],
          applied: false,
          credentials: [],
        },
      });
    }),
  );
});

async function openWithFile() {
  const { user } = await renderApp('/client/end-users/import', { as: clientAdmin });
  await user.upload(await screen.findByLabelText('File with end users'), new File(['x'], 'members.csv'));
  await screen.findByRole('heading', { name: 'Match columns' });
  return user;
}

/** Delays the server's responses to a path until the returned function is called. */
function delay(path: '/client/end-users/import' | '/client/end-users/import/read') {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.post(path, async () => {
      await released;
      return undefined;
    }),
  );
  return release;
}

it('keeps the columns while their rows are checked', async () => {
  const user = await openWithFile();
  const release = delay('/client/end-users/import');
  await user.click(screen.getByRole('button', { name: 'Check rows' }));
  await screen.findByRole('button', { name: 'Checking rows...' });
  for (const select of screen.getAllByRole('combobox')) {
    expect(select).toBeDisabled();
  }
  release();
  expect(await screen.findByRole('heading', { name: 'Check' })).toBeInTheDocument();
  expect(checks).toBe(1);
});

it('checks nothing while another place in the file is read', async () => {
  const user = await openWithFile();
  const release = delay('/client/end-users/import/read');
  const rows = screen.getByRole('combobox', { name: 'Row with the headings' });
  await user.selectOptions(rows, 'Row 2: Zoë, 1,5');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Check rows' })).toBeDisabled());
  expect(screen.getByRole('combobox', { name: 'Weight' })).toBeDisabled();
  release();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Check rows' })).toBeEnabled());
  expect(checks).toBe(0);
});

it('says of a workbook what its cells do not show', async () => {
  const hint = /a number shown as 00123 is read as 123/;
  const user = await openWithFile();
  expect(screen.queryByText(hint)).not.toBeInTheDocument();
  table = {
    ...TABLE,
    format: 'xlsx',
    sheet: 'Members',
    sheets: ['Members'],
    separator: null,
    encoding: null,
  };
  await user.click(screen.getByRole('button', { name: 'Choose another file' }));
  await user.upload(screen.getByLabelText('File with end users'), new File(['x'], 'members.xlsx'));
  expect(await screen.findByText(hint)).toBeInTheDocument();
});
