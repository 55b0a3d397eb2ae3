import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Account } from '../../api/types';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleAccount } from '../../test/samples';
import { http, server } from '../../test/server';

let accounts: Account[];
let queries: string[];

beforeEach(() => {
  accounts = [sampleAccount()];
  queries = [];
  server.use(
    http.get('/accounts', ({ request, response }) => {
      queries.push(new URL(request.url).search);
      const meta = { page: 1, pageSize: 50, total: accounts.length };
      return response(200).json({ success: true, data: accounts, meta });
    }),
  );
});

it('lists who signs in to a portal, for which client, and when they last did', async () => {
  const client = { id: 'c2', name: 'Tennis Club', clientCode: 'tennis', status: 'SUSPENDED' } as const;
  accounts = [
    sampleAccount(),
    sampleAccount({
      id: 'a3',
      firstName: 'Kim',
      lastName: 'Li',
      client,
      lastLoginAt: '2020-05-02T10:00:00Z',
    }),
    sampleAccount({ id: 'a1', role: 'SUPER_ADMIN', firstName: 'Rosa', lastName: 'Root', client: null }),
  ];
  await renderApp('/admin/users', { as: superAdmin });
  expect(await screen.findByRole('heading', { name: 'All Users (3)' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Users' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/admin');

  const anna = within(screen.getByRole('row', { name: /Anna Berg/ }));
  expect(anna.getByText('anna@riverside.test')).toBeInTheDocument();
  expect(anna.getByText('Client Admin')).toBeInTheDocument();
  expect(anna.getByText('Never')).toBeInTheDocument();
  expect(anna.queryByText('Active')).not.toBeInTheDocument();

  const kim = within(screen.getByRole('row', { name: /Kim Li/ }));
  expect(kim.getByText('Suspended')).toBeInTheDocument();
  expect(kim.getByText(/2 May 2020/)).toBeInTheDocument();

  const rosa = within(screen.getByRole('row', { name: /Rosa Root/ }));
  expect(rosa.getByText('Super Admin')).toBeInTheDocument();
  expect(rosa.queryByRole('link')).not.toBeInTheDocument();
});

it('leads from somebody to their client, and to its form', async () => {
  await renderApp('/admin/users', { as: superAdmin });
  const row = within(await screen.findByRole('row', { name: /Anna Berg/ }));
  expect(row.getByRole('link', { name: 'Riverside Housing Cooperative' })).toHaveAttribute(
    'href',
    '/admin/clients?search=riverside',
  );
  expect(row.getByRole('link', { name: 'Edit client Riverside Housing Cooperative' })).toHaveAttribute(
    'href',
    '/admin/clients?search=riverside&edit=c0000000-0000-7000-8000-000000000001',
  );
});

it('asks the server for what the address says', async () => {
  const { user, location } = await renderApp('/admin/users?search=berg&sort=-name&page=1', {
    as: superAdmin,
  });
  expect(await screen.findByRole('row', { name: /Anna Berg/ })).toBeInTheDocument();
  expect(queries).toEqual(['?page=1&search=berg&sort=-name&pageSize=50']);
  accounts = [];
  await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'x');
  expect(await screen.findByText('No users found')).toBeInTheDocument();
  await waitFor(() => expect(location()).toBe('/admin/users?search=bergx&sort=-name'));
});

it('offers another try where the list cannot be loaded', async () => {
  server.use(
    http.get('/accounts', ({ response }) => response.untyped(new Response('', { status: 500 })), {
      once: true,
    }),
  );
  const { user } = await renderApp('/admin/users', { as: superAdmin });
  expect(await screen.findByText('Failed to fetch users')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /Anna Berg/ })).toBeInTheDocument();
});
