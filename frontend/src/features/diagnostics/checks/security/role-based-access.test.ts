import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { roleBasedAccess } from './role-based-access';

const { fake, run } = withFakePlenum();

it('tries each area with four roles in the client portal, and says which it cannot try', async () => {
  const result = await run(roleBasedAccess);
  expect(result.message).toMatch(
    /^92 calls in 13 areas with 4 roles: .* cannot be tried from here; platform calls were refused/,
  );
  expect(result.status).toBe('success');
});

it('tries each area with seven roles in the admin portal', async () => {
  const result = await run(roleBasedAccess, 'SUPER_ADMIN');
  expect(result.message).toMatch(/^161 calls in 13 areas with 7 roles/);
  expect(result.status).toBe('success');
  expect(fake().clients).toHaveLength(1);
});

it('is red where a role gets in that must not, and names the cell', async () => {
  fake().sick = ({ path, person }) =>
    path === '/clients' && person?.role === 'END_USER' ? HttpResponse.json({ data: [] }) : undefined;
  const result = await run(roleBasedAccess);
  expect(result.message).toMatch(
    /^Platform: GET \/clients\?page=1&pageSize=1 as END_USER answered 200 instead of 403\. 1 more .* People can make calls that they are not allowed to make/,
  );
  expect(result.status).toBe('error');
});

it('is red where a role is shut out that must get in', async () => {
  fake().sick = ({ path, person }) =>
    path === '/voting/meetings' && person?.role === 'END_USER'
      ? HttpResponse.json({ error: 'No.', code: 'wrong_role' }, { status: 403 })
      : undefined;
  const result = await run(roleBasedAccess);
  expect(result.message).toContain('Voting: GET /voting/meetings as END_USER answered 403 instead of 200.');
  expect(result.status).toBe('error');
});

it('is red where a refusal has another name than it should', async () => {
  fake().sick = ({ path, person }) =>
    path === '/client/end-users' && person?.role === 'END_USER'
      ? HttpResponse.json({ error: 'No.', code: 'invalid_token' }, { status: 403 })
      : undefined;
  const result = await run(roleBasedAccess);
  expect(result.message).toContain(
    'as END_USER answered 403 with the code invalid_token instead of wrong_role. 1 more is in the details.',
  );
  expect(result.status).toBe('error');
});

it.each([
  ['END_USER', 403, 'wrong_role'],
  [undefined, 401, 'authentication_required'],
])("is amber where a proxy's own refusal comes to %s, and names the call", async (role, status, code) => {
  fake().sick = ({ path, person }) =>
    path.endsWith('/remarks') && person?.role === role
      ? HttpResponse.text('<html>Forbidden</html>', { status })
      : undefined;
  const result = await run(roleBasedAccess);
  expect(result.message).toContain(
    `Minutes: GET /client/meetings/{meetingId}/remarks as ${role ?? 'nobody'} answered ${status} with no code instead of ${code}.`,
  );
  expect(result.message).toContain('a proxy in front of the server with its own rules');
  expect(result.status).toBe('warning');
});

it.each(['invitations', 'results/export', 'remarks', 'rehearsal', 'import/read'])(
  'is red where %s is open to voters',
  async (path) => {
    fake().sick = (call) =>
      call.path.endsWith(path) && call.person?.role === 'END_USER' ? HttpResponse.json({}) : undefined;
    const result = await run(roleBasedAccess);
    expect(result.message).toContain('as END_USER answered 200 instead of 403.');
    expect(result.status).toBe('error');
  },
);

it("is red where a stream lets another organization's people in", async () => {
  const plenum = fake();
  plenum.sick = ({ path, person }) =>
    path.endsWith('/stream') && person?.clientId !== plenum.meetings[0]?.clientId && person
      ? HttpResponse.text('data: {}')
      : undefined;
  const result = await run(roleBasedAccess, 'SUPER_ADMIN');
  expect(result.message).toContain('Live state and stream: GET /sse/meetings/{meetingId}/stream as');
  expect(result.status).toBe('error');
});

it('is red where a refused vote is stored all the same', async () => {
  const plenum = fake();
  plenum.sick = ({ path, person }) => {
    if (path.endsWith('/vote') && person?.role === 'CLIENT') {
      plenum.votes.push({ id: 'v', roundId: plenum.rounds.at(-1)?.id ?? '', voterId: 'x', answers: ['Yes'] });
    }
    return undefined;
  };
  const result = await run(roleBasedAccess);
  expect(result.message).toContain('2 votes are stored, and one person was let in to vote.');
  expect(result.status).toBe('error');
});

it('is red where the list of one organization shows a person of another one', async () => {
  const plenum = fake();
  plenum.sick = ({ path, query }) =>
    path === '/client/end-users' && query.has('search')
      ? HttpResponse.json({ data: [{ id: 'x' }], meta: { page: 1, pageSize: 1, total: 1 } })
      : undefined;
  const result = await run(roleBasedAccess, 'SUPER_ADMIN');
  expect(result.message).toContain('The list of one organization shows a person of another one.');
  expect(result.status).toBe('error');
});
