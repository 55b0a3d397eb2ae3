import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../api/types';
import { catchDownloads } from '../../test/catch-downloads';
import { clientAdmin, superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleAuditEntry } from '../../test/samples';
import { http, server } from '../../test/server';

let pages: AuditEntry[][];
let queries: URLSearchParams[];

beforeEach(() => {
  pages = [[sampleAuditEntry()]];
  queries = [];
  server.use(
    http.get('/client/audit', ({ request, response }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      const page = Number(query.get('behind') ?? 0);
      const next = page + 1 < pages.length ? String(page + 1) : null;
      return response(200).json({ success: true, data: pages[page] ?? [], next });
    }),
  );
});

it('shows who did what, from where, and what changed', async () => {
  pages = [
    [
      sampleAuditEntry(),
      sampleAuditEntry({
        id: 2,
        kind: 'sign_in_failed',
        by: { role: 'NOBODY', id: null, name: null, address: '198.51.100.9' },
        changes: [],
        link: null,
      }),
      sampleAuditEntry({
        id: 3,
        kind: 'question_created',
        subject: { kind: 'question', id: null, name: 'Is the budget approved?', meeting: 'General assembly' },
        changes: [
          { field: 'question_text', before: null, after: 'Is the budget approved?' },
          { field: 'is_required', before: null, after: 'true' },
        ],
      }),
      sampleAuditEntry({
        id: 4,
        changes: [{ field: 'password_hash', before: null, after: null }],
      }),
    ],
  ];
  const { user } = await renderApp('/client/audit', { as: clientAdmin });
  const changed = within(await screen.findByRole('row', { name: /Weight/ }));
  expect(changed.getByText('End user changed')).toBeInTheDocument();
  expect(changed.getByText('Ben Otto (ben)')).toBeInTheDocument();
  expect(changed.getByText('Anna Berg')).toBeInTheDocument();
  expect(changed.getByText('Client Admin, from 192.0.2.7')).toBeInTheDocument();
  expect(changed.getByRole('cell', { name: 'Weight: 1.0000 → 2.5000' })).toBeInTheDocument();
  expect(changed.getByRole('cell', { name: '812' })).toBeInTheDocument();

  const failed = within(screen.getByRole('row', { name: /Sign-in failed/ }));
  expect(failed.getByText('Not signed in')).toBeInTheDocument();
  expect(failed.getByText('from 198.51.100.9')).toBeInTheDocument();

  const created = within(screen.getByRole('row', { name: /Question created/ }));
  expect(created.getByText('Is the budget approved? · General assembly')).toBeInTheDocument();
  await user.click(created.getByText('2 fields'));
  expect(created.getByText('Is required:')).toBeVisible();

  expect(screen.getByText('Password changed')).toBeInTheDocument();
});

it('asks the server for what the address says, days being those of this device', async () => {
  const { user, location } = await renderApp(
    '/client/audit?search=budget&person=anna&kind=meeting_changed&from=2026-11-01&to=2026-11-21',
    { as: clientAdmin },
  );
  await screen.findByRole('row', { name: /Weight/ });
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({
    search: 'budget',
    person: 'anna',
    kind: 'meeting_changed',
    from: new Date(2026, 10, 1).toISOString(),
    until: new Date(2026, 10, 22).toISOString(),
  });
  pages = [[]];
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by kind' }), 'Signed in');
  expect(await screen.findByText('No entries found')).toBeInTheDocument();
  expect(queries.at(-1)?.get('kind')).toBe('signed_in');
  pages = [[sampleAuditEntry()]];
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
  await screen.findByRole('row', { name: /Weight/ });
  expect(location()).toBe('/client/audit');
});

it('names the fields of votes on paper and of desks', async () => {
  pages = [
    [
      sampleAuditEntry({
        kind: 'paper_batch_entered',
        changes: [{ field: 'paper_ballots', before: null, after: '12' }],
      }),
      sampleAuditEntry({
        id: 1,
        kind: 'desk_made',
        changes: [{ field: 'desk_purpose', before: null, after: 'VOTING_PLACE' }],
      }),
    ],
  ];
  await renderApp('/client/audit', { as: clientAdmin });
  expect(await screen.findByRole('row', { name: /Ballots on paper entered.*Ballots: 12/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /Desk made.*Purpose: Voting place/ })).toBeVisible();
});

it('names the fields of kinds of weight', async () => {
  pages = [
    [
      sampleAuditEntry({
        changes: [{ field: 'weight: floor_area', before: '250.5', after: '251' }],
      }),
      sampleAuditEntry({
        id: 1,
        kind: 'question_changed',
        changes: [{ field: 'second_weight_kind', before: null, after: 'Capital' }],
      }),
      sampleAuditEntry({ id: 2, kind: 'weight_kind_deleted', changes: [] }),
    ],
  ];
  await renderApp('/client/audit', { as: clientAdmin });
  expect(await screen.findByRole('row', { name: /End user changed.*Weight: floor_area/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /Question changed.*Second weight: Capital/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /Kind of weight deleted/ })).toBeVisible();
});

it('leaves out what an address says that cannot be meant', async () => {
  await renderApp('/client/audit?kind=everything&from=yesterday&to=2026-99-99', { as: clientAdmin });
  await screen.findByRole('row', { name: /Weight/ });
  expect([...(queries[0] ?? [])].filter(([name]) => name !== 'until')).toEqual([]);
});

it('shows older entries below the others as they are asked for', async () => {
  pages = [[sampleAuditEntry()], [sampleAuditEntry({ id: 1, kind: 'client_created' })]];
  const { user } = await renderApp('/client/audit', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Show older entries' }));
  expect(await screen.findByRole('row', { name: /Organization created/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /End user changed/ })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show older entries' })).not.toBeInTheDocument();
});

it('offers another try where the log cannot be loaded', async () => {
  server.use(
    http.get('/client/audit', ({ response }) => response.untyped(new Response('', { status: 500 })), {
      once: true,
    }),
  );
  const { user } = await renderApp('/client/audit', { as: clientAdmin });
  expect(await screen.findByText('Failed to load the audit log')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /Weight/ })).toBeInTheDocument();
});

it('shows super administrators the log of the platform', async () => {
  server.use(
    http.get('/audit', ({ response }) =>
      response(200).json({
        success: true,
        data: [sampleAuditEntry({ kind: 'client_deleted' })],
        next: null,
      }),
    ),
  );
  await renderApp('/admin/audit', { as: superAdmin });
  expect(await screen.findByRole('row', { name: /Organization deleted/ })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/admin');
});

describe('the export', () => {
  it.each([
    ['CSV', '?person=anna&format=csv&publicUrl=http%3A%2F%2Fplenum.test'],
    ['Excel (XLSX)', '?person=anna&format=xlsx&publicUrl=http%3A%2F%2Fplenum.test'],
    ['JSON', '?format=json'],
  ])('as %s asks for %s', async (label, query) => {
    const files = catchDownloads();
    const asked: string[] = [];
    server.use(
      http.get('/client/audit/export', ({ request, response }) => {
        asked.push(new URL(request.url).search);
        return response.untyped(
          new Response('content', {
            headers: { 'Content-Disposition': 'attachment; filename="audit-log-2026-11-22.file"' },
          }),
        );
      }),
    );
    const { user } = await renderApp('/client/audit?person=anna', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: label }));
    expect(await screen.findByText('Audit log exported to audit-log-2026-11-22.file')).toBeInTheDocument();
    expect(asked).toEqual([query]);
    expect(files.map(({ name }) => name)).toEqual(['audit-log-2026-11-22.file']);
  });

  it('says why there is none', async () => {
    server.use(
      http.get('/client/audit/export', ({ response }) =>
        response.untyped(Response.json({ error: 'Try again later.' }, { status: 503 })),
      ),
    );
    const { user } = await renderApp('/client/audit', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    expect(await screen.findByText('Try again later.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled());
  });
});
