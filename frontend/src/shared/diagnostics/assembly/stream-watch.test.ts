import { beforeEach, expect, it } from 'vitest';
import { FakeEventSource, installFakeEventSource } from '../../../test/fake-event-source';
import { liveQuestion, liveState, timed } from '../../../test/live-samples';
import { http, server } from '../../../test/server';
import { Caller } from '../run/caller';
import { type MeetingWatch, watchMeeting } from './stream-watch';

installFakeEventSource();

let stopping: AbortController;
let watch: MeetingWatch;
beforeEach(async () => {
  stopping = new AbortController();
  const caller = new Caller({ token: 'a+b' }, stopping.signal);
  watch = await watchMeeting('the phone', 'm1', caller, stopping.signal);
});

const opened = { ...liveQuestion(), voteCount: 0, registerSize: 5, step: 2 };

it('carries the token of its person in the address', () => {
  expect(FakeEventSource.latest.url).toMatch(/\/api\/sse\/meetings\/m1\/stream\?token=a%2Bb$/);
});

it('knows what a screen knows after each event', async () => {
  FakeEventSource.latest.send('connected', liveState({ version: 10 }), 10);
  const coming = watch.until('the question', 0, ({ state }) => state.currentQuestion !== null);
  FakeEventSource.latest.send('question_activated', opened, 11);
  FakeEventSource.latest.send('vote_count', { voteCount: 2, registerSize: 5 }, 12);
  expect((await coming).type).toBe('question_activated');
  const counted = await watch.until('a count', 0, ({ state }) => state.voteCount === 2);
  expect(counted.state.currentQuestion?.id).toBe(opened.id);
  expect(watch.gaps).toEqual([]);
});

it('does not take what was received before for what follows', async () => {
  FakeEventSource.latest.send('connected', liveState({ version: 10 }), 10);
  const later = performance.now() + 1000;
  const coming = watch.until('anything', later, () => true);
  stopping.abort(new Error('stopped'));
  await expect(coming).rejects.toThrow('stopped');
});

it('notes that something was missed, and fetches the whole as screens do', async () => {
  server.use(
    http.get('/sse/meetings/{meetingId}/state', ({ response }) =>
      response(200).json(timed(liveState({ version: 12, voteCount: 2 }))),
    ),
  );
  FakeEventSource.latest.send('connected', liveState({ version: 10 }), 10);
  FakeEventSource.latest.send('vote_count', { voteCount: 2, registerSize: 5 }, 12);
  expect(watch.gaps).toEqual(['The stream of the phone missed an event before vote_count.']);
  const { type } = await watch.until('the count', 0, ({ state }) => state.voteCount === 2);
  expect(type).toBe('fetched');
});

it('notes what no screen would understand', () => {
  FakeEventSource.latest.send('connected', { version: 'ten' }, 10);
  expect(watch.unreadable[0]).toContain(
    'The stream of the phone sent something unreadable: {"type":"connected"',
  );
});

it('rejects waiting calls when the stream breaks', async () => {
  const coming = watch.until('the question', 0, () => true);
  FakeEventSource.latest.break();
  await expect(coming).rejects.toThrow('The stream of the phone broke');
  await expect(watch.until('more', 0, () => true)).rejects.toThrow('The stream of the phone broke');
});

it('says why the server ended the stream', async () => {
  const coming = watch.until('the question', 0, () => true);
  FakeEventSource.latest.send('error', { code: 'session_ended', message: 'The session has ended.' }, 0);
  await expect(coming).rejects.toThrow('The server ended the stream of the phone: The session has ended.');
});

it('ends whoever waits where the test is stopped', async () => {
  const coming = watch.until('the question', 0, () => true);
  stopping.abort(new Error('stopped'));
  await expect(coming).rejects.toThrow('stopped');
});
