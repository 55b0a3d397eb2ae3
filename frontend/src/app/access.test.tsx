import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../api/types';
import { clientAdmin, superAdmin, voter } from '../test/people';
import { renderApp } from '../test/render-app';
import { http, server } from '../test/server';
import { signInFor } from './access';

const people: Record<string, User | undefined> = {
  nobody: undefined,
  'a super admin': superAdmin,
  'a client admin': clientAdmin,
  'a voter': voter,
};

/** The path, the visitor, and the final path. `null`: no redirect. */
const cases: [string, string, string | null][] = [
  ['/', 'nobody', '/admin/login'],
  ['/', 'a super admin', '/admin'],
  ['/', 'a client admin', '/client'],
  ['/', 'a voter', '/voting'],
  ['/login', 'nobody', '/admin/login'],
  ['/clients', 'a super admin', '/admin/clients'],
  ['/clients', 'nobody', '/admin/login'],
  ['/no/such/page', 'nobody', '/admin/login'],
  ['/no/such/page', 'a voter', '/voting'],
  ['/vote', 'nobody', '/participant'],
  ['/vote/', 'nobody', '/participant'],
  ['/vote', 'a client admin', '/participant'],
  ['/vote/abc/more', 'nobody', '/participant'],
  ['/participant/nothing/here', 'nobody', '/participant'],
  ['/client-portal', 'nobody', '/client/login'],

  ['/admin', 'nobody', '/admin/login'],
  ['/admin', 'a client admin', '/client'],
  ['/admin', 'a voter', '/voting'],
  ['/admin/clients', 'a super admin', null],
  ['/admin/clients', 'nobody', '/admin/login'],
  ['/admin/tests', 'nobody', '/admin/login'],
  ['/admin/tests', 'a client admin', '/client'],
  ['/admin/tests', 'a super admin', null],
  ['/admin/login', 'nobody', null],
  ['/admin/login', 'a super admin', '/admin'],
  ['/admin/login', 'a client admin', null],

  ['/client', 'nobody', '/client/login'],
  ['/client', 'a super admin', '/admin'],
  ['/client', 'a voter', '/voting'],
  ['/client/end-users', 'nobody', '/client/login'],
  ['/client/end-users', 'a client admin', null],
  ['/client/meetings', 'nobody', '/client/login'],
  ['/client/meetings', 'a client admin', null],
  ['/client/meetings/m1/questions', 'nobody', '/client/login'],
  ['/client/meetings/m1/questions', 'a voter', '/voting'],
  ['/client/meetings/m1/control', 'nobody', '/client/login'],
  ['/client/meetings/m1/control', 'a super admin', '/admin'],
  ['/client/meetings/m1/results', 'nobody', '/client/login'],
  ['/client/meetings/m1/results', 'a voter', '/voting'],
  ['/client/tests', 'nobody', '/client/login'],
  ['/client/tests', 'a client admin', null],
  ['/client/tests', 'a super admin', '/admin'],
  ['/client/login', 'nobody', null],
  ['/client/login', 'a client admin', '/client'],

  ['/voting', 'nobody', '/participant'],
  ['/voting', 'a client admin', '/client'],
  ['/voting', 'a voter', null],
  ['/voting/meeting/m1', 'nobody', '/participant'],
  ['/voting/meeting/m1', 'a super admin', '/admin'],
  ['/participant', 'nobody', null],
  ['/participant/login/riverside', 'nobody', null],
  ['/participant/login/riverside', 'a voter', '/voting'],
  ['/participant/login/other-club', 'a voter', null],
];

describe('routes and guards', () => {
  beforeEach(() => {
    // The test is about redirects, not about the data of the screens.
    server.use(
      http.untyped.all('*/api/*', () => new Response('{"error":"not now","code":"x"}', { status: 500 })),
    );
  });

  it.each(cases)('%s for %s leads to %s', async (path, who, expected) => {
    const app = await renderApp(path, { as: people[who] });
    await waitFor(() => expect(app.location()).toBe(expected ?? path));
    await waitFor(() => expect(document.body.textContent).not.toBe(''));
  });

  it('says that Plenum is loading while it asks who is signed in', async () => {
    window.localStorage.setItem('accessToken', 'token');
    server.use(http.get('/auth/me', ({ response }) => response(200).json({ user: clientAdmin })));
    const { session } = await import('../api/session');
    void session.resolve();
    const app = await renderApp('/client/end-users');
    expect(screen.getByText('Loading Plenum...')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Loading Plenum...')).not.toBeInTheDocument());
    expect(app.location()).toBe('/client/end-users');
  });
});

describe('signInFor', () => {
  it.each([
    ['/voting/meeting/x', '/participant'],
    ['/participant/anything', '/participant'],
    ['/vote', '/participant'],
    ['/client/meetings', '/client/login'],
    ['/clients', '/client/login'],
    ['/admin/clients', '/admin/login'],
    ['/anything', '/admin/login'],
  ])('%s → %s', (path, signIn) => {
    expect(signInFor(path)).toBe(signIn);
  });
});
