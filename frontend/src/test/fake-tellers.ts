import { ApiError } from '../api/api-error';
import type { EnterPaperBatchBody, PaperBatch, RegisterEntry } from '../api/types';
import type { PaperApi } from '../shared/paper-votes/paper-api';
import type { PaperQuestion } from '../shared/paper-votes/paper-question';

export const ROUND_ID = 'c0000000-0000-7000-8000-000000000001';

export function paperQuestion(change: Partial<PaperQuestion> = {}): PaperQuestion {
  return {
    roundId: ROUND_ID,
    questionId: 'f0000000-0000-7000-8000-000000000001',
    text: 'Is the roof repaired?',
    type: 'SINGLE_CHOICE',
    options: ['Yes', 'No', 'Abstain'],
    ratingMax: null,
    maxChoices: null,
    election: null,
    secrecy: 'named',
    closesAt: null,
    sealing: null,
    weightKind: null,
    ...change,
  };
}

export function registered(name: string, change: Partial<RegisterEntry> = {}): RegisterEntry {
  const username = name.split(' ')[0]?.toLowerCase() ?? '';
  return {
    endUserId: `id-of-${username}`,
    name,
    username,
    weight: 1,
    secondWeight: null,
    hasVoted: false,
    holder: null,
    castOn: null,
    ...change,
  };
}

/** The register and the batches of one round, for several tellers. */
export class FakeTellers {
  people = [
    registered('Ada Ash'),
    registered('Ben Birch'),
    registered('Cleo Cedar'),
    registered('Dora Dogwood', { hasVoted: true, castOn: 'VOTING_PLACE' }),
    registered('Emil Elder', { weight: 2 }),
  ];
  batches: (PaperBatch & { by: string })[] = [];
  /** The bodies of entered batches, with repetitions. */
  entered: EnterPaperBatchBody[] = [];
  isAway = false;
  /** The next responses to batches are lost, after the server has stored them. */
  lost = 0;
  refusal: ApiError | null = null;

  #answer<T>(value: () => T): Promise<T> {
    if (this.isAway) {
      return Promise.reject(ApiError.unreachable());
    }
    if (this.refusal) {
      return Promise.reject(this.refusal);
    }
    try {
      return Promise.resolve(value());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #enter(body: EnterPaperBatchBody, by: string) {
    const known = this.batches.find(({ id }) => id === body.id);
    if (known) {
      return known;
    }
    const ids = body.people ?? body.ballots?.map(({ endUserId }) => endUserId) ?? [];
    const batch: PaperBatch & { by: string } = {
      id: body.id,
      number: this.batches.length + 1,
      state: 'WAITING',
      enteredAt: '2026-11-21T18:04:00Z',
      enteredBy: by,
      closedAt: null,
      closedBy: null,
      ballots: ids.length,
      counted: null,
      isOwn: true,
      people: ids.map((id) => ({
        endUserId: id,
        name: this.#person(id).name,
        username: this.#person(id).username,
        weight: this.#person(id).weight,
        answers: body.ballots?.find(({ endUserId }) => endUserId === id)?.answers ?? null,
        outcome: 'WAITING',
      })),
      counts: body.counts ?? [],
      by,
    };
    this.batches.push(batch);
    return batch;
  }

  #person(id: string): RegisterEntry {
    return this.people.find(({ endUserId }) => endUserId === id) ?? registered('Nobody');
  }

  #found(batchId: string, by: string) {
    const batch = this.batches.find(({ id }) => id === batchId);
    if (!batch) {
      throw new ApiError(404, { code: 'batch_not_found', error: 'The batch does not exist.' });
    }
    return { ...batch, isOwn: batch.by === by };
  }

  #close(batchId: string, by: string, state: 'CONFIRMED' | 'DISCARDED') {
    const batch = this.#found(batchId, by);
    if (batch.state !== 'WAITING') {
      throw new ApiError(409, { code: 'batch_closed', error: 'The batch is closed.' });
    }
    if (state === 'CONFIRMED' && batch.isOwn) {
      throw new ApiError(409, { code: 'second_teller_needed', error: 'Another teller has to confirm it.' });
    }
    const people = batch.people.map((person) => ({
      ...person,
      answers: null,
      outcome:
        state === 'DISCARDED'
          ? ('DISCARDED' as const)
          : this.#person(person.endUserId).hasVoted
            ? ('VOTED_BEFORE' as const)
            : ('COUNTED' as const),
    }));
    const counted = people.filter(({ outcome }) => outcome === 'COUNTED').length;
    const closed = {
      ...batch,
      state,
      closedAt: '2026-11-21T18:06:00Z',
      closedBy: by,
      counted: state === 'CONFIRMED' ? counted : null,
      people,
      counts: [],
    };
    this.batches = this.batches.map((one) => (one.id === batchId ? closed : one));
    this.people = this.people.map((person) =>
      people.some(({ endUserId, outcome }) => endUserId === person.endUserId && outcome === 'COUNTED')
        ? { ...person, hasVoted: true, castOn: 'PAPER' as const }
        : person,
    );
    return closed;
  }

  /** The API as one teller calls it. */
  api(by: string): PaperApi {
    return {
      search: (_roundId, search) =>
        this.#answer(() =>
          this.people.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())),
        ),
      batches: () => this.#answer(() => ({ data: this.batches.map(({ id }) => this.#found(id, by)) })),
      batch: (_roundId, batchId) => this.#answer(() => this.#found(batchId, by)),
      enter: async (_roundId, body) => {
        if (!this.isAway) {
          this.entered.push(body);
        }
        const batch = await this.#answer(() => this.#enter(body, by));
        if (this.lost > 0) {
          this.lost -= 1;
          throw ApiError.unreachable();
        }
        return batch;
      },
      confirm: (_roundId, batchId) => this.#answer(() => this.#close(batchId, by, 'CONFIRMED')),
      discard: (_roundId, batchId) => this.#answer(() => this.#close(batchId, by, 'DISCARDED')),
    };
  }
}
