import { expect, it } from 'vitest';
import { FakeEventSource } from '../../../../test/fake-event-source';
import { withFakeMeetings } from '../../../../test/fake-meetings';
import { liveSimulation } from './live-simulation';

const { fake, meetings, run } = withFakeMeetings();

it('plays questions of every type and leaves nothing behind', async () => {
  const result = await run(liveSimulation);
  expect(result.message).toMatch(
    /^6 questions, 27 votes: every tally matches the votes sent, by heads and by weight;/,
  );
  expect(result.status).toBe('success');
  expect(fake().meetings).toEqual([]);
  expect(fake().endUsers).toEqual([]);
  expect(FakeEventSource.all.every(({ isClosed }) => isClosed)).toBe(true);
});

it('is red where a tally differs, and names the question', async () => {
  meetings().counted = (result) =>
    result.questionType === 'RATING' ? { ...result, votesCast: { heads: 6, weight: 9.5 } } : result;
  const result = await run(liveSimulation);
  expect(result.message).toContain(
    '“TEST_How good was the report?”: All votes together: 6 with a weight of 9.5 instead of 5',
  );
  expect(result.status).toBe('error');
});

it('is red where the decision is another one', async () => {
  meetings().counted = (result) => ({ ...result, decision: { outcome: 'undecided' } });
  const result = await run(liveSimulation);
  expect(result.message).toContain('was undecided instead of');
  expect(result.status).toBe('error');
});

it('is red where a screen shows another text', async () => {
  meetings().onTheWay = (event) =>
    event.type === 'question_activated' && event.kind === 'voter'
      ? { ...event, data: { ...event.data, text: 'Something else' } }
      : event;
  const result = await run(liveSimulation);
  expect(result.message).toMatch(
    /The phone of TEST_voter_\w+ showed “TEST_Do you approve the budget\?” with text/,
  );
  expect(result.status).toBe('error');
});

it('is red where a phone does not know that its voter has voted', async () => {
  meetings().onTheWay = (event) => {
    const { currentQuestion } = event.data as { currentQuestion?: object };
    return event.kind === 'voter' && currentQuestion
      ? { ...event, data: { ...event.data, currentQuestion: { ...currentQuestion, hasVoted: false } } }
      : event;
  };
  const result = await run(liveSimulation);
  expect(result.message).toMatch(
    /After a new connection the phone of TEST_voter_\w+ did not show that its voter has voted\./,
  );
  expect(result.status).toBe('error');
});

it('is amber where a screen missed an event and recovered', async () => {
  let lost = 0;
  meetings().onTheWay = (event) => {
    const isLost = event.type === 'participant_count' && event.kind === 'organizer' && lost === 0;
    lost += isLost ? 1 : 0;
    return isLost ? null : event;
  };
  const result = await run(liveSimulation);
  expect(result.message).toContain("The stream of the organizer's screen missed an event before");
  expect(result.status).toBe('warning');
});

it.each([
  [600, 'warning', 'only moderately fast'],
  [1200, 'error', 'events are slow'],
])('judges the delay of the events: %i ms', async (ms, status, words) => {
  fake().latencyOf = ({ method, path }) => (method === 'PUT' && path.endsWith('/current-question') ? ms : 1);
  const result = await run(liveSimulation);
  expect(result.message).toContain(words);
  expect(result.status).toBe(status);
});
