import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Branding } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, NO_BRANDING, server } from '../../test/server';

const ACCENT = { color: '#7a1f5c', soft: '#f8f4f7', dark: '#c49cb7', darkSoft: '#302a2a' };

let branding: Branding;
let sent: unknown[];

beforeEach(() => {
  branding = NO_BRANDING;
  sent = [];
  server.use(
    http.get('/client/branding', ({ response }) => response(200).json(branding)),
    http.put('/client/branding/accent-color', async ({ request, response }) => {
      const body = await request.json();
      sent.push(body);
      branding = { ...branding, accent: body.accentColor ? { ...ACCENT, color: body.accentColor } : null };
      return response(200).json(branding);
    }),
    http.put('/client/branding/logo', async ({ request, response }) => {
      sent.push(await request.json());
      branding = { ...branding, logoVersion: 'abc123' };
      return response(200).json(branding);
    }),
    http.delete('/client/branding/logo', ({ response }) => {
      branding = { ...branding, logoVersion: null };
      return response(200).json(branding);
    }),
  );
});

async function open() {
  return renderApp('/client/branding', { as: clientAdmin });
}

function logos() {
  return document.querySelectorAll<HTMLImageElement>('figure img');
}

async function dropFile(file: File) {
  const zone = await screen.findByTestId('drop-zone');
  fireEvent.drop(zone, { dataTransfer: { files: [file] } });
}

it('saves a readable color, and returns to Plenum’s color', async () => {
  const { user } = await open();
  await user.type(await screen.findByLabelText('Color'), '#7A1F5C');
  expect(await screen.findByText(/^Contrast \d+\.\d\d:1 on light pages: readable\.$/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Save color' }));
  await user.click(await screen.findByRole('button', { name: 'Use Plenum’s color' }));
  await waitFor(() => expect(sent).toEqual([{ accentColor: '#7a1f5c' }, { accentColor: null }]));
  await waitFor(() => expect(screen.getByLabelText('Color')).toHaveValue(''));
});

it('says how much contrast a color lacks, and suggests a darker one', async () => {
  const { user } = await open();
  const field = await screen.findByLabelText('Color');
  await user.type(field, '#ffcc00');
  expect(
    await screen.findByText(/a contrast of 1\.35:1 on a light page, and 4\.5:1 is needed/),
  ).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Save color' }));
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: /^Use #[0-9a-f]{6} instead$/ }));
  expect(field).not.toHaveValue('#ffcc00');
  await user.click(screen.getByRole('button', { name: 'Save color' }));
  await waitFor(() => expect(sent).toHaveLength(1));
});

it('asks for a color where there is none', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Save color' }));
  expect(await screen.findByText('Enter a color such as #7a1f5c.')).toBeInTheDocument();
  expect(sent).toEqual([]);
});

it('shows the refusal of the server at the field', async () => {
  server.use(
    http.put('/client/branding/accent-color', ({ response }) =>
      response(422).json({
        error: 'x',
        message: 'x',
        code: 'invalid_input',
        fields: { accentColor: ['Must be darker.'] },
      }),
    ),
  );
  const { user } = await open();
  await user.type(await screen.findByLabelText('Color'), '#7a1f5c');
  await user.click(screen.getByRole('button', { name: 'Save color' }));
  expect(await screen.findByText('Must be darker.')).toBeInTheDocument();
});

it('saves a dropped logo, shows it on both themes, and removes it', async () => {
  const { user } = await open();
  await dropFile(new File(['logo'], 'Logo.PNG', { type: 'image/png' }));
  await waitFor(() => expect(logos()).toHaveLength(2));
  expect(sent).toEqual([{ content: btoa('logo') }]);
  expect(logos()[0]?.src).toMatch(/\/api\/public\/client\/riverside\/logo\?v=abc123$/);
  await user.click(screen.getByRole('button', { name: 'Remove logo' }));
  await waitFor(() => expect(logos()).toHaveLength(0));
});

it('names the fault of a file without sending it', async () => {
  await open();
  await dropFile(new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }));
  expect(await screen.findByText(/“logo.svg” is not a PNG, JPEG or WebP image/)).toBeInTheDocument();
  await dropFile(new File([new Uint8Array(300 * 1024)], 'logo.png'));
  expect(await screen.findByText(/“logo.png” has 300 KiB. At most 256 KiB are possible/)).toBeInTheDocument();
  expect(sent).toEqual([]);
});

it('says why the server refused a file', async () => {
  server.use(
    http.put('/client/branding/logo', ({ response }) =>
      response(422).json({
        error: 'x',
        message: 'x',
        code: 'invalid_input',
        fields: { content: ['Must be at most 2000 × 2000 pixels; this image has 3000 × 20.'] },
      }),
    ),
  );
  await open();
  await dropFile(new File(['logo'], 'logo.webp'));
  expect(
    await screen.findByText('The logo must be at most 2000 × 2000 pixels; this image has 3000 × 20.'),
  ).toBeInTheDocument();
});
