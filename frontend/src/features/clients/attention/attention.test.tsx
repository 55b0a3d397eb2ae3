import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { nothingToAttend } from '../../../test/nothing-to-attend';
import { superAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleAccount, sampleClient, sampleReport } from '../../../test/samples';
import { http, server } from '../../../test/server';

const page = <Row,>(data: Row[], total = data.length) => ({
  success: true,
  data,
  meta: { page: 1, pageSize: 200, total },
});

beforeEach(() => {
  server.use(
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 3, active: 2, inactive: 1 } }),
    ),
    http.get('/sessions/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, accounts: 1, endUsers: 0 } }),
    ),
    http.get('/activity', ({ response }) => response(200).json({ success: true, data: [] })),
    ...nothingToAttend(),
  );
});

/** The card when nothing in it is being loaded. */
async function openCard() {
  await renderApp('/admin', { as: superAdmin });
  const card = within(await screen.findByRole('region', { name: 'Needs Attention' }));
  await card.findByText(/Nothing needs|Could not|\./);
  return card;
}

it('says so if nothing needs attention', async () => {
  const card = await openCard();
  expect(await card.findByText('Nothing needs your attention')).toBeInTheDocument();
  expect(card.queryByRole('listitem')).not.toBeInTheDocument();
});

it('names a suspended organization with a running meeting, and leads to its form', async () => {
  const meetings = (active: number) => ({ active, completed: 0, total: 4 });
  server.use(
    http.get('/reports/clients', ({ query, response }) =>
      response(200).json(
        query.get('status') === 'SUSPENDED'
          ? page([
              sampleReport({ id: 'c1', name: 'Rowing Club', clientCode: 'rowing', meetings: meetings(2) }),
              sampleReport({ id: 'c2', name: 'Chess Club', clientCode: 'chess', meetings: meetings(0) }),
            ])
          : page([]),
      ),
    ),
  );
  const card = await openCard();
  expect(await card.findByText(/Rowing Club is suspended and has 2 running meetings\./)).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Edit Rowing Club' })).toHaveAttribute(
    'href',
    '/admin/clients?search=rowing&edit=c1',
  );
  expect(card.queryByText(/Chess Club/)).not.toBeInTheDocument();
  expect(card.queryByText('Nothing needs your attention')).not.toBeInTheDocument();
});

it('admits that it does not check more organizations than one page has', async () => {
  server.use(
    http.get('/reports/clients', ({ query, response }) =>
      response(200).json(page([sampleReport()], query.get('status') === 'INACTIVE' ? 301 : 1)),
    ),
  );
  const card = await openCard();
  expect(
    await card.findByText(/300 further inactive organizations are not checked for running meetings\./),
  ).toBeInTheDocument();
});

it('lists everything else that it finds, each with the screen for it', async () => {
  server.use(
    http.get('/clients', ({ response }) =>
      response(200).json(
        page([sampleClient({ name: 'TEST_one', isTest: true }), sampleClient({ name: 'The latest_ones' })]),
      ),
    ),
    http.get('/accounts', ({ response }) =>
      response(200).json(
        page([
          sampleAccount({ email: 'super@demo.example' }),
          sampleAccount({ email: 'me@demo.example.org' }),
        ]),
      ),
    ),
    http.get('/test/migrations', ({ response }) =>
      response(200).json({ success: true, message: 'x', details: { applied: 1 }, pending: ['000031_new'] }),
    ),
    http.get('/health/ready', ({ response }) => response(200).json({ status: 'ready', bus: 'away' })),
    http.get('/auth/second-factor', ({ response }) =>
      response(200).json({ isOn: false, recoveryCodesLeft: 0 }),
    ),
  );
  const card = await openCard();
  for (const [text, link, path] of [
    [/1 migration of the database is missing/, 'Open Tests', '/admin/tests'],
    [/The message server between the instances cannot be reached/, 'Open Tests', '/admin/tests'],
    [/1 account of the demonstration is stored/, 'View accounts', '/admin/users?search=%40demo.example'],
    [/Your own account has no second factor/, 'Set it up', '/admin/account'],
    [/^1 test organization is stored/, 'Open Cleanup Data', '/admin/tests'],
  ] as const) {
    const entry = (await card.findByText(text)).closest('li') as HTMLElement;
    expect(within(entry).getByRole('link', { name: link })).toHaveAttribute('href', path);
  }
});

it('does not say that nothing needs attention if it could not check something', async () => {
  server.use(
    http.get('/test/migrations', ({ response }) =>
      response(503).json({ error: 'x', message: 'x', code: 'temporarily_unavailable' }),
    ),
  );
  const card = await openCard();
  expect(await card.findByText('Could not be checked: migrations of the database.')).toBeInTheDocument();
  expect(card.queryByText('Nothing needs your attention')).not.toBeInTheDocument();
});
