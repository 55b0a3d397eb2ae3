import { delay, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeIndexedDb } from '../../test/fake-indexed-db';
import { http, server } from '../../test/server';
import { deskApi } from './desk-api';
import { DeskEngine } from './desk-engine';
import type { DeskPerson } from './desk-record';

const ADA = '019a9d5e-0000-7000-8000-000000000003';
const serverTime = '2026-11-21T17:04:00Z';

const TOKEN = 'desk_for-a-test-of-the-network';
const LIST = TOKEN.slice(-12);

let engine: DeskEngine;

/** The ids of the entries of each request that reached the server. */
let received: string[][];

function answer() {
  received = [];
  const ada = {
    id: ADA,
    name: 'Ada Ash',
    username: 'a-17',
    weight: 1,
    mayVote: true,
    groups: [],
    proxies: 0,
    holders: [],
    present: null,
  };
  server.use(
    http.get('/desk', ({ response }) =>
      response(200).json({
        desk: 'Desk 1',
        purpose: 'CHECK_IN',
        meetingId: 'd0000000-0000-7000-8000-000000000001',
        meetingTitle: 'General assembly',
        organization: 'Rowing Club',
        status: 'ACTIVE',
        checkIn: 'ON',
        weightKind: null,
        present: 0,
        eligible: 1,
        lastEntry: 0,
        serverTime,
      }),
    ),
    http.get('/desk/people', ({ response }) =>
      response(200).json({ success: true, data: [ada], next: null }),
    ),
    http.get('/desk/entries', ({ response }) => response(200).json({ success: true, data: [], serverTime })),
    http.post('/desk/entries', async ({ request, response }) => {
      const { entries } = await request.json();
      received.push(entries.map(({ id }) => id));
      return response(200).json({ success: true, data: [], serverTime });
    }),
  );
}

/** Lets requests without a response pile up, as on a network that lost its connection. Returns these requests. */
function stall(): Request[] {
  const stalled: Request[] = [];
  server.use(
    http.untyped.all('*/api/desk/*', async ({ request }) => {
      stalled.push(request);
      await delay('infinite');
      return undefined as never;
    }),
  );
  return stalled;
}

function noteAda() {
  engine.note(engine.snapshot().people.get(ADA) as DeskPerson, 'IN');
}

beforeEach(async () => {
  answer();
  engine = new DeskEngine(TOKEN, deskApi(TOKEN));
  await engine.start();
});

afterEach(() => {
  engine.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('on a stalled network, a desk', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  it('says after ten seconds that there is no network, and sends what waits once there is one', async () => {
    const stalled = stall();
    noteAda();
    await vi.waitFor(() => expect(stalled).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(engine.snapshot().connection).toBe('online');
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    const ids = engine.snapshot().waiting.map(({ id }) => id);
    expect(ids).toHaveLength(1);

    server.resetHandlers();
    answer();
    await vi.advanceTimersByTimeAsync(2_000);
    await vi.waitFor(() => expect(engine.snapshot().waiting).toEqual([]));
    expect(received).toEqual([ids]);
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('online'));
  });

  it('sends again at once when the network is back, without waiting for the lost response', async () => {
    const stalled = stall();
    noteAda();
    await vi.waitFor(() => expect(stalled).toHaveLength(1));
    server.resetHandlers();
    answer();
    globalThis.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(stalled[0]?.signal.aborted).toBe(true);
    await vi.waitFor(() => expect(engine.snapshot().waiting).toEqual([]));
    expect(engine.snapshot().connection).toBe('online');
  });
});

describe('a refusal', () => {
  function refuse(refusal: () => Response) {
    server.use(http.untyped.all('*/api/desk/*', refusal));
  }

  it.each([401, 403])('of a Wi-Fi with the status %i leaves the desk its list', async (status) => {
    refuse(() => HttpResponse.html('<h1>Accept the terms of this Wi-Fi</h1>', { status }));
    noteAda();
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    expect(engine.snapshot().people.has(ADA)).toBe(true);
    expect(engine.snapshot().waiting).toHaveLength(1);
  });

  it.each([
    { status: 401, code: 'desk_ended' },
    { status: 403, code: 'invalid_token' },
  ])('of the server with $code ends the desk', async ({ status, code }) => {
    refuse(() => HttpResponse.json({ error: 'This link no longer works.', code }, { status }));
    noteAda();
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('ended'));
    expect(engine.snapshot().ending).toBe('This link no longer works.');
    expect(engine.snapshot().people.size).toBe(0);
  });
});

describe('the list on the device', () => {
  let database: FakeIndexedDb;

  /** The page after a reload. */
  async function reload() {
    engine.stop();
    engine = new DeskEngine(TOKEN, deskApi(TOKEN));
    await engine.start();
  }

  beforeEach(async () => {
    database = new FakeIndexedDb();
    vi.stubGlobal('indexedDB', database);
    await reload();
    await vi.waitFor(() => expect(database.written).toContain(LIST));
  });

  it('is written again only if it changed, and no connection stays open', async () => {
    const lists = () => database.written.filter((key) => key === LIST).length;
    // With a part of the list, which has not changed either.
    for (let round = 0; round < 4; round += 1) {
      await engine.sync();
    }
    await vi.waitFor(() => expect(database.connections).toBe(0));
    expect(lists()).toBe(1);

    const entry = { endUserId: ADA, name: 'Ada Ash', username: 'a-17', kind: 'IN', role: 'DESK' } as const;
    const stored = { ...entry, id: 'e1', number: 1, at: serverTime, notedAt: serverTime, by: 'Desk 2' };
    server.use(
      http.get('/desk/entries', ({ response }) =>
        response(200).json({ success: true, data: [stored], serverTime }),
      ),
    );
    await engine.sync();
    await engine.sync();
    await vi.waitFor(() => expect(database.connections).toBe(0));
    expect(lists()).toBe(2);
    expect(database.records.get(LIST)).toMatchObject({
      lastEntry: 1,
      people: [{ present: { by: 'Desk 2' } }],
    });
  });

  it('is shown after a reload without a network, with the time of the last response', async () => {
    const later = '2026-11-21T17:24:00Z';
    server.use(
      http.get('/desk/entries', ({ response }) =>
        response(200).json({ success: true, data: [], serverTime: later }),
      ),
    );
    await engine.sync();
    await vi.waitFor(() => expect(database.connections).toBe(0));
    server.use(http.untyped.all('*/api/desk', () => HttpResponse.error()));
    await reload();
    expect(engine.snapshot()).toMatchObject({
      connection: 'offline',
      contactAt: later,
      meeting: { desk: 'Desk 1', meetingTitle: 'General assembly', organization: 'Rowing Club' },
    });
    expect(engine.snapshot().people.get(ADA)?.name).toBe('Ada Ash');
  });

  it('is deleted when the link ends', async () => {
    const refusal = { error: 'This link no longer works.', code: 'desk_ended' };
    server.use(http.untyped.all('*/api/desk/*', () => HttpResponse.json(refusal, { status: 401 })));
    await engine.sync();
    expect(engine.snapshot().connection).toBe('ended');
    expect(database.records.size).toBe(0);
  });

  it('is loaded again if the browser refuses to read it', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new Error('The database is damaged.');
      },
    });
    await reload();
    expect(engine.snapshot().connection).toBe('online');
    expect(engine.snapshot().people.has(ADA)).toBe(true);
  });
});
