import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakeMeetings } from '../../../../test/fake-meetings';
import { meetingLifecycle } from './meeting-lifecycle';

const { fake, meetings, run } = withFakeMeetings();

it('is red where voters see a draft, and tidies up', async () => {
  const result = await run(meetingLifecycle);
  expect(result.message).toBe(
    'Test failed: A draft is invisible to voters: A voter sees a draft in the list of meetings',
  );
  expect(result.status).toBe('error');
  expect(fake().meetings).toEqual([]);
});

it('is red where a step out of turn is not refused, and names the step', async () => {
  meetings().sick = ({ method, path, person }) => {
    if (person?.role !== 'END_USER' || method !== 'GET') {
      return undefined;
    }
    return path === '/voting/meetings'
      ? HttpResponse.json({ success: true, meetings: [] })
      : HttpResponse.json({ code: 'meeting_not_open_yet', error: 'It is a draft.' }, { status: 404 });
  };
  const result = await run(meetingLifecycle);
  expect(result.message).toMatch(
    /Nothing can be opened before the start: PUT \S+\/current-question answered 200 instead of 409/,
  );
  expect(result.status).toBe('error');
});
