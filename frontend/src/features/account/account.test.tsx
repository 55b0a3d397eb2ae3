import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { OwnSession } from '../../api/types';
import { clientAdmin, superAdmin, voter } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

const HERE: OwnSession = {
  id: '019a9d5e-0000-7000-8000-000000000001',
  device: 'Firefox on Linux',
  address: '192.0.2.1',
  startedAt: '2026-11-20T08:00:00Z',
  lastUsedAt: '2026-11-21T18:00:00Z',
  expiresAt: '2026-12-21T18:00:00Z',
  rememberMe: true,
  isCurrent: true,
};
const PHONE: OwnSession = {
  ...HERE,
  id: '019a9d5e-0000-7000-8000-000000000002',
  device: 'Safari on iPhone',
  isCurrent: false,
};
const UNKNOWN: OwnSession = {
  ...PHONE,
  id: '019a9d5e-0000-7000-8000-000000000003',
  device: null,
  address: null,
};

/** The sessions that have not ended; the tests end some. */
let sessions: OwnSession[] = [];
let factor = { isOn: false, recoveryCodesLeft: 0 };

beforeEach(() => {
  sessions = [HERE, PHONE, UNKNOWN];
  factor = { isOn: false, recoveryCodesLeft: 0 };
  server.use(
    http.get('/auth/sessions', ({ response }) => response(200).json({ success: true, data: sessions })),
    http.get('/auth/second-factor', ({ response }) => response(200).json(factor)),
  );
});

async function fillPasswords(user: UserEvent, current: string, next: string, again = next): Promise<void> {
  await user.type(await screen.findByLabelText('Current password'), current);
  await user.type(screen.getByLabelText('New password'), next);
  await user.type(screen.getByLabelText('New password again'), again);
  await user.click(screen.getByRole('button', { name: 'Change password' }));
}

const PEOPLE = [
  { path: '/admin/account', as: superAdmin },
  { path: '/client/account', as: clientAdmin },
  { path: '/voting/account', as: voter },
];

it.each(PEOPLE)('changes a password at $path', async ({ path, as }) => {
  let sent: unknown;
  server.use(
    http.put('/auth/password', async ({ request, response }) => {
      sent = await request.json();
      return response(200).json({ success: true });
    }),
  );
  const { user } = await renderApp(path, { as });
  await fillPasswords(user, 'correct horse', 'battery staple');

  expect(await screen.findByText(/^Password changed\./)).toBeInTheDocument();
  expect(sent).toEqual({ currentPassword: 'correct horse', newPassword: 'battery staple' });
  expect(screen.getByLabelText('Current password')).toHaveValue('');
});

it('says at the field what is wrong, without asking the server', async () => {
  const { user } = await renderApp('/client/account', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Change password' }));
  expect(screen.getByText('Enter your current password')).toBeInTheDocument();
  expect(screen.getByText('Use at least 8 characters')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveFocus());

  await fillPasswords(user, 'correct horse', 'battery staple', 'battery stable');
  expect(screen.getByText('This is not the same')).toBeInTheDocument();
  expect(screen.getByLabelText('New password again')).toBeInvalid();
});

it('says that the current password is wrong, and stays signed in', async () => {
  server.use(
    http.put('/auth/password', ({ response }) =>
      response(403).json({
        error: 'The current password is wrong',
        message: 'The current password is wrong',
        code: 'wrong_password',
      }),
    ),
  );
  const { user, location } = await renderApp('/client/account', { as: clientAdmin });
  await fillPasswords(user, 'another horse', 'battery staple');

  expect(await screen.findByText('This is not your current password')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveFocus());
  expect(screen.getByLabelText('New password')).toHaveValue('battery staple');
  expect(location()).toBe('/client/account');
});

it('says how long to wait after too many wrong passwords', async () => {
  const error = 'Too many failed sign-ins. Please try again in 10 seconds.';
  server.use(
    http.put('/auth/password', ({ response }) =>
      response(429).json({ error, message: error, code: 'too_many_tries' }),
    ),
  );
  const { user } = await renderApp('/client/account', { as: clientAdmin });
  await fillPasswords(user, 'another horse', 'battery staple');
  expect(await screen.findByRole('alert')).toHaveTextContent(error);
});

it('shows where one is signed in, and signs out there', async () => {
  let ended: unknown;
  server.use(
    http.delete('/auth/sessions/{sessionId}', ({ params, response }) => {
      ended = params.sessionId;
      sessions = sessions.filter(({ id }) => id !== params.sessionId);
      return response(200).json({ success: true });
    }),
  );
  const { user } = await renderApp('/voting/account', { as: voter });
  const list = await screen.findByRole('list', { name: 'Signed-in devices' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Firefox on LinuxThis device.*from 192\.0\.2\.1$/),
    expect.stringMatching(/^Safari on iPhone.*from 192\.0\.2\.1Last used: .*Sign out$/),
    expect.stringMatching(/^Unknown device.*Last used: .*Sign out$/),
  ]);

  await user.click(screen.getByRole('button', { name: 'Sign out on Safari on iPhone' }));
  expect(await screen.findByText('Signed out on Safari on iPhone')).toBeInTheDocument();
  expect(ended).toBe(PHONE.id);
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
});

it('signs out on all other devices', async () => {
  let sent: unknown;
  server.use(
    http.post('/auth/sessions/sign-out-everywhere', async ({ request, response }) => {
      sent = await request.json();
      sessions = [HERE];
      return response(200).json({ success: true, ended: 2 });
    }),
  );
  const { user } = await renderApp('/admin/account', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: 'Sign out on all other devices' }));

  expect(await screen.findByText('Signed out on 2 other devices')).toBeInTheDocument();
  expect(sent).toEqual({ keepThis: true });
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Sign out on/ })).toBeNull());
});

it('is found in the portal and on the voter’s first page', async () => {
  server.use(
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
  );
  const { user, location } = await renderApp('/voting', { as: voter });
  await user.click(await screen.findByRole('link', { name: 'Account' }));
  await screen.findByRole('heading', { name: 'Your Account' });
  expect(location()).toBe('/voting/account');
});

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const URI = `otpauth://totp/Plenum:anna@riverside.test?secret=${SECRET}&issuer=Plenum`;
const CODES = ['abcd-efgh-ijkl-mnop', 'qrst-uvwx-yzab-cdef'];

function refusal(code: string, error: string) {
  return { code, error, message: error };
}

it('sets a second factor up, from the password to the recovery codes', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/auth/second-factor', async ({ request, response }) => {
      sent.push(await request.json());
      return response(200).json({ secret: SECRET, uri: URI });
    }),
    http.post('/auth/second-factor/confirm', async ({ request, response }) => {
      const body = await request.json();
      sent.push(body);
      if (body.code !== '123 456') {
        return response(403).json(refusal('second_factor_wrong', 'The code is wrong, or was used already'));
      }
      factor = { isOn: true, recoveryCodesLeft: 2 };
      return response(200).json({ recoveryCodes: CODES });
    }),
  );
  const { user } = await renderApp('/client/account', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  await waitFor(() => expect(screen.getByLabelText('Your password')).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Go on' }));
  expect(screen.getByText('Enter your current password')).toBeInTheDocument();
  await user.type(screen.getByLabelText('Your password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Go on' }));

  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
  expect(screen.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeInTheDocument();
  const code = screen.getByLabelText('Code from your authenticator app');
  await waitFor(() => expect(code).toHaveFocus());
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(screen.queryByRole('button', { name: 'Use a recovery code' })).toBeNull();
  await user.type(code, '000000');
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(await screen.findByText('This code is wrong, or was used already')).toBeInTheDocument();
  await user.clear(code);
  await user.type(code, '123 456');
  await user.click(screen.getByRole('button', { name: 'Turn on' }));

  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(CODES);
  expect(screen.getByRole('heading', { name: 'Your recovery codes' })).toHaveFocus();
  expect(sent).toEqual([{ currentPassword: 'correct horse' }, { code: '000000' }, { code: '123 456' }]);
  expect(JSON.stringify({ ...window.localStorage, ...window.sessionStorage })).not.toContain(SECRET);
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText('It is on.')).toBeInTheDocument();
  expect(screen.getByText(/2 recovery codes left/)).toBeInTheDocument();
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull();
});

it('turns a second factor off by both factors, and says which of them was wrong', async () => {
  factor = { isOn: true, recoveryCodesLeft: 9 };
  const sent: unknown[] = [];
  const answers = [
    refusal('wrong_password', 'The current password is wrong'),
    refusal('second_factor_wrong', 'The code is wrong, or was used already'),
  ];
  server.use(
    http.post('/auth/second-factor/remove', async ({ request, response }) => {
      sent.push(await request.json());
      const refused = answers.shift();
      if (refused) {
        return response(403).json(refused);
      }
      factor = { isOn: false, recoveryCodesLeft: 0 };
      return response(200).json({ success: true });
    }),
  );
  const { user } = await renderApp('/admin/account', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: 'Turn off' }));
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(screen.getByText('Enter your current password')).toBeInTheDocument();
  expect(screen.getByText('Enter the code')).toBeInTheDocument();
  await user.type(screen.getByLabelText('Your password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await user.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-ijkl-mnop');
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('This is not your current password')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText('Your password')).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('This code is wrong, or was used already')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText('Recovery code')).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByRole('button', { name: 'Set up' })).toBeInTheDocument();
  expect(sent.at(-1)).toEqual({ currentPassword: 'correct horse', code: 'abcd-efgh-ijkl-mnop' });
});

it('makes new recovery codes', async () => {
  factor = { isOn: true, recoveryCodesLeft: 1 };
  server.use(
    http.post('/auth/second-factor/recovery-codes', ({ response }) => {
      factor = { isOn: true, recoveryCodesLeft: 2 };
      return response(200).json({ recoveryCodes: CODES });
    }),
  );
  const { user } = await renderApp('/client/account', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  await user.type(screen.getByLabelText('Your password'), 'correct horse');
  await user.type(screen.getByLabelText('Code from your authenticator app'), '123456');
  await user.click(screen.getByRole('button', { name: 'Make new codes' }));
  await user.click(await screen.findByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText(/2 recovery codes left/)).toBeInTheDocument();
});

it('offers voters no second factor', async () => {
  await renderApp('/voting/account', { as: voter });
  await screen.findByRole('list', { name: 'Signed-in devices' });
  expect(screen.queryByRole('heading', { name: 'Second factor' })).toBeNull();
});

it('cannot leave the form while new recovery codes are on their way', async () => {
  factor = { isOn: true, recoveryCodesLeft: 1 };
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.post('/auth/second-factor/recovery-codes', async ({ response }) => {
      await isAnswered;
      return response(200).json({ recoveryCodes: CODES });
    }),
  );
  const { user } = await renderApp('/client/account', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  await user.type(screen.getByLabelText('Your password'), 'correct horse');
  await user.type(screen.getByLabelText('Code from your authenticator app'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Make new codes' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled());
  answer();
  expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeInTheDocument();
});

it('asks before recovery codes are left that nobody has kept', async () => {
  factor = { isOn: true, recoveryCodesLeft: 1 };
  server.use(
    http.post('/auth/second-factor/recovery-codes', ({ response }) =>
      response(200).json({ recoveryCodes: CODES }),
    ),
  );
  const { user, location } = await renderApp('/client/account', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  await user.type(screen.getByLabelText('Your password'), 'correct horse');
  await user.type(screen.getByLabelText('Code from your authenticator app'), '123456');
  await user.click(screen.getByRole('button', { name: 'Make new codes' }));
  expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeInTheDocument();
  await user.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] as HTMLElement);
  const question = within(await screen.findByRole('dialog', { name: 'Leave without the recovery codes?' }));
  await user.click(question.getByRole('button', { name: 'Stay here' }));
  expect(location()).toBe('/client/account');
  expect(screen.getByRole('list', { name: 'Recovery codes' })).toBeInTheDocument();
});
