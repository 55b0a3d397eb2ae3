import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { catchDownloads } from '../../test/catch-downloads';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser } from '../../test/samples';
import { http, server } from '../../test/server';

let total: number;
let asked: string[];

beforeEach(() => {
  total = 5012;
  asked = [];
  server.use(
    http.get('/client/end-users', ({ response }) =>
      response(200).json({
        success: true,
        data: [sampleEndUser()],
        meta: { page: 1, pageSize: 50, total },
      }),
    ),
  );
});

/** Answers with the server's file once `until` has resolved. */
function serveFile(name: string, until: Promise<void> = Promise.resolve()) {
  server.use(
    http.get('/client/end-users/export', async ({ request, response }) => {
      asked.push(new URL(request.url).search);
      await until;
      const headers = { 'Content-Disposition': `attachment; filename="${name}"` };
      return response.untyped(new Response('the file', { headers }));
    }),
  );
}

async function openMenu(user: UserEvent) {
  await screen.findByRole('heading', { name: /^End Users \(/ });
  await user.click(screen.getByRole('button', { name: 'Export' }));
}

it.each([
  ['CSV', 'csv'],
  ['Excel (XLSX)', 'xlsx'],
])('downloads all end users as %s, under the name that the server gives', async (label, format) => {
  const files = catchDownloads();
  serveFile(`riverside-end-users.${format}`);
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await openMenu(user);
  expect(await screen.findByText('All 5,012 end users')).toBeInTheDocument();
  await user.click(await screen.findByRole('menuitem', { name: label }));
  expect(
    await screen.findByText(`5,012 end users exported to riverside-end-users.${format}`),
  ).toBeInTheDocument();
  expect(asked).toEqual([`?format=${format}`]);
  expect(files.map(({ name }) => name)).toEqual([`riverside-end-users.${format}`]);
  expect(await files[0]?.text()).toBe('the file');
});

it('exports those that are searched and filtered, whatever page is shown', async () => {
  catchDownloads();
  serveFile('some.csv');
  total = 1;
  const { user } = await renderApp('/client/end-users?search=vera&status=active&sort=-name', {
    as: clientAdmin,
  });
  await openMenu(user);
  expect(await screen.findByText('Only the 1 end user found')).toBeInTheDocument();
  await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
  expect(await screen.findByText('1 end user exported to some.csv')).toBeInTheDocument();
  expect(asked).toEqual(['?search=vera&status=active&format=csv']);
});

it('says that it works, and does it once', async () => {
  const files = catchDownloads();
  let release: () => void = () => undefined;
  serveFile(
    'all.csv',
    new Promise<void>((resolve) => {
      release = resolve;
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await openMenu(user);
  await user.dblClick(await screen.findByRole('menuitem', { name: 'CSV' }));
  const busy = await screen.findByRole('button', { name: 'Exporting...' });
  await user.click(busy);
  expect(screen.queryByRole('menuitem', { name: 'CSV' })).not.toBeInTheDocument();
  release();
  expect(await screen.findByRole('button', { name: 'Export' })).toBeInTheDocument();
  expect(files).toHaveLength(1);
  expect(asked).toHaveLength(1);
});

it('works by keyboard, and the focus is where it was', async () => {
  const files = catchDownloads();
  serveFile('all.xlsx');
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await screen.findByRole('heading', { name: /^End Users \(/ });
  screen.getByRole('button', { name: 'Export' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'CSV' })).toHaveFocus());
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(files).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Export' })).toHaveFocus());
});

it.each([
  ['It is too much.', () => Response.json({ error: 'It is too much.' }, { status: 409 })],
  ['Failed to export end users', () => new Response('<html>', { status: 502 })],
  ['Failed to export end users: the server could not be reached', () => Response.error()],
])('says "%s"', async (text, answer) => {
  const files = catchDownloads();
  server.use(http.get('/client/end-users/export', ({ response }) => response.untyped(answer())));
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await openMenu(user);
  await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(files).toEqual([]);
});
