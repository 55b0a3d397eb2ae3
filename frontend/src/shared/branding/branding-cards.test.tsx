import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, NO_BRANDING, server } from '../../test/server';

let isDown: boolean;
let requests: number;

beforeEach(() => {
  isDown = false;
  requests = 0;
  server.use(
    http.get('/client/branding', ({ response }) => {
      requests += 1;
      return isDown ? response.untyped(HttpResponse.error()) : response(200).json(NO_BRANDING);
    }),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

it('says that the logo and the color could not be loaded', async () => {
  isDown = true;
  await renderApp('/client/branding', { as: clientAdmin });
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load the logo and the color');
});

it('keeps a typed color when a later request fails', async () => {
  const { user } = await renderApp('/client/branding', { as: clientAdmin });
  await user.type(await screen.findByLabelText('Color'), '#7A1F5C');
  const before = requests;
  isDown = true;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  act(() => {
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await waitFor(() => expect(requests).toBe(before + 1));
  expect(await screen.findByText(/may be out of date/)).toBeInTheDocument();
  expect(screen.getByLabelText('Color')).toHaveValue('#7A1F5C');
});
