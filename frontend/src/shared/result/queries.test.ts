import { expect, it } from 'vitest';
import { resultQueries } from './queries';

it('asks anew for the answers of a round that was opened again, and for no others', () => {
  const keyOf = (endedAt: string) =>
    resultQueries.answers('m1', { id: 'r1', endedAt }, { search: '', page: 1 }).queryKey;
  expect(keyOf('2026-11-21T18:09:41Z')).toEqual(keyOf('2026-11-21T18:09:41Z'));
  expect(keyOf('2026-11-21T18:12:00Z')).not.toEqual(keyOf('2026-11-21T18:09:41Z'));
});
