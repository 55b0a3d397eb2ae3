import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientReport } from '../../api/types';
import { catchDownloads } from '../../test/catch-downloads';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleReport } from '../../test/samples';
import { http, server } from '../../test/server';

let reports: ClientReport[];
let queries: string[];

beforeEach(() => {
  reports = [sampleReport()];
  queries = [];
  server.use(
    http.get('/reports/clients', ({ request, response }) => {
      queries.push(new URL(request.url).search);
      const meta = { page: 1, pageSize: 50, total: reports.length };
      return response(200).json({ success: true, data: reports, meta });
    }),
  );
});

it('reports how much each client uses the platform', async () => {
  reports = [
    sampleReport(),
    sampleReport({
      id: 'c2',
      name: 'Tennis Club',
      status: 'SUSPENDED',
      lastActivityAt: '2020-05-02T10:00:00Z',
    }),
  ];
  await renderApp('/admin/reports', { as: superAdmin });
  const row = within(await screen.findByRole('row', { name: /Riverside/ }));
  expect(row.getByRole('link', { name: 'Riverside Housing Cooperative' })).toHaveAttribute(
    'href',
    '/admin/clients?search=riverside',
  );
  expect(row.getByText('Pro · riverside')).toBeInTheDocument();
  expect(row.getByRole('cell', { name: '1,840 1,765 active' })).toBeInTheDocument();
  expect(row.getByRole('cell', { name: '201.5' })).toBeInTheDocument();
  expect(row.getByRole('cell', { name: '12 1 active, 9 completed' })).toBeInTheDocument();
  for (const figure of ['64', '58', '7,410', 'None']) {
    expect(row.getByRole('cell', { name: figure })).toBeInTheDocument();
  }
  const suspended = within(screen.getByRole('row', { name: /Tennis Club/ }));
  expect(suspended.getByText('Suspended')).toBeInTheDocument();
  expect(suspended.getByText(/2 May 2020/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/admin');
});

it('asks the server for what is searched, filtered and sorted', async () => {
  const { user, location } = await renderApp('/admin/reports?search=club&sort=name', { as: superAdmin });
  await screen.findByRole('row', { name: /Riverside/ });
  reports = [];
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Suspended');
  expect(await screen.findByText('No clients found')).toBeInTheDocument();
  expect(queries).toEqual([
    '?search=club&sort=name&page=1&pageSize=50',
    '?search=club&status=SUSPENDED&sort=name&page=1&pageSize=50',
  ]);
  expect(location()).toBe('/admin/reports?search=club&sort=name&status=SUSPENDED');
});

it('offers another try where the reports cannot be loaded', async () => {
  server.use(
    http.get('/reports/clients', ({ response }) => response.untyped(new Response('', { status: 500 })), {
      once: true,
    }),
  );
  const { user } = await renderApp('/admin/reports', { as: superAdmin });
  expect(await screen.findByText('Failed to fetch reports')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /Riverside/ })).toBeInTheDocument();
});

describe('the export', () => {
  it('holds what the list is narrowed to, under the name that the server gives, and is sent once', async () => {
    const files = catchDownloads();
    const asked: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.get('/reports/clients/export', async ({ request, response }) => {
        asked.push(new URL(request.url).search);
        await released;
        return response.untyped(
          new Response('Name\r\nClub\r\n', {
            headers: { 'Content-Disposition': 'attachment; filename="client-reports-2026-11-21.csv"' },
          }),
        );
      }),
    );
    const { user } = await renderApp('/admin/reports?search=club&status=ACTIVE&sort=-name&page=1', {
      as: superAdmin,
    });
    await user.dblClick(await screen.findByRole('button', { name: 'Export CSV' }));
    const busy = await screen.findByRole('button', { name: 'Exporting...' });
    expect(busy).toHaveFocus();
    await user.click(busy);
    release();
    expect(await screen.findByText('Reports exported to client-reports-2026-11-21.csv')).toBeInTheDocument();
    expect(asked).toEqual(['?search=club&status=ACTIVE&sort=-name']);
    expect(files.map(({ name }) => name)).toEqual(['client-reports-2026-11-21.csv']);
    expect(await files[0]?.text()).toBe('Name\r\nClub\r\n');
    expect(await screen.findByRole('button', { name: 'Export CSV' })).toBeInTheDocument();
  });

  it.each([
    ['It is too much.', () => Response.json({ error: 'It is too much.' }, { status: 409 })],
    ['Failed to export reports', () => new Response('<html>', { status: 502 })],
    ['Failed to export reports: the server could not be reached', () => Response.error()],
  ])('says "%s"', async (text, answer) => {
    const files = catchDownloads();
    server.use(http.get('/reports/clients/export', ({ response }) => response.untyped(answer())));
    const { user } = await renderApp('/admin/reports', { as: superAdmin });
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(files).toEqual([]);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Export CSV' })).toBeEnabled());
  });
});
