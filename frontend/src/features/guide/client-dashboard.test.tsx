import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Activity } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

const stats = { total: 5012, active: 5009, inactive: 3, totalWeight: 17.25 };

let activity: Activity[];

beforeEach(() => {
  activity = [];
  server.use(
    http.get('/client/meetings', ({ response }) => response(200).json([])),
    http.get('/client/activity', ({ response }) => response(200).json({ success: true, data: activity })),
  );
});

it('shows the figures of the organization, the weight with one decimal', async () => {
  server.use(
    http.get('/client/end-users/stats', ({ response }) => response(200).json({ success: true, data: stats })),
  );
  await renderApp('/client', { as: clientAdmin });
  expect(await screen.findByText('17.3')).toBeInTheDocument();
  for (const [label, figure] of [
    ['Total End Users', '5,012'],
    ['Active Users', '5,009'],
    ['Inactive Users', '3'],
    ['Total Voting Weight', '17.3'],
  ] as const) {
    expect(screen.getByText(label).nextSibling).toHaveTextContent(figure);
  }
  expect(screen.queryByText('Loading dashboard...')).not.toBeInTheDocument();
  expect(await screen.findByText('No recent activity')).toBeInTheDocument();
});

it('leads to the end users and to the meetings', async () => {
  server.use(
    http.get('/client/end-users/stats', ({ response }) => response(200).json({ success: true, data: stats })),
  );
  await renderApp('/client', { as: clientAdmin });
  const people = within(await screen.findByRole('region', { name: 'End User Management' }));
  expect(people.getByRole('link', { name: 'Manage End Users' })).toHaveAttribute('href', '/client/end-users');
  expect(people.getByRole('link', { name: 'Export User List' })).toHaveAttribute('href', '/client/end-users');
  const meetings = within(screen.getByRole('region', { name: 'Meeting Management' }));
  expect(meetings.getByRole('link', { name: 'Create Meeting' })).toHaveAttribute(
    'href',
    '/client/meetings?create=1',
  );
  expect(meetings.getByRole('link', { name: 'View All Meetings' })).toHaveAttribute(
    'href',
    '/client/meetings',
  );
});

it('says that it loads, and offers another try when that fails', async () => {
  let isDown = true;
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/client/end-users/stats', async ({ response }) => {
      await asked;
      return isDown
        ? response(503).json({ error: 'x', message: 'x', code: 'temporarily_unavailable' })
        : response(200).json({ success: true, data: stats });
    }),
  );
  const { user } = await renderApp('/client', { as: clientAdmin });
  expect(await screen.findByText('Loading dashboard...')).toBeInTheDocument();
  answer();
  expect(await screen.findByText('Failed to fetch end user statistics')).toBeInTheDocument();
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('17.3')).toBeInTheDocument();
});

it('shows what happened lately, each with its time', async () => {
  const longAgo = new Date(new Date().getFullYear() - 1, 4, 2, 9, 30).toISOString();
  activity = [
    { at: new Date().toISOString(), kind: 'round_opened', text: 'Voting on “Budget” was opened' },
    { at: longAgo, kind: 'end_users_added', text: '12 end users were added' },
    { at: longAgo, kind: 'end_users_added', text: '12 end users were added' },
  ];
  server.use(
    http.get('/client/end-users/stats', ({ response }) => response(200).json({ success: true, data: stats })),
  );
  await renderApp('/client', { as: clientAdmin });
  const card = within(await screen.findByRole('region', { name: 'Recent Activity' }));
  const entries = await card.findAllByRole('listitem');
  expect(entries).toHaveLength(3);
  expect(entries[0]).toHaveTextContent(/Voting on “Budget” was opened.*Just now/);
  expect(entries[1]).toHaveTextContent(/12 end users were added.*2 May \d{4}, 09:30/);
});

it('shows the figures also where the activity fails, and tries that again when asked', async () => {
  let isDown = true;
  server.use(
    http.get('/client/end-users/stats', ({ response }) => response(200).json({ success: true, data: stats })),
    http.get('/client/activity', ({ response }) =>
      isDown
        ? response(503).json({ error: 'x', message: 'x', code: 'temporarily_unavailable' })
        : response(200).json({ success: true, data: [] }),
    ),
  );
  const { user } = await renderApp('/client', { as: clientAdmin });
  expect(await screen.findByText('Failed to load recent activity')).toBeInTheDocument();
  expect(await screen.findByText('17.3')).toBeInTheDocument();
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No recent activity')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText('Failed to load recent activity')).not.toBeInTheDocument());
});
