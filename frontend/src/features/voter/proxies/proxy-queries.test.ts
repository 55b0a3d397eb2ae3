import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../api/api-error';
import type { components } from '../../../api/schema';
import { proxyQueries } from './proxy-queries';

type Held = components['schemas']['HeldVotesView'];

const none: Held = { roundId: 'r1', votes: [] };
const one: Held = {
  roundId: 'r1',
  votes: [{ principal: { id: 'p1', name: 'Ada', username: 'ada' }, weight: 1, note: null, state: 'RESTING' }],
};

let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** The number of requests after each of these times, if the server answers so. The last answer is repeated. */
async function requestsAfter(timesMs: number[], answers: (Held | ApiError)[]): Promise<number[]> {
  let count = 0;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(client, {
    ...proxyQueries.held('m1', 'q1', 'r1'),
    queryFn: async () => {
      const answer = answers[Math.min(count, answers.length - 1)] as Held | ApiError;
      count += 1;
      if (answer instanceof ApiError) {
        throw answer;
      }
      return answer;
    },
  });
  stop = observer.subscribe(() => undefined);
  const counts: number[] = [];
  let now = 0;
  for (const time of timesMs) {
    await vi.advanceTimersByTimeAsync(time - now);
    now = time;
    counts.push(count);
  }
  client.clear();
  return counts;
}

describe('the request for held votes', () => {
  it('is repeated after failures, until it is known that there are none', async () => {
    const failure = ApiError.unreachable();
    expect(await requestsAfter([1_000, 11_000, 21_000, 120_000], [failure, failure, none])).toEqual([
      1, 2, 3, 3,
    ]);
  });

  it('is repeated every few seconds for a holder', async () => {
    expect(await requestsAfter([1_000, 11_000], [one])).toEqual([1, 3]);
  });

  it('is repeated after an answer about another round', async () => {
    expect(await requestsAfter([1_000, 6_000, 60_000], [{ ...none, roundId: 'r0' }, none])).toEqual([
      1, 2, 2,
    ]);
  });
});
