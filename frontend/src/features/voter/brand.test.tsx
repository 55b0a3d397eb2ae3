import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Branding } from '../../api/types';
import { voter } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, NO_BRANDING, server } from '../../test/server';

const ACCENT = { color: '#7a1f5c', soft: '#f8f4f7', dark: '#c49cb7', darkSoft: '#302a2a' };

function serve(branding: Branding) {
  server.use(
    http.get('/public/client/{clientCode}', ({ response }) =>
      response(200).json({ success: true, client: { name: 'Riverside', clientCode: 'riverside', branding } }),
    ),
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
  );
}

const logo = () => document.querySelector('img');
const styles = () => [...document.querySelectorAll('style')].map((style) => style.textContent).join();

it.each(['/participant/login/riverside', '/voting'])('shows the logo and the color on %s', async (path) => {
  serve({ accent: ACCENT, logoVersion: 'abc123' });
  await renderApp(path, path === '/voting' ? { as: voter } : {});
  await waitFor(() => expect(logo()?.src).toMatch(/\/api\/public\/client\/riverside\/logo\?v=abc123$/));
  expect(styles()).toContain('--plenum-accent:#7a1f5c');
  expect(styles()).toContain('--plenum-accent:#c49cb7');
  // A logo that cannot be loaded leaves no broken image.
  const shown = logo();
  if (shown) {
    fireEvent.error(shown);
  }
  await waitFor(() => expect(logo()).toBeNull());
});

it('keeps the own look of Plenum without a branding', async () => {
  serve(NO_BRANDING);
  await renderApp('/participant/login/riverside');
  expect(await screen.findByRole('heading', { name: 'Riverside' })).toBeInTheDocument();
  expect(logo()).toBeNull();
});

it('writes no style for a color that is none', async () => {
  serve({ accent: { ...ACCENT, color: 'red}' }, logoVersion: null });
  await renderApp('/participant/login/riverside');
  expect(await screen.findByRole('heading', { name: 'Riverside' })).toBeInTheDocument();
  expect(styles()).not.toContain('red}');
});
