import { expect, it, vi } from 'vitest';
import { paths, publicUrl } from './paths';

it('knows every address of the app', () => {
  const addresses = Object.values(paths).map((path) => (typeof path === 'string' ? path : path('an id')));
  expect(addresses).toMatchInlineSnapshot(`
    [
      "/",
      "/admin/login",
      "/admin",
      "/admin/clients",
      "/admin/clients?search=an%20id",
      "/admin/users",
      "/admin/reports",
      "/admin/tests",
      "/admin/audit",
      "/admin/account",
      "/client/login",
      "/client",
      "/client?quick-vote=1",
      "/client/end-users",
      "/client/end-users?edit=an%20id",
      "/client/end-users/import",
      "/client/groups",
      "/client/weight-kinds",
      "/client/end-users?group=an%20id",
      "/client/meetings",
      "/client/meetings/an%20id/questions",
      "/client/meetings/an%20id/control",
      "/client/meetings/an%20id/results",
      "/client/meetings/an%20id/readiness",
      "/client/tests",
      "/client/audit",
      "/client/account",
      "/client/branding",
      "/forgotten-password",
      "/verify#R=AN ID",
      "/secrecy",
      "/participant",
      "/participant/login/an%20id",
      "/vote/an%20id",
      "/join#an id",
      "/desk#an id",
      "/voting",
      "/voting/account",
      "/voting/meeting/an%20id",
      "/presentation/meeting/an%20id",
    ]
  `);
  expect(paths.verify()).toBe('/verify');
  expect(paths.participantLogin()).toBe('/participant/login');
  expect(paths.adminClient('a&b', 'an id')).toBe('/admin/clients?search=a%26b&edit=an%20id');
});

it('gives addresses to hand out in full', () => {
  expect(publicUrl(paths.invitation('t0ken'))).toBe('http://plenum.test/vote/t0ken');
});

it('gives the public origin where the server knows one', async () => {
  const meta = document.createElement('meta');
  meta.name = 'plenum-public-url';
  meta.content = 'https://vote.example.org';
  document.head.append(meta);
  vi.resetModules();
  const fresh = await import('./paths');
  meta.remove();
  expect(fresh.publicUrl(paths.invitation('t0ken'))).toBe('https://vote.example.org/vote/t0ken');
});
