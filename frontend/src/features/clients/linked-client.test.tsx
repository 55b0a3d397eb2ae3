import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleClient } from '../../test/samples';
import { http, server } from '../../test/server';

const client = sampleClient();
const address = `/admin/clients?search=riverside&edit=${client.id}`;

beforeEach(() => {
  server.use(
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, active: 1, inactive: 0 } }),
    ),
    http.get('/clients', ({ response }) => response(200).json({ success: true, data: [client] })),
  );
});

it('opens the form of the client in the address, once', async () => {
  server.use(
    http.get('/clients/{clientId}', ({ params, response }) =>
      response(200).json({ success: true, data: sampleClient({ id: params.clientId }) }),
    ),
  );
  const { user, location } = await renderApp(address, { as: superAdmin });
  const form = within(await screen.findByRole('dialog', { name: 'Edit Client' }));
  expect(await form.findByLabelText(/Client Name/)).toHaveValue(client.name);
  await waitFor(() => expect(location()).toBe('/admin/clients?search=riverside'));
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

it('says so where there is no such client any more', async () => {
  server.use(
    http.get('/clients/{clientId}', ({ response }) => response.untyped(new Response('', { status: 500 }))),
  );
  const { location } = await renderApp(address, { as: superAdmin });
  expect(await screen.findByText('Failed to fetch client')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await waitFor(() => expect(location()).toBe('/admin/clients?search=riverside'));
});
