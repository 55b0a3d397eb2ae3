import type { Run } from '../run/diagnostic';
import { several } from '../run/several';
import { bodyOf } from '../run/unexpected';
import { tokenOf } from './own-token';
import type { RunningMeetingWithVoters } from './running-meeting';
import { beginningOfStream } from './stream-call';

export const REQUESTS_PER_ROUND = 200;
export const STREAMS_PER_ROUND = 12;
/** A browser opens six connections to a server; the person's own screens need some of them. */
const REQUESTS_AT_ONCE = 4;
const STREAMS_AT_ONCE = 3;

/** The usual work of a meeting, shortened: lists, live states, results, and streams that open and close. */
export async function workOneRound(run: Run, meeting: RunningMeetingWithVoters): Promise<void> {
  const { organizer, id, voters } = meeting;
  const people = voters.map(({ caller }) => caller);
  const voter = people[0] ?? organizer;
  const calls = [
    () => organizer.get('/client/end-users?page=1&pageSize=50'),
    () => organizer.get('/client/meetings?page=1&pageSize=50'),
    () => organizer.get(`/client/meetings/${id}/results`),
    () => organizer.get(`/sse/meetings/${id}/state`),
    () => voter.get('/voting/meetings'),
    () => voter.get(`/voting/meetings/${id}`),
    () => voter.get(`/sse/meetings/${id}/state`),
    () => run.own.as(null).get(`/public/meetings/${id}/presentation`),
  ];
  await several(Array.from({ length: REQUESTS_PER_ROUND }), REQUESTS_AT_ONCE, async (_, index) => {
    const call = calls[index % calls.length] as (typeof calls)[number];
    bodyOf(await call(), 200);
  });
  await several(Array.from({ length: STREAMS_PER_ROUND }), STREAMS_AT_ONCE, async (_, index) => {
    const token = await tokenOf(people[index % people.length] ?? organizer);
    bodyOf(await beginningOfStream(`/sse/meetings/${id}/stream`, token, run.signal), 200);
  });
}
