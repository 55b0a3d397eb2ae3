import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../test/render-app';

it('explains without a sign-in who cannot learn a vote', async () => {
  await renderApp('/secrecy');
  expect(await screen.findByRole('heading', { level: 1, name: 'Secret from whom' })).toBeInTheDocument();
  const rows = screen.getAllByRole('row').map((row) => row.textContent ?? '');
  expect(rows[0]).toBe('Secret fromNot shownSecret');
  expect(rows.slice(1).map((row) => /(Yes|No)(Yes|No)$/.exec(row)?.[0])).toEqual([
    'YesYes',
    'NoYes',
    'NoYes',
    'NoNo',
    'NoNo',
  ]);
});
