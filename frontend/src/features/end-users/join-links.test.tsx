import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JoinAsk, JoinLink, MakeJoinLinksBody, RevokeJoinLinksBody } from '../../api/types';
import { catchDownloads } from '../../test/catch-downloads';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser } from '../../test/samples';
import { http, server } from '../../test/server';

const TOKEN = 'Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY';
const vera = sampleEndUser();
const made = (name: string, username: string) => ({
  endUserId: username,
  name,
  username,
  email: null,
  token: TOKEN,
});

let orders: MakeJoinLinksBody[];
let revocations: RevokeJoinLinksBody[];
let links: JoinLink[];
let asks: JoinAsk;

beforeEach(() => {
  orders = [];
  revocations = [];
  links = [];
  asks = 'NOTHING';
  server.use(
    http.get('/client/end-users', ({ response }) =>
      response(200).json({ success: true, data: [vera], meta: null }),
    ),
    http.get('/client/join-links', ({ response }) => response(200).json({ success: true, data: links })),
    http.get('/client/join-links/settings', ({ response }) => response(200).json({ asks })),
    http.put('/client/join-links/settings', async ({ request, response }) => {
      asks = (await request.json()).asks;
      return response(200).json({ asks });
    }),
    http.post('/client/join-links', async ({ request, response }) => {
      const order = await request.json();
      orders.push(order);
      const data =
        order.people === 'NAMED'
          ? [made('Vera Lind', 'vera')]
          : [made('Ada', 'ada'), made('Vera Lind', 'vera')];
      return response(200).json({ success: true, data });
    }),
    http.post('/client/join-links/revoke', async ({ request, response }) => {
      revocations.push(await request.json());
      return response(200).json({ success: true, revoked: 2 });
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function openRow(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Vera Lind' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Personal link' }));
  return screen.findByRole('dialog', { name: 'Personal link' });
}

it('makes a link for one person and shows it with its code', async () => {
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  const panel = within(await openRow(user));
  await user.click(panel.getByRole('checkbox', { name: 'Each link works only once' }));
  await user.click(panel.getByRole('button', { name: 'Make a link for Vera Lind' }));
  expect(
    await panel.findByRole('img', { name: 'QR code of the personal link of Vera Lind' }),
  ).toBeInTheDocument();
  expect(panel.getByText(`http://plenum.test/join#${TOKEN}`)).toBeInTheDocument();
  expect(orders).toEqual([{ people: 'NAMED', endUserIds: [vera.id], singleUse: true }]);
});

it('asks for a reason while the person may vote', async () => {
  const refusal = {
    code: 'password_reason_needed',
    error: '1 person may vote on “Budget?” in “Assembly”, and voting is open. Give a reason',
  };
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  server.use(
    http.post('/client/join-links', async ({ request, response }) => {
      const order = await request.json();
      orders.push(order);
      return order.passwordReason
        ? response(200).json({ success: true, data: [made('Vera Lind', 'vera')] })
        : response.untyped(HttpResponse.json(refusal, { status: 409 }));
    }),
  );
  const panel = within(await openRow(user));
  await user.click(panel.getByRole('button', { name: 'Make a link for Vera Lind' }));
  await user.type(await panel.findByLabelText(/^Reason/), 'Lost the letter');
  await user.click(panel.getByRole('button', { name: 'Make a link for Vera Lind' }));
  expect(await panel.findByText(`http://plenum.test/join#${TOKEN}`)).toBeInTheDocument();
  expect(orders[1]?.passwordReason).toBe('Lost the letter');
});

it('revokes an earlier link of the person', async () => {
  const link: JoinLink = {
    id: 'l1',
    endUserId: vera.id,
    name: vera.name,
    username: vera.username,
    meetingId: null,
    meetingTitle: null,
    singleUse: false,
    works: true,
    madeAt: '2026-11-21T18:00:00Z',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
  links = [link, { ...link, id: 'l2', works: false, meetingId: 'm1', meetingTitle: 'Assembly' }];
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  const panel = within(await openRow(user));
  expect(await panel.findByText(/Assembly/)).toBeInTheDocument();
  await user.click(panel.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(revocations).toEqual([{ joinLinkId: 'l1' }]));
});

it('prints slips for everybody, changes what links ask for, and revokes all', async () => {
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await user.click(await screen.findByRole('button', { name: 'Personal links' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Personal links' }));
  const ask = panel.getByRole('combobox', { name: 'All personal links ask for' });
  await waitFor(() => expect(ask).toHaveValue('Nothing but the name'));
  await user.click(ask);
  await user.click(await screen.findByRole('option', { name: 'The password' }));
  await waitFor(() => expect(asks).toBe('PASSWORD'));

  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  await user.click(await panel.findByRole('button', { name: 'Print slips with personal links' }));
  const sheet = within(await screen.findByTestId('printed-slips'));
  expect(sheet.getByRole('article', { name: 'Slip of Ada', hidden: true })).toBeInTheDocument();
  expect(sheet.getAllByRole('img', { hidden: true })).toHaveLength(2);
  await user.click(panel.getByRole('button', { name: /^Print 1 page/ }));
  expect(print).toHaveBeenCalledOnce();
  expect(orders).toEqual([{ people: 'ALL', singleUse: false }]);

  await user.click(panel.getByRole('button', { name: 'Revoke all personal links' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke all' }));
  await waitFor(() => expect(revocations).toEqual([{ all: true }]));
});

it('asks before new links are lost that were neither printed nor downloaded', async () => {
  const downloads = catchDownloads();
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Personal links' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Personal links' }));
  const group = panel.getByRole('combobox', { name: 'Links for' });
  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  expect(await panel.findByText('2 personal links made')).toBeInTheDocument();
  expect(group).toBeDisabled();

  await user.click(panel.getByRole('button', { name: 'Close' }));
  const question = await screen.findByRole('dialog', { name: 'Leave without the links?' });
  expect(question).toHaveTextContent('2 personal links cannot be shown again.');
  await user.click(within(question).getByRole('button', { name: 'Stay here' }));
  await waitFor(() => expect(question).not.toBeInTheDocument());
  expect(panel.getByText('2 personal links made')).toBeInTheDocument();

  await user.click(panel.getByRole('button', { name: 'Download CSV' }));
  expect(downloads).toHaveLength(1);
  await user.click(panel.getByRole('button', { name: 'Close' }));
  await waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Personal links' })).not.toBeInTheDocument(),
  );
});

it('asks before "Back" loses new links that were neither printed nor downloaded', async () => {
  const downloads = catchDownloads();
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Personal links' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Personal links' }));
  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  await user.click(await panel.findByRole('button', { name: 'Back' }));
  let question = await screen.findByRole('dialog', { name: 'Leave without the links?' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(question).not.toBeInTheDocument());
  expect(screen.queryByRole('dialog', { name: 'Leave without the links?' })).not.toBeInTheDocument();
  expect(panel.getByText('2 personal links made')).toBeInTheDocument();

  await user.click(panel.getByRole('button', { name: 'Back' }));
  question = await screen.findByRole('dialog', { name: 'Leave without the links?' });
  await user.click(within(question).getByRole('button', { name: 'Leave without them' }));
  await user.click(await panel.findByRole('button', { name: 'Make personal links' }));

  await user.click(await panel.findByRole('button', { name: 'Download CSV' }));
  expect(downloads).toHaveLength(1);
  await user.click(panel.getByRole('button', { name: 'Back' }));
  expect(await panel.findByRole('button', { name: 'Make personal links' })).toBeInTheDocument();
});

it('asks before the panel closes while links are being made, and keeps the group', async () => {
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.post('/client/join-links', async ({ response }) => {
      await isAnswered;
      return response(200).json({ success: true, data: [] });
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Personal links' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Personal links' }));
  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  await waitFor(() => expect(panel.getByRole('combobox', { name: 'Links for' })).toBeDisabled());
  await user.click(panel.getByRole('button', { name: 'Close' }));
  const question = await screen.findByRole('dialog', { name: 'Leave while links are being made?' });
  answer();
  await waitFor(() => expect(question).not.toBeInTheDocument());
  await user.click(await panel.findByRole('button', { name: 'Back' }));
  expect(panel.getByRole('combobox', { name: 'Links for' })).toBeEnabled();
});
