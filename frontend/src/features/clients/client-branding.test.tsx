import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Branding } from '../../api/types';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleClient } from '../../test/samples';
import { http, NO_BRANDING, server } from '../../test/server';

const ACCENT = { color: '#7a1f5c', soft: '#f8f4f7', dark: '#c49cb7', darkSoft: '#302a2a' };
const client = sampleClient();

let branding: Branding;
let sent: unknown[];

beforeEach(() => {
  branding = NO_BRANDING;
  sent = [];
  server.use(
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, active: 1, inactive: 0 } }),
    ),
    http.get('/clients/code-check', ({ response }) =>
      response(200).json({
        success: true,
        data: { suggestion: null, code: null, isFree: null, problem: null, message: null },
      }),
    ),
    http.get('/clients', ({ response }) => response(200).json({ success: true, data: [client] })),
    http.get('/clients/{clientId}', ({ response }) => response(200).json({ success: true, data: client })),
    http.get('/clients/{clientId}/branding', ({ response }) => response(200).json(branding)),
    http.put('/clients/{clientId}/branding/accent-color', async ({ params, request, response }) => {
      const body = await request.json();
      sent.push([params.clientId, body]);
      branding = { ...branding, accent: body.accentColor ? { ...ACCENT, color: body.accentColor } : null };
      return response(200).json(branding);
    }),
    http.put('/clients/{clientId}/branding/logo', async ({ params, request, response }) => {
      sent.push([params.clientId, await request.json()]);
      branding = { ...branding, logoVersion: 'abc123' };
      return response(200).json(branding);
    }),
    http.delete('/clients/{clientId}/branding/logo', ({ params, response }) => {
      sent.push([params.clientId, 'removed']);
      branding = { ...branding, logoVersion: null };
      return response(200).json(branding);
    }),
  );
});

async function open() {
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: `Edit ${client.name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Client' }));
  await user.click(dialog.getByRole('radio', { name: 'Logo and color' }));
  return { user, dialog };
}

it('saves the color of a client, and returns to Plenum’s color', async () => {
  const { user, dialog } = await open();
  await user.type(await dialog.findByLabelText('Color'), '#7A1F5C');
  await user.click(dialog.getByRole('button', { name: 'Save color' }));
  await user.click(await dialog.findByRole('button', { name: 'Use Plenum’s color' }));
  await waitFor(() =>
    expect(sent).toEqual([
      [client.id, { accentColor: '#7a1f5c' }],
      [client.id, { accentColor: null }],
    ]),
  );
  // The panel stays open: nothing else was saved.
  expect(screen.getByRole('dialog', { name: 'Edit Client' })).toBeInTheDocument();
});

it('saves a logo, shows it from the address of the client, and removes it', async () => {
  const { user, dialog } = await open();
  const file = new File(['logo'], 'Logo.png', { type: 'image/png' });
  fireEvent.drop(await dialog.findByTestId('drop-zone'), { dataTransfer: { files: [file] } });
  const logos = () => document.querySelectorAll<HTMLImageElement>('figure img');
  await waitFor(() => expect(logos()).toHaveLength(2));
  expect(logos()[0]?.src).toMatch(new RegExp(`/api/public/client/${client.clientCode}/logo\\?v=abc123$`));
  await user.click(dialog.getByRole('button', { name: 'Remove logo' }));
  await waitFor(() => expect(logos()).toHaveLength(0));
  expect(sent).toEqual([
    [client.id, { content: btoa('logo') }],
    [client.id, 'removed'],
  ]);
});

it('says what went wrong when the branding cannot be loaded', async () => {
  server.use(
    http.get('/clients/{clientId}/branding', ({ response }) => response.untyped(Response.error()), {
      once: true,
    }),
  );
  const { user, dialog } = await open();
  expect(await dialog.findByText(/^Failed to load the logo and the color/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByLabelText('Color')).toBeInTheDocument();
});
