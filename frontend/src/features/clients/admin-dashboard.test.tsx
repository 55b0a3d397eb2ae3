import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { PlatformActivity } from '../../api/types';
import { nothingToAttend } from '../../test/nothing-to-attend';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

const broken = { error: 'x', message: 'x', code: 'temporarily_unavailable' };

let activity: PlatformActivity[];
let isDown: { clients?: boolean; sessions?: boolean; activity?: boolean };

beforeEach(() => {
  activity = [];
  isDown = {};
  server.use(
    ...nothingToAttend(),
    http.get('/clients/stats', ({ response }) =>
      isDown.clients
        ? response(503).json(broken)
        : response(200).json({ success: true, data: { total: 1250, active: 1200, inactive: 50 } }),
    ),
    http.get('/sessions/stats', ({ response }) =>
      isDown.sessions
        ? response(503).json(broken)
        : response(200).json({ success: true, data: { total: 44, accounts: 3, endUsers: 41 } }),
    ),
    http.get('/activity', ({ response }) =>
      isDown.activity ? response(503).json(broken) : response(200).json({ success: true, data: activity }),
    ),
  );
});

function figureOf(label: string) {
  return screen.getByText(label).nextSibling;
}

it('shows how many clients there are, and how many sessions go on', async () => {
  await renderApp('/admin', { as: superAdmin });
  expect(await screen.findByText('3 accounts, 41 end users')).toBeInTheDocument();
  expect(await screen.findByText('1,250')).toBeInTheDocument();
  for (const [label, figure] of [
    ['Total Clients', '1,250'],
    ['Active Clients', '1,200'],
    ['Inactive Clients', '50'],
    ['Total Sessions', '44'],
  ] as const) {
    expect(figureOf(label)).toHaveTextContent(figure);
  }
  expect(await screen.findByText('No recent activity to display')).toBeInTheDocument();
});

it('shows "..." until the numbers are there', async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/sessions/stats', async ({ response }) => {
      await asked;
      return response(200).json({ success: true, data: { total: 1, accounts: 1, endUsers: 0 } });
    }),
    http.get('/activity', async ({ response }) => {
      await asked;
      return response(200).json({ success: true, data: [] });
    }),
  );
  await renderApp('/admin', { as: superAdmin });
  await screen.findByText('1,250');
  expect(figureOf('Total Sessions')).toHaveTextContent('...');
  expect(screen.getByText('Loading recent activity...')).toHaveAttribute('role', 'status');
  answer();
  await waitFor(() => expect(figureOf('Total Sessions')).toHaveTextContent('1'));
  expect(screen.getByText('1 account, 0 end users')).toBeInTheDocument();
});

it('shows what happened lately, each with its client', async () => {
  const client = { id: 'c1', name: 'Riverside', clientCode: 'riverside' };
  activity = [
    { at: new Date().toISOString(), kind: 'account_signed_in', text: 'Rosa Root signed in', client: null },
    { at: '2020-05-02T09:30:00Z', kind: 'meeting_started', text: 'Meeting “AGM” was started', client },
  ];
  await renderApp('/admin', { as: superAdmin });
  const card = within(await screen.findByRole('region', { name: 'Recent Activity' }));
  const entries = await card.findAllByRole('listitem');
  expect(entries[0]).toHaveTextContent(/^Rosa Root signed in.*Just now$/);
  expect(entries[1]).toHaveTextContent(/^Meeting “AGM” was started.*Riverside.*2 May 2020/);
  expect(card.getByRole('link', { name: 'Riverside' })).toHaveAttribute(
    'href',
    '/admin/clients?search=riverside',
  );
});

it.each([
  ['Manage Clients', '/admin/clients'],
  ['Manage Users', '/admin/users'],
  ['View Reports', '/admin/reports'],
])('"%s" leads to %s', async (name, path) => {
  await renderApp('/admin', { as: superAdmin });
  expect(await screen.findByRole('link', { name })).toHaveAttribute('href', path);
});

it.each([
  ['clients', 'Failed to fetch client statistics', 'Total Clients'],
  ['sessions', 'Failed to fetch the number of sessions', 'Total Sessions'],
] as const)('shows the rest where the call for %s fails', async (call, message, label) => {
  isDown = { [call]: true };
  const { user } = await renderApp('/admin', { as: superAdmin });
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(figureOf(label)).toHaveTextContent('–');
  expect(await screen.findByText(call === 'clients' ? '44' : '1,250')).toBeInTheDocument();
  expect(await screen.findByText('No recent activity to display')).toBeInTheDocument();
  isDown = {};
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(call === 'clients' ? '1,250' : '44')).toBeInTheDocument();
  expect(screen.queryByText(message)).not.toBeInTheDocument();
});

it('shows the numbers also where the activity fails', async () => {
  isDown = { activity: true };
  const { user } = await renderApp('/admin', { as: superAdmin });
  expect(await screen.findByText('Failed to load recent activity')).toBeInTheDocument();
  expect(await screen.findByText('1,250')).toBeInTheDocument();
  isDown = {};
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No recent activity to display')).toBeInTheDocument();
});
