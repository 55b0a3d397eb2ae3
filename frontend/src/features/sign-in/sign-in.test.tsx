import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { clientAdmin, superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

beforeEach(() => {
  server.use(
    http.get('/activity', ({ response }) => response(200).json({ success: true, data: [] })),
    http.get('/client/activity', ({ response }) => response(200).json({ success: true, data: [] })),
    http.get('/sessions/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, accounts: 1, endUsers: 0 } }),
    ),
  );
});

it.each(['/', '/admin/login', '/client/login'])(
  'leads voters from %s to the entry, in one step',
  async (path) => {
    await renderApp(path);
    expect(await screen.findByText(/Here to vote\?/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Enter your code' })).toHaveAttribute('href', '/participant');
  },
);

it('leads organizers from the sign-in of super administrators to their own', async () => {
  await renderApp('/admin/login');
  expect(await screen.findByRole('link', { name: 'Organizers sign in here' })).toHaveAttribute(
    'href',
    '/client/login',
  );
});

it('signs a client admin in, with the portal named and both tokens kept', async () => {
  let sent: unknown;
  server.use(
    http.post('/auth/login', async ({ request, response }) => {
      sent = await request.json();
      return response(200).json({
        token: 'access',
        refreshToken: 'refresh',
        deviceToken: 'device',
        user: clientAdmin,
      });
    }),
    http.get('/client/end-users/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 3, active: 2, inactive: 1, totalWeight: 4.25 } }),
    ),
  );
  const { user, location } = await renderApp('/client/login');

  await user.type(await screen.findByLabelText('Email Address'), 'anna@riverside.test');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByLabelText('Remember me for 30 days'));
  await user.click(screen.getByRole('button', { name: 'Sign In to Dashboard' }));

  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(location()).toBe('/client');
  expect(sent).toEqual({
    email: 'anna@riverside.test',
    password: 'correct horse',
    rememberMe: true,
    portal: 'CLIENT',
    ticket: expect.any(String),
  });
  expect(window.localStorage.getItem('accessToken')).toBe('access');
  expect(window.localStorage.getItem('refreshToken')).toBe('refresh');
  expect(await screen.findByText('4.3')).toBeInTheDocument();
});

it('says how long it takes while many sign in, below what was typed', async () => {
  const tickets: (string | null)[] = [];
  let answer = () => {};
  server.use(
    http.post('/auth/login', async ({ request, response }) => {
      tickets.push((await request.json()).ticket ?? null);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return response(403).json({ error: 'Access denied', message: 'Access denied', code: 'access_denied' });
    }),
    http.get('/auth/sign-in-queue', ({ query, response }) => {
      tickets.push(query.get('ticket'));
      return response(200).json({ waiting: 450, seconds: 15, isYours: true });
    }),
  );
  const { user } = await renderApp('/admin/login');
  await user.type(await screen.findByLabelText('Email Address'), 'anna@riverside.test');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));

  expect(await screen.findByRole('status')).toHaveTextContent(
    'Many people are signing in. About 15 seconds to go.',
  );
  expect(screen.getByLabelText('Email Address')).toHaveValue('anna@riverside.test');
  expect(new Set(tickets).size).toBe(1);
  answer();
  expect(await screen.findByRole('alert')).toHaveTextContent('Access denied');
  expect(screen.queryByRole('status')).toBeNull();
});

it('shows what the server says when it refuses, and keeps what was typed', async () => {
  server.use(
    http.post('/auth/login', ({ response }) =>
      response(403).json({ error: 'Access denied', message: 'Access denied', code: 'access_denied' }),
    ),
  );
  const { user } = await renderApp('/admin/login');
  await user.type(await screen.findByLabelText('Email Address'), 'anna@riverside.test');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));

  expect(await screen.findByRole('alert')).toHaveTextContent('Access denied');
  expect(screen.getByLabelText('Email Address')).toHaveValue('anna@riverside.test');
});

it('asks for what is missing at the field, without calling the server', async () => {
  const { user } = await renderApp('/admin/login');
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(screen.getByLabelText('Email Address')).toBeInvalid();
  expect(screen.getByText('Enter your password')).toBeInTheDocument();
  expect(screen.getByLabelText('Password')).toHaveAttribute('aria-invalid', 'true');
});

it('signs out, notifies the server, and forgets the tokens', async () => {
  let isSignOutSent = false;
  server.use(
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, active: 1, inactive: 0 } }),
    ),
    http.post('/auth/logout', ({ response }) => {
      isSignOutSent = true;
      return response(200).json({ success: true });
    }),
  );
  const { user, location } = await renderApp('/admin', { as: superAdmin });
  const [signOut] = await screen.findAllByRole('button', { name: 'Sign out' });
  await user.click(signOut as HTMLElement);

  await waitFor(() => expect(location()).toBe('/admin/login'));
  expect(window.localStorage.getItem('accessToken')).toBeNull();
  expect(window.localStorage.getItem('refreshToken')).toBeNull();
  await waitFor(() => expect(isSignOutSent).toBe(true));
});
