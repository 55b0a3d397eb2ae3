import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { superAdmin } from '../test/people';
import { renderApp } from '../test/render-app';
import { sampleClient } from '../test/samples';
import { http, server } from '../test/server';

/** As in a browser: the property changes, and every request fails. */
function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  server.resetHandlers();
  server.use(
    ...(isOnline
      ? [
          http.get('/clients', ({ response }) =>
            response(200).json({
              success: true,
              data: [sampleClient()],
              meta: { page: 1, pageSize: 50, total: 1 },
            }),
          ),
          http.get('/clients/stats', ({ response }) =>
            response(200).json({ success: true, data: { total: 1, active: 1, inactive: 0 } }),
          ),
        ]
      : [http.untyped.all('*/api/*', () => HttpResponse.error())]),
  );
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

beforeEach(() => setOnline(true));
afterEach(() => {
  setOnline(true);
  vi.restoreAllMocks();
});

it('lets a save fail at once without a network, and keeps what was typed', async () => {
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await screen.findByText('Riverside Housing Cooperative');
  setOnline(false);
  expect(await screen.findByText(/^You are offline\./)).toBeInTheDocument();

  await user.click(screen.getByRole('button', { name: '+ Add Client' }));
  const fill = async (label: RegExp, text: string) => {
    await user.click(await screen.findByLabelText(label));
    await user.paste(text);
  };
  await fill(/^Client Name/, 'Rowing Club');
  await fill(/^First Name/, 'Ada');
  await fill(/^Last Name/, 'Byron');
  await fill(/^Email/, 'ada@rowing.test');
  await fill(/^Password/, 'a long password');
  await user.click(screen.getByRole('button', { name: 'Create Client' }));
  expect(
    await screen.findByText('Failed to create client: the server could not be reached'),
  ).toBeInTheDocument();
  expect(screen.getByLabelText(/^Client Name/)).toHaveValue('Rowing Club');
});

it('says that a list cannot be loaded, and loads it when the network is back', async () => {
  const app = renderApp('/admin/clients', { as: superAdmin });
  await app;
  setOnline(false);
  expect(await screen.findByText('Failed to load data')).toBeInTheDocument();
  expect(screen.getByText('The server could not be reached. This page tries again by itself.')).toBeVisible();
  setOnline(true);
  expect(await screen.findByText('Riverside Housing Cooperative')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(/^You are offline\./)).not.toBeInTheDocument());
});
