import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../api/api-error';
import type { Ballot } from '../../../shared/ballot/ballot';
import { BallotDelivery, type Delivery, type DeliveryPorts } from './ballot-delivery';

const ballot: Ballot = {
  questionId: 'q1',
  roundId: 'r1',
  text: 'Shall the accounts be approved?',
  type: 'SINGLE_CHOICE',
  orderIndex: 1,
  answers: ['Yes'],
};
const stored = { answers: ['Yes'], castAt: '2026-11-21T13:00:01Z', receipt: null };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp(changes: Partial<DeliveryPorts> = {}) {
  const seen: Delivery[] = [];
  const send = vi.fn<DeliveryPorts['send']>(async () => stored);
  const find = vi.fn<DeliveryPorts['find']>(async () => null);
  const delivery = new BallotDelivery({
    send,
    find,
    onChange: (next) => seen.push(next),
    ...changes,
  });
  return { delivery, seen, now: () => seen.at(-1), send, find };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const refusal = (status: number, code: string, fields?: Record<string, string[]>) =>
  new ApiError(status, { error: `refused: ${code}`, code, ...(fields ? { fields } : {}) });

describe('a ballot on its way', () => {
  it('is stored only when the server said so', async () => {
    let answer: (vote: typeof stored) => void = () => undefined;
    const { delivery, now } = setUp({ send: () => new Promise((resolve) => (answer = resolve)) });
    delivery.deliver(ballot);
    await settle();
    expect(now()).toEqual({ state: 'sending', ballot, isDelayed: false });
    answer(stored);
    await settle();
    expect(now()).toEqual({ state: 'stored', ballot, castAt: stored.castAt, receipt: null });
  });

  it.each([
    ['no answer', ApiError.unreachable()],
    ['a busy server', new ApiError(503, { code: 'busy' })],
    ['a broken gateway', new ApiError(502, {})],
    ['a request for which the server did not wait', new ApiError(408, {})],
    ['an aborted request', new DOMException('aborted', 'AbortError')],
  ])('is repeated with the same content after %s', async (_, failure) => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(failure);
    delivery.deliver(ballot);
    await settle();
    expect(now()).toEqual({ state: 'sending', ballot, isDelayed: true });
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()?.state).toBe('stored');
    expect(send.mock.calls.map(([sent]) => sent)).toEqual([ballot, ballot]);
  });

  it('is repeated until the server answers, however long that takes', async () => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValue(ApiError.unreachable());
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(now()).toMatchObject({ state: 'sending', isDelayed: true });
    expect(send.mock.calls.length).toBeGreaterThan(60);
    send.mockResolvedValue(stored);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(now()?.state).toBe('stored');
  });

  it('waits as long as the server asks, also when the connection comes back meanwhile', async () => {
    const { delivery, send } = setUp();
    send.mockRejectedValueOnce(new ApiError(503, { code: 'queue_full' }, 7));
    delivery.deliver(ballot);
    await settle();
    delivery.wake();
    await vi.advanceTimersByTimeAsync(6_900);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3_700);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('is repeated at once when the connection is back', async () => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable());
    delivery.deliver(ballot);
    await settle();
    delivery.wake();
    await settle();
    expect(now()?.state).toBe('stored');
  });

  it('gives up waiting for an answer that never comes, and asks again', async () => {
    const { delivery, send } = setUp();
    send.mockImplementationOnce(
      (_, signal) =>
        new Promise((__, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }),
    );
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('is not joined by a second one', async () => {
    const { delivery, send } = setUp();
    send.mockReturnValueOnce(new Promise(() => undefined));
    expect(delivery.deliver(ballot)).toBe(true);
    expect(delivery.deliver({ ...ballot, questionId: 'q2' })).toBe(false);
    await settle();
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('a refused ballot', () => {
  it.each([
    [409, 'already_voted'],
    [409, 'round_not_open'],
    [409, 'round_over'],
    [403, 'not_in_register'],
  ] as const)('says why (%i %s), and is not repeated', async (status, code) => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(refusal(status, code));
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(now()).toMatchObject({ state: 'refused', refusal: code });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('for another vote says what that is', async () => {
    const { delivery, now, send, find } = setUp();
    const other = { answers: ['No'], castAt: '2026-11-21T13:00:00Z', receipt: null };
    send.mockRejectedValueOnce(refusal(409, 'already_voted'));
    find.mockResolvedValueOnce(other);
    delivery.deliver(ballot);
    await settle();
    expect(now()).toMatchObject({ state: 'refused', refusal: 'already_voted', counted: other });
  });

  it('for another vote that cannot be asked for is refused all the same', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(refusal(409, 'already_voted'));
    find.mockRejectedValueOnce(ApiError.unreachable());
    delivery.deliver(ballot);
    await settle();
    expect(now()).toMatchObject({ state: 'refused', refusal: 'already_voted', counted: null });
  });

  it('carries the message of the field', async () => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(refusal(422, 'invalid_ballot', { answers: ['at most 2 options'] }));
    delivery.deliver(ballot);
    await settle();
    expect(now()).toMatchObject({ refusal: 'invalid_ballot', message: 'at most 2 options' });
  });

  it('counts as refused for any other reason as well', async () => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(refusal(404, 'question_not_found'));
    delivery.deliver(ballot);
    await settle();
    expect(now()).toMatchObject({ refusal: 'other', message: 'refused: question_not_found' });
  });
});

describe('after a lost answer', () => {
  it('finds out that the first try was stored, though the round has closed since', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable()).mockRejectedValueOnce(refusal(409, 'round_not_open'));
    find.mockResolvedValueOnce(stored);
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toEqual({ state: 'stored', ballot, castAt: stored.castAt, receipt: null });
  });

  it('finds out that nothing was stored', async () => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable()).mockRejectedValueOnce(refusal(409, 'round_not_open'));
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ state: 'refused', refusal: 'round_not_open' });
  });

  it('claims nothing while it cannot find out', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable()).mockRejectedValue(refusal(409, 'round_not_open'));
    find.mockRejectedValueOnce(ApiError.unreachable());
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ state: 'sending', isDelayed: true });
    await vi.advanceTimersByTimeAsync(3_100);
    expect(now()?.state).toBe('refused');
  });

  it('claims nothing of a repeat in another session, which is always refused', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValue(refusal(409, 'already_voted'));
    find.mockRejectedValueOnce(ApiError.unreachable()).mockResolvedValueOnce({ ...stored, answers: [] });
    delivery.deliver(ballot, { isResumed: true });
    await settle();
    expect(now()).toMatchObject({ state: 'sending', isDelayed: true });
    await vi.advanceTimersByTimeAsync(3_100);
    expect(now()).toMatchObject({ state: 'refused', counted: { castAt: stored.castAt } });
  });

  it('does not say that nothing was stored while another device\u2019s vote holds', async () => {
    const { delivery, now, send, find } = setUp();
    const other = { answers: ['No'], castAt: '2026-11-21T13:00:00Z', receipt: null };
    send.mockRejectedValueOnce(refusal(409, 'round_not_open'));
    find.mockResolvedValueOnce(other);
    delivery.deliver(ballot);
    await settle();
    expect(now()).toMatchObject({ state: 'refused', refusal: 'already_voted', counted: other });
  });

  it('leaves it to the server whether its round is over', async () => {
    const { delivery, now, send } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable()).mockRejectedValueOnce(refusal(409, 'round_over'));
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ state: 'refused', refusal: 'round_over' });
    expect(send.mock.calls.map(([{ roundId }]) => roundId)).toEqual(['r1', 'r1']);
  });
});

describe('a ballot that the server seals', () => {
  const unsealed: Ballot = { ...ballot, sealed: { envelope: null, receipt: null } };
  const inUrn = { answers: [], castAt: null, receipt: 'ABCD-EFGH-JKLM-NPQR' };

  it('is stored if its repeat is refused after a lost answer', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable());
    send.mockRejectedValueOnce(refusal(409, 'already_voted'));
    find.mockResolvedValueOnce(inUrn);
    delivery.deliver(unsealed);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ state: 'stored', receipt: inUrn.receipt });
  });

  it('is not said to be refused while its receipt cannot be asked for', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable());
    send.mockRejectedValue(refusal(409, 'already_voted'));
    find.mockRejectedValueOnce(ApiError.unreachable()).mockResolvedValueOnce(inUrn);
    delivery.deliver(unsealed);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ state: 'sending', isDelayed: true });
    await vi.advanceTimersByTimeAsync(3_100);
    expect(now()).toMatchObject({ state: 'stored', receipt: inUrn.receipt });
  });

  it('is refused at its first attempt if there is another vote', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(refusal(409, 'already_voted'));
    find.mockResolvedValueOnce(inUrn);
    delivery.deliver(unsealed);
    await settle();
    expect(now()).toMatchObject({ state: 'refused', refusal: 'already_voted' });
  });
});

describe('a ballot without an answer for long', () => {
  const never: DeliveryPorts['send'] = (_, signal) =>
    new Promise((__, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });

  it('is said to be not delivered yet before the request is given up', async () => {
    const { delivery, now, send } = setUp();
    send.mockImplementationOnce(never);
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(now()).toMatchObject({ state: 'sending', isDelayed: false });
    await vi.advanceTimersByTimeAsync(200);
    expect(now()).toMatchObject({ state: 'sending', isDelayed: true });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('is sent anew at once when the connection is back', async () => {
    const { delivery, now, send } = setUp();
    send.mockImplementationOnce(never);
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(3_100);
    delivery.wake();
    await vi.advanceTimersByTimeAsync(1_600);
    expect(send).toHaveBeenCalledTimes(2);
    expect(now()?.state).toBe('stored');
  });

  it('that is on its way for a moment only is not sent twice when the connection is back', async () => {
    const { delivery, send } = setUp();
    send.mockImplementationOnce(never);
    delivery.deliver(ballot);
    await vi.advanceTimersByTimeAsync(1_000);
    delivery.wake();
    await settle();
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('can be set aside, and gives way to the next one', async () => {
    const { delivery, now, send, seen } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable());
    delivery.deliver(ballot);
    await settle();
    delivery.setAside();
    expect(now()).toEqual({ state: 'setAside', ballot });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).toHaveBeenCalledTimes(1);
    const next = { ...ballot, questionId: 'q2', roundId: 'r2' };
    delivery.deliver(next);
    await settle();
    expect(now()).toMatchObject({ state: 'stored', ballot: next });
    expect(seen.filter(({ state }) => state === 'stored')).toHaveLength(1);
  });
});

describe('the ballot of an election', () => {
  const election: Ballot = {
    ...ballot,
    type: 'ELECTION',
    answers: ['1:3', '2:1'],
    shown: ['1. Imani Okoye', '2. Nadia Brandt'],
  };
  const inWords = { ...stored, answers: ['1. Imani Okoye', '2. Nadia Brandt'] };

  it('is known again by its words after a lost response', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(ApiError.unreachable());
    send.mockRejectedValueOnce(refusal(409, 'already_voted'));
    find.mockResolvedValue(inWords);
    delivery.deliver(election);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ state: 'stored', ballot: { answers: ['1:3', '2:1'] } });
  });

  it('is another one if the stored one has other words', async () => {
    const { delivery, now, send, find } = setUp();
    send.mockRejectedValueOnce(refusal(409, 'already_voted'));
    find.mockResolvedValue({ ...stored, answers: ['Abstain'] });
    delivery.deliver(election);
    await settle();
    expect(now()).toMatchObject({ state: 'refused', refusal: 'already_voted' });
  });

  it('is shown in the words of the server once it is stored', async () => {
    const { delivery, now, send } = setUp();
    send.mockResolvedValue({ ...stored, answers: ['1. Imani O.', '2. Nadia B.'] });
    delivery.deliver(election);
    await settle();
    expect(now()).toMatchObject({
      state: 'stored',
      ballot: { answers: ['1:3', '2:1'], shown: ['1. Imani O.', '2. Nadia B.'] },
    });
  });
});
