import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

function offer(canResetPassword: boolean): void {
  server.use(http.get('/auth/options', ({ response }) => response(200).json({ canResetPassword })));
}

afterEach(() => window.history.replaceState(null, '', '/'));

it.each(['/admin/login', '/client/login'])('is offered at %s where mail can be sent', async (path) => {
  offer(true);
  let sent: unknown;
  server.use(
    http.post('/auth/forgotten-password', async ({ request, response }) => {
      sent = await request.json();
      return response(202).json({ success: true });
    }),
  );
  const { user, location } = await renderApp(path);
  await user.click(await screen.findByRole('link', { name: 'Forgotten password?' }));
  await screen.findByRole('heading', { name: 'Forgotten password' });
  expect(location()).toBe('/forgotten-password');
  await user.type(screen.getByLabelText('Email Address'), 'anna@riverside.test');
  await user.click(screen.getByRole('button', { name: 'Send link' }));

  await screen.findByRole('heading', { name: 'Check your email' });
  expect(screen.getByRole('status')).toHaveTextContent(
    'If there is an account with the address anna@riverside.test',
  );
  expect(sent).toEqual({ email: 'anna@riverside.test' });
  await user.click(screen.getByRole('link', { name: 'Back to sign-in' }));
  await screen.findByLabelText('Password');
  expect(location()).toBe(path);
});

it('is not offered where no mail can be sent', async () => {
  let wasAsked = false;
  server.use(
    http.get('/auth/options', ({ response }) => {
      wasAsked = true;
      return response(200).json({ canResetPassword: false });
    }),
  );
  await renderApp('/client/login');
  await screen.findByLabelText('Email Address');
  await waitFor(() => expect(wasAsked).toBe(true));
  expect(screen.queryByRole('link', { name: 'Forgotten password?' })).toBeNull();
});

it('says what is wrong with an address at the field', async () => {
  const wanted = 'Must be an email address.';
  server.use(
    http.post('/auth/forgotten-password', ({ response }) =>
      response(422).json({
        error: 'email must be an email address.',
        message: 'email must be an email address.',
        code: 'invalid_input',
        fields: { email: [wanted] },
      }),
    ),
  );
  const { user } = await renderApp('/forgotten-password');
  await user.click(await screen.findByRole('button', { name: 'Send link' }));
  expect(screen.getByText('Enter your email address')).toBeInTheDocument();
  await user.type(screen.getByLabelText('Email Address'), 'anna');
  await user.click(screen.getByRole('button', { name: 'Send link' }));
  expect(await screen.findByText(wanted)).toBeInTheDocument();
  expect(screen.getByLabelText('Email Address')).toBeInvalid();
});

it('sets a password by the token of the link, which goes from the address bar', async () => {
  let sent: unknown;
  server.use(
    http.post('/auth/reset-password', async ({ request, response }) => {
      sent = await request.json();
      return response(200).json({ success: true, deviceToken: 'device' });
    }),
  );
  window.history.replaceState(null, '', '/reset-password#token=secret-of-the-mail');
  const { user } = await renderApp('/reset-password');
  await user.type(await screen.findByLabelText('New password'), 'battery staple');
  expect(window.location.href).not.toContain('secret-of-the-mail');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(screen.getByText('This is not the same')).toBeInTheDocument();
  await user.type(screen.getByLabelText('New password again'), 'battery staple');
  await user.click(screen.getByRole('button', { name: 'Change password' }));

  await screen.findByRole('heading', { name: 'Your password is changed' });
  expect(sent).toEqual({ token: 'secret-of-the-mail', newPassword: 'battery staple' });
  expect(window.localStorage.getItem('deviceTokens')).toBe('["device"]');
  expect(screen.getByRole('link', { name: 'Sign in as an organizer' })).toHaveAttribute(
    'href',
    '/client/login',
  );
});

it('says that a link is used up, and leads to a new one', async () => {
  const error = 'This link is too old or was used already';
  server.use(
    http.post('/auth/reset-password', ({ response }) =>
      response(409).json({ error, message: error, code: 'reset_void' }),
    ),
  );
  window.history.replaceState(null, '', '/reset-password#token=used-up');
  const { user, location } = await renderApp('/reset-password');
  await user.type(await screen.findByLabelText('New password'), 'battery staple');
  await user.type(screen.getByLabelText('New password again'), 'battery staple');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(error);
  await user.click(screen.getByRole('link', { name: 'Ask for a new link' }));
  await screen.findByRole('button', { name: 'Send link' });
  expect(location()).toBe('/forgotten-password');
});
