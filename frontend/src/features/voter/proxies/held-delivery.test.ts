import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../api/api-error';
import {
  following,
  type HeldAnswer,
  type HeldBallot,
  type HeldBallots,
  HeldDelivery,
  type HeldPorts,
  PERHAPS_STORED,
  pending,
} from './held-delivery';

function ballots(count: number): HeldBallots {
  const people = Array.from(
    { length: count },
    (_, index): HeldBallot => ({
      for: `p${index}`,
      name: `Person ${index}`,
      answers: ['Yes'],
      envelope: null,
    }),
  );
  return { userId: 'u1', questionId: 'q1', roundId: 'r1', summary: '', ballots: people, outcomes: [] };
}

const stored = ({ for: id }: HeldBallot): HeldAnswer => ({
  for: id,
  code: null,
  error: null,
  vote: { receipt: null },
});

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

async function deliver(
  sent: HeldBallots,
  answer: (ballots: HeldBallot[], call: number) => HeldAnswer[] | Error,
) {
  const calls: string[][] = [];
  const states: [HeldBallots, boolean][] = [];
  const machine = new HeldDelivery({
    send: async (_, part) => {
      calls.push(part.map((ballot) => ballot.for));
      const answered = answer(part, calls.length);
      if (answered instanceof Error) {
        throw answered;
      }
      return answered;
    },
    onChange: (next, isDelayed) => states.push([next, isDelayed]),
  });
  machine.deliver(sent);
  await vi.advanceTimersByTimeAsync(60_000);
  machine.stop();
  return { calls, states, last: states.at(-1)?.[0] as HeldBallots };
}

function voted({ for: id }: HeldBallot): HeldAnswer {
  return { for: id, code: 'already_voted', error: 'x', vote: null };
}

describe('the delivery of a holder’s ballots', () => {
  it('sends at most a hundred at once, and each one until it has an outcome', async () => {
    const { calls, last } = await deliver(ballots(130), (part) => part.map(stored));
    expect(calls.map((call) => call.length)).toEqual([100, 30]);
    expect(pending(last)).toEqual([]);
    expect(last.outcomes).toHaveLength(130);
  });

  it('does not say that a ballot which the server seals is refused if its repeat is', async () => {
    const lostFirst = (part: HeldBallot[], call: number) =>
      call === 1 ? new TypeError('Failed to fetch') : part.map(voted);
    const codes = ({ outcomes }: HeldBallots) => outcomes.map(({ code }) => code);
    const secret = { ...ballots(1), isSecret: true };
    expect(codes((await deliver(secret, lostFirst)).last)).toEqual([PERHAPS_STORED]);
    // At the first attempt it is another vote, and so it is where the server can compare.
    expect(codes((await deliver(secret, (part) => part.map(voted))).last)).toEqual(['already_voted']);
    expect(codes((await deliver(ballots(1), lostFirst)).last)).toEqual(['already_voted']);
  });

  it('does not say that a kept ballot is refused if it may have been stored before a new sign-in', async () => {
    const states: HeldBallots[] = [];
    const machine = new HeldDelivery({
      send: async (_, part) => part.map(voted),
      onChange: (sent) => states.push(sent),
    });
    machine.deliver(ballots(2), true);
    await vi.waitFor(() =>
      expect(states.at(-1)?.outcomes.map(({ code }) => code)).toEqual([PERHAPS_STORED, PERHAPS_STORED]),
    );
  });

  it('sends the same ballots again after a lost response', async () => {
    const { calls, states, last } = await deliver(ballots(3), (part, call) =>
      call < 3 ? new TypeError('Failed to fetch') : part.map(stored),
    );
    expect(calls).toEqual([
      ['p0', 'p1', 'p2'],
      ['p0', 'p1', 'p2'],
      ['p0', 'p1', 'p2'],
    ]);
    expect(states.some(([, isDelayed]) => isDelayed)).toBe(true);
    expect(pending(last)).toEqual([]);
  });

  it('waits as long as the server asks, also when the connection comes back meanwhile', async () => {
    const send = vi.fn(async (_: HeldBallots, part: HeldBallot[]) => part.map(stored));
    send.mockRejectedValueOnce(new ApiError(503, { code: 'queue_full' }, 7));
    const machine = new HeldDelivery({ send, onChange: () => undefined });
    machine.deliver(ballots(1));
    await vi.advanceTimersByTimeAsync(0);
    machine.wake();
    await vi.advanceTimersByTimeAsync(6_900);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3_700);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('is repeated at once when the connection is back', async () => {
    const send = vi.fn(async (_: HeldBallots, part: HeldBallot[]) => part.map(stored));
    send.mockRejectedValueOnce(ApiError.unreachable());
    const machine = new HeldDelivery({ send, onChange: () => undefined });
    machine.deliver(ballots(1));
    await vi.advanceTimersByTimeAsync(0);
    machine.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('says after three seconds that there is no answer, and leaves a dead connection when it is back', async () => {
    const isDelayed = vi.fn();
    const send = vi.fn<HeldPorts['send']>(async (_, part) => part.map(stored));
    send.mockImplementationOnce(
      (_sent, _part, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(ApiError.unreachable()));
        }),
    );
    const machine = new HeldDelivery({ send, onChange: (_, isLate) => isDelayed(isLate) });
    machine.deliver(ballots(1));
    await vi.advanceTimersByTimeAsync(2_900);
    // The request may still be answered.
    machine.wake();
    expect(isDelayed).toHaveBeenLastCalledWith(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isDelayed).toHaveBeenLastCalledWith(true);
    expect(send).toHaveBeenCalledTimes(1);
    machine.wake();
    await vi.advanceTimersByTimeAsync(1_600);
    expect(send).toHaveBeenCalledTimes(2);
    expect(isDelayed).toHaveBeenLastCalledWith(false);
  });

  it('repeats only the ballots that the server was too busy for', async () => {
    const { calls, last } = await deliver(ballots(3), (part, call) =>
      part.map((ballot) =>
        call === 1 && ballot.for === 'p1'
          ? { ...stored(ballot), code: 'temporarily_unavailable', error: 'Busy.', vote: null }
          : stored(ballot),
      ),
    );
    expect(calls).toEqual([['p0', 'p1', 'p2'], ['p1']]);
    expect(last.outcomes.map(({ for: id }) => id)).toEqual(['p0', 'p2', 'p1']);
  });

  it('keeps the reason of each refusal', async () => {
    const refused = new ApiError(404, { code: 'question_not_found', error: 'Gone.' });
    const { last } = await deliver(ballots(2), () => refused);
    expect(pending(last)).toEqual([]);
    expect(last.outcomes.every(({ code }) => code !== null)).toBe(true);
  });
});

describe('the next ballots of a holder', () => {
  const outcome = (id: string) => ({ for: id, name: id, receipt: `${id} receipt`, code: null, error: null });

  it('have the outcomes of those before, and those that they were kept with', () => {
    const [first, second, third] = ballots(3).ballots as [HeldBallot, HeldBallot, HeldBallot];
    const earlier = { ...ballots(0), ballots: [first], outcomes: [outcome('p0')] };
    const kept = { ...ballots(0), ballots: [second, third], outcomes: [outcome('p1')] };
    const next = following(earlier, kept);
    expect(next.outcomes).toEqual([outcome('p0'), outcome('p1')]);
    expect(pending(next)).toEqual([third]);
  });

  it('have the newer outcome of a person alone', () => {
    const refused = { ...outcome('p0'), receipt: null, code: 'not_in_register', error: 'x' };
    const next = following(
      { ...ballots(1), outcomes: [refused] },
      { ...ballots(1), outcomes: [outcome('p0')] },
    );
    expect(next.outcomes).toEqual([outcome('p0')]);
  });
});
