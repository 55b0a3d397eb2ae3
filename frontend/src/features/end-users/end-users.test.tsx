import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndUser } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser } from '../../test/samples';
import { http, server } from '../../test/server';
import { credentialsFile } from './credentials-file';
import { toCreateEndUserBody } from './end-user-form';

let endUsers: EndUser[];
let queries: string[];
let total: number | null;

beforeEach(() => {
  endUsers = [sampleEndUser()];
  queries = [];
  total = null;
  server.use(
    http.get('/client/end-users', ({ request, response }) => {
      queries.push(new URL(request.url).search);
      const meta = total === null ? null : { page: 1, pageSize: 50, total };
      return response(200).json({ success: true, data: endUsers, meta });
    }),
  );
});

it('lists end users with what is missing in words', async () => {
  endUsers = [
    sampleEndUser(),
    sampleEndUser({ id: 'e2', name: 'Tomas Okafor', username: 'tomas', email: null, isActive: false }),
  ];
  await renderApp('/client/end-users', { as: clientAdmin });
  expect(await screen.findByRole('heading', { name: 'End Users (2)' })).toBeInTheDocument();
  const row = within(screen.getByRole('row', { name: /Tomas/ }));
  expect(row.getByText('N/A')).toBeInTheDocument();
  expect(row.getByText('Inactive')).toBeInTheDocument();
  expect(row.getByText('Never')).toBeInTheDocument();
  expect(within(screen.getByRole('row', { name: /Vera/ })).getByText('2.5')).toBeInTheDocument();
});

it('asks the server for what is searched and filtered', async () => {
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await screen.findByRole('row', { name: /Vera/ });
  endUsers = [];
  await user.type(screen.getByRole('searchbox', { name: 'Search end users' }), 'xyz');
  expect(await screen.findByText('No end users found')).toBeInTheDocument();
  expect(screen.getByText('Try adjusting your search or filters')).toBeInTheDocument();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Inactive Only');
  await waitFor(() => expect(queries.at(-1)).toBe('?pageSize=50&page=1&search=xyz&status=inactive'));
});

it('shows a page at a time, and starts anew with each search', async () => {
  total = 120;
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  expect(await screen.findByRole('heading', { name: 'End Users (120)' })).toBeInTheDocument();
  const pages = within(screen.getByRole('navigation', { name: 'Pages of End Users' }));
  expect(pages.getByText('1–50 of 120')).toBeInTheDocument();
  await user.click(pages.getByRole('button', { name: 'Page 3' }));
  expect(pages.getByText('101–120 of 120')).toBeInTheDocument();
  await waitFor(() => expect(queries.at(-1)).toBe('?pageSize=50&page=3'));
  await user.type(screen.getByRole('searchbox', { name: 'Search end users' }), 'v');
  await waitFor(() => expect(queries.at(-1)).toBe('?pageSize=50&page=1&search=v'));
});

it('creates an end user and hands over the credentials as a file', async () => {
  const createObjectURL = vi.fn((_file: Blob) => 'blob:credentials');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: vi.fn() }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  let sent: unknown;
  server.use(
    http.post('/client/end-users', async ({ request, response }) => {
      sent = await request.json();
      return response(201).json({
        success: true,
        data: sampleEndUser(),
        credentials: {
          organization: 'Riverside Housing Cooperative',
          clientCode: 'riverside',
          name: 'Vera Lind',
          username: 'vera',
          password: 'long enough',
          loginInstructions: 'Sign in with your code.',
        },
      });
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Create End User' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New End User' }));
  await user.type(dialog.getByLabelText(/Full Name/), 'Vera Lind');
  await user.type(dialog.getByLabelText(/Username/), 'vera');
  const weight = dialog.getByLabelText(/Voting Weight/);
  await user.clear(weight);
  await user.type(weight, '2.5');
  await user.type(dialog.getByLabelText(/^Password/), 'long enough');
  await user.click(dialog.getByRole('button', { name: 'Create End User' }));

  expect(
    await screen.findByText('End user created successfully! Login credentials have been downloaded.'),
  ).toBeInTheDocument();
  expect(sent).toEqual({ name: 'Vera Lind', username: 'vera', weight: 2.5, password: 'long enough' });
  const file = await createObjectURL.mock.calls[0]?.[0].text();
  expect(file).toContain('Username: vera');
  expect(click).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

describe('toCreateEndUserBody', () => {
  const values = { name: ' Vera ', username: 'vera', email: '', weight: '', address: ' ', password: 'x' };

  it('leaves out what is empty and counts a weight that is no number as 1', () => {
    expect(toCreateEndUserBody(values)).toEqual({ name: 'Vera', username: 'vera', weight: 1, password: 'x' });
  });

  it('does not judge the range of a weight', () => {
    expect(toCreateEndUserBody({ ...values, weight: 250 }).weight).toBe(250);
  });
});

describe('credentialsFile', () => {
  it('is named after the username and holds what is needed to sign in', () => {
    const file = credentialsFile(
      {
        organization: 'Riverside',
        clientCode: 'riverside',
        name: 'Vera Lind',
        username: 'vera',
        password: 's3cret!!',
        email: 'vera@riverside.test',
        loginInstructions: 'Open the portal.',
      },
      new Date('2026-11-21T12:00:00Z'),
    );
    expect(file.name).toBe('vera.txt');
    expect(file.text).toMatchInlineSnapshot(`
      "Organization: Riverside
      Organization code: riverside
      Name: Vera Lind
      Username: vera
      Password: s3cret!!
      Email: vera@riverside.test

      Open the portal.

      Date: 21 Nov 2026
      "
    `);
  });
});
