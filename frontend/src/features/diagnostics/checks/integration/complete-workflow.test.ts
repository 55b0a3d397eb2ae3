import { HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { success, warning } from '../../../../shared/diagnostics/run/finding';
import { Unexpected } from '../../../../shared/diagnostics/run/unexpected';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { clientManagement } from './client-management';
import { completeWorkflow } from './complete-workflow';
import { liveSimulation } from './live-simulation';
import { meetingLifecycle } from './meeting-lifecycle';
import { userManagement } from './user-management';

const { fake, run } = withFakePlenum();

beforeEach(() => {
  for (const part of [clientManagement, userManagement, meetingLifecycle, liveSimulation]) {
    vi.spyOn(part, 'run').mockResolvedValue(success('Fine.'));
  }
  fake().sick = ({ path }) =>
    path === '/test/data-integrity'
      ? HttpResponse.json({
          success: true,
          isValid: true,
          message: '',
          details: { issuesFound: 0, issues: [], checks: [{ name: 'vote_count', issuesFound: 0 }] },
        })
      : undefined;
});

it('runs all parts, cleans up, verifies, and says that all went well', async () => {
  const result = await run(completeWorkflow);
  expect(result.message).toBe(
    'All 6 parts succeeded: Client Management, User Management, Meeting Lifecycle, Live Meeting Simulation, Cleanup, Verify State.',
  );
  expect(result.status).toBe('success');
});

it('has deleted everything before it verifies', async () => {
  vi.mocked(userManagement.run).mockImplementation(async ({ world }) => {
    await world.addVoters(2);
    return success('Fine.');
  });
  const result = await run(completeWorkflow);
  expect(result.status).toBe('success');
  const calls = fake().calls.map(({ method, path }) => `${method} ${path.replace(/[\w-]{36}$/, ':id')}`);
  const lastDeletion = calls.lastIndexOf('DELETE /client/end-users/:id');
  expect(calls.filter((call) => call === 'DELETE /client/end-users/:id')).toHaveLength(2);
  expect(calls.indexOf('GET /test/data-integrity')).toBeGreaterThan(lastDeletion);
});

it('goes on after a part that failed; the worst part counts', async () => {
  vi.mocked(userManagement.run).mockRejectedValue(new Unexpected('nothing came'));
  vi.mocked(meetingLifecycle.run).mockResolvedValue(warning('A little slow.'));
  const result = await run(completeWorkflow);
  expect(result.message).toBe(
    '4 of 6 parts succeeded. User Management: Test failed: nothing came. Meeting Lifecycle: A little slow.',
  );
  expect(liveSimulation.run).toHaveBeenCalled();
  expect(result.status).toBe('error');
});

it('is amber where the worst part is', async () => {
  vi.mocked(liveSimulation.run).mockResolvedValue(warning('A little slow.'));
  expect((await run(completeWorkflow)).status).toBe('warning');
});
