import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

/** The submitted credentials, the latest last. */
let sent: { password: string; code?: string | null }[];

function refusal(code: string, error: string) {
  return { code, error, message: error };
}

beforeEach(() => {
  sent = [];
  server.use(
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, active: 1, inactive: 0 } }),
    ),
    http.get('/activity', ({ response }) => response(200).json({ success: true, data: [] })),
    http.get('/sessions/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 1, accounts: 1, endUsers: 0 } }),
    ),
    http.post('/auth/login', async ({ request, response }) => {
      const body = await request.json();
      sent.push(body);
      switch (body.code) {
        case undefined:
          return response(401).json(
            refusal('second_factor_required', 'A code of the second factor is required'),
          );
        case '123456':
          return response(200).json({
            token: 'access',
            refreshToken: 'refresh',
            deviceToken: 'device',
            user: superAdmin,
          });
        case '999999':
          return response(429).json(
            refusal('too_many_tries', 'Too many failed sign-ins. Please try again in 300 seconds.'),
          );
        default:
          return response(401).json(refusal('second_factor_wrong', 'The code is wrong, or was used already'));
      }
    }),
  );
});

async function typePassword(user: UserEvent): Promise<void> {
  await user.type(await screen.findByLabelText('Email Address'), 'root@plenum.test');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

it('asks for a code after the password, and sends both together', async () => {
  const { user, location } = await renderApp('/admin/login');
  await typePassword(user);
  const code = await screen.findByLabelText('Code from your authenticator app');
  await waitFor(() => expect(code).toHaveFocus());
  expect(code).toHaveAttribute('inputmode', 'numeric');
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(JSON.stringify({ ...window.localStorage, ...window.sessionStorage })).not.toContain('correct horse');

  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getByText('Enter the code')).toBeInTheDocument();
  await user.type(code, '000000');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('This code is wrong, or was used already')).toBeInTheDocument();
  await user.clear(code);
  await user.type(code, '999999');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 300 seconds.');
  await user.clear(code);
  await user.type(code, '123456');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(location()).toBe('/admin'));
  expect(sent.map(({ password, code: typed }) => [password, typed])).toEqual([
    ['correct horse', undefined],
    ['correct horse', '000000'],
    ['correct horse', '999999'],
    ['correct horse', '123456'],
  ]);
});

it('takes a recovery code, and goes back to the password', async () => {
  const { user } = await renderApp('/admin/login');
  await typePassword(user);
  await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
  const code = screen.getByLabelText('Recovery code');
  await waitFor(() => expect(code).toHaveFocus());
  expect(code).toHaveAttribute('inputmode', 'text');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(screen.getByLabelText('Email Address')).toHaveFocus());
  expect(screen.queryByRole('alert')).toBeNull();
});

it('goes back while the code is being checked, to a form that works', async () => {
  const { user, location } = await renderApp('/admin/login');
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await typePassword(user);
  const code = await screen.findByLabelText('Code from your authenticator app');
  server.use(
    http.post(
      '/auth/login',
      async ({ response }) => {
        await isAnswered;
        return response(200).json({
          token: 'access',
          refreshToken: 'refresh',
          deviceToken: 'device',
          user: superAdmin,
        });
      },
      { once: true },
    ),
  );
  await user.type(code, '123456');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Back' }));

  // The late answer signs nobody in.
  answer();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByLabelText('Code from your authenticator app')).toBeInTheDocument();
  expect(location()).toBe('/admin/login');
  expect(window.localStorage.getItem('accessToken')).toBeNull();
  expect(sent).toHaveLength(2);
});
