import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../../api/types';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleClient } from '../../test/samples';
import { http, server } from '../../test/server';

let clients: Client[];

beforeEach(() => {
  clients = [];
  server.use(
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: clients.length, active: 1, inactive: 0 } }),
    ),
    http.get('/clients', ({ response }) => response(200).json({ success: true, data: clients })),
  );
});

it('shows the counts on the dashboard and leads to the clients', async () => {
  clients = [sampleClient()];
  const { user, location } = await renderApp('/admin', { as: superAdmin });
  expect(await screen.findByText('Total Clients')).toBeInTheDocument();
  expect(screen.getByText('Coming in Phase 2')).toBeInTheDocument();
  expect(screen.getByText('No recent activity to display')).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Manage Clients' }));
  await waitFor(() => expect(location()).toBe('/admin/clients'));
});

it('lists clients with plan, people and meetings', async () => {
  clients = [sampleClient()];
  await renderApp('/admin/clients', { as: superAdmin });
  const row = within(await screen.findByRole('row', { name: /Riverside/ }));
  expect(row.getByText(/Pro/)).toBeInTheDocument();
  expect(row.getByText('anna@riverside.test')).toBeInTheDocument();
  expect(row.getByText('Active')).toBeInTheDocument();
  expect(row.getByText('185')).toBeInTheDocument();
  expect(row.getByText('2 Nov 2026')).toBeInTheDocument();
});

it('says what to do when there is no client yet', async () => {
  await renderApp('/admin/clients', { as: superAdmin });
  expect(await screen.findByText('No clients found')).toBeInTheDocument();
  expect(screen.getByText('Create your first client to get started')).toBeInTheDocument();
});

it('offers another try when the list cannot be loaded', async () => {
  server.use(
    http.get('/clients', ({ response }) => response(503).json({ error: 'x', message: 'x', code: 'x' }), {
      once: true,
    }),
  );
  clients = [sampleClient()];
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  expect(await screen.findByText('Failed to load data')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /Riverside/ })).toBeInTheDocument();
});

it('creates a client with its administrator', async () => {
  let sent: unknown;
  server.use(
    http.post('/clients', async ({ request, response }) => {
      sent = await request.json();
      clients = [sampleClient()];
      return response(201).json({ success: true, data: sampleClient() });
    }),
  );
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: '+ Add Client' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Client' }));
  await user.type(dialog.getByLabelText(/Client Name/), 'Riverside Housing Cooperative');
  await user.type(dialog.getByLabelText(/First Name/), 'Anna');
  await user.type(dialog.getByLabelText(/Last Name/), 'Berg');
  await user.type(dialog.getByLabelText(/^Email/), 'anna@riverside.test');
  await user.click(dialog.getByRole('button', { name: 'Generate' }));
  const password = dialog.getByLabelText(/^Password/) as HTMLInputElement;
  expect(password.value).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/);
  expect(password).toHaveAttribute('type', 'text');
  await user.click(dialog.getByRole('button', { name: 'Create Client' }));

  expect(await screen.findByRole('row', { name: /Riverside/ })).toBeInTheDocument();
  expect(sent).toEqual({
    name: 'Riverside Housing Cooperative',
    firstName: 'Anna',
    lastName: 'Berg',
    email: 'anna@riverside.test',
    password: password.value,
    subscriptionPlan: 'BASIC',
  });
});

it("puts the server's objections at the fields", async () => {
  server.use(
    http.post('/clients', ({ response }) =>
      response(409).json({
        error: 'This email is taken',
        message: 'This email is taken',
        code: 'email_taken',
        fields: { email: ['Another account uses this email'] },
      }),
    ),
  );
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: '+ Add Client' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Client' }));
  await user.type(dialog.getByLabelText(/Client Name/), 'Riverside');
  await user.type(dialog.getByLabelText(/First Name/), 'Anna');
  await user.type(dialog.getByLabelText(/Last Name/), 'Berg');
  await user.type(dialog.getByLabelText(/^Email/), 'anna@riverside.test');
  await user.type(dialog.getByLabelText(/^Password/), 'long enough');
  await user.click(dialog.getByRole('button', { name: 'Create Client' }));

  expect(await dialog.findByText('Another account uses this email')).toBeInTheDocument();
  expect(dialog.getByLabelText(/^Email/)).toBeInvalid();
  expect(dialog.getByRole('alert')).toHaveTextContent('Please check the marked fields.');
  await waitFor(() => expect(dialog.getByLabelText(/^Email/)).toHaveFocus());
});
