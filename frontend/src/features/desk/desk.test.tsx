import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error';
import { randomUuid } from '../../api/random-uuid';
import { checkInCode } from '../../shared/join-links/check-in-code';
import { renderPart } from '../../test/render-part';
import type { Attendee, DeskApi, DeskMeeting, PresenceEntry, SentEntry } from './desk-api';
import { DeskEngine } from './desk-engine';
import { type DeskPerson, found, personInCode, personOf } from './desk-record';
import { queueKey, readQueue } from './desk-storage';
import { DeskWork } from './desk-work';

const TOKEN = 'desk_for-a-test-of-the-desk';
const ADA = '019a9d5e-0000-7000-8000-000000000003';
const BEN = '019a9d5e-0000-7000-8000-000000000004';

function attendee(id: string, name: string, username: string): Attendee {
  return {
    id,
    name,
    username,
    weight: 2.5,
    mayVote: true,
    groups: [],
    proxies: 0,
    holders: [],
    present: null,
  };
}

/** A server with a log, which can be away. */
class FakeServer {
  isAway = false;
  refusal: ApiError | null = null;
  weightKind: DeskMeeting['weightKind'] = null;
  log: PresenceEntry[] = [];
  /** The bodies of the requests that stored entries. */
  sent: { entries: SentEntry[]; contactAt: string | null }[] = [];
  people = [attendee(ADA, 'Ada Ash', 'a-17'), attendee(BEN, 'Ben Birch', 'b-18')];

  comes(endUserId: string, by: string, entry: Partial<PresenceEntry> = {}): PresenceEntry {
    const person = this.people.find(({ id }) => id === endUserId);
    const stored: PresenceEntry = {
      id: randomUuid(),
      number: this.log.length + 1,
      endUserId,
      name: person?.name ?? '',
      username: person?.username ?? '',
      kind: 'IN',
      at: '2026-11-21T17:04:00Z',
      notedAt: '2026-11-21T17:04:00Z',
      role: 'DESK',
      by,
      ...entry,
    };
    this.log.push(stored);
    return stored;
  }

  #answer<T>(value: T): Promise<T> {
    if (this.refusal) {
      return Promise.reject(this.refusal);
    }
    return this.isAway ? Promise.reject(ApiError.unreachable()) : Promise.resolve(value);
  }

  #store({ id, endUserId, kind, at }: SentEntry) {
    const known = this.log.find((entry) => entry.id === id);
    if (known) {
      return { id, answer: { outcome: 'REPEATED' as const, entry: known }, refusal: null };
    }
    const last = this.log.filter((entry) => entry.endUserId === endUserId).at(-1);
    if (kind === 'IN' && last?.kind === 'IN') {
      return { id, answer: { outcome: 'ALREADY_IN' as const, entry: last }, refusal: null };
    }
    const entry = this.comes(endUserId, 'Desk 1', { id, kind, at: at ?? new Date().toISOString() });
    return { id, answer: { outcome: 'NOTED' as const, entry }, refusal: null };
  }

  api(): DeskApi {
    const serverTime = () => new Date().toISOString();
    return {
      meeting: () =>
        this.#answer({
          desk: 'Desk 1',
          purpose: 'CHECK_IN',
          meetingId: 'm1',
          meetingTitle: 'General assembly',
          organization: 'Rowing Club',
          status: 'ACTIVE',
          checkIn: 'ON',
          weightKind: this.weightKind,
          present: 0,
          eligible: 2,
          lastEntry: 0,
          serverTime: serverTime(),
        }),
      people: () => this.#answer({ success: true, data: this.people, next: null }),
      entriesAfter: (after) =>
        this.#answer({
          success: true,
          data: this.log.filter(({ number }) => number > after),
          serverTime: serverTime(),
        }),
      send: async (body) => {
        const { entries } = body;
        await this.#answer(null);
        this.sent.push(body);
        return { success: true, data: entries.map((entry) => this.#store(entry)), serverTime: serverTime() };
      },
    };
  }
}

let engine: DeskEngine;
let server: FakeServer;

function Page() {
  const desk = useSyncExternalStore(engine.subscribe, engine.snapshot);
  return <DeskWork desk={desk} engine={engine} />;
}

async function openDesk() {
  engine = new DeskEngine(TOKEN, server.api());
  await engine.start();
  renderPart(<Page />);
  return { user: userEvent.setup(), search: screen.getByLabelText('Name, member number or group') };
}

/** A camera before which these codes are held, one set after another. Returns how often it looked. */
function showToCamera(held: string[][]): () => number {
  let looks = 0;
  class FakeDetector {
    static getSupportedFormats = async () => ['qr_code'];
    detect = async () => (held[looks++ % held.length] ?? []).map((rawValue) => ({ rawValue }));
  }
  vi.stubGlobal('BarcodeDetector', FakeDetector);
  const getUserMedia = async () => ({ getTracks: () => [] });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  return () => looks;
}

beforeEach(() => {
  server = new FakeServer();
});

afterEach(() => {
  engine.stop();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

describe('a desk', () => {
  it('checks the first person found in with Enter, and the next search begins', async () => {
    const { user, search } = await openDesk();
    await user.type(search, 'ash{Enter}');
    await waitFor(() => expect(server.log).toHaveLength(1));
    expect(server.log[0]).toMatchObject({ endUserId: ADA, kind: 'IN' });
    expect(screen.getByText(/is checked in\./)).toHaveTextContent('Ada Ash is checked in. Weight 2.5.');
    expect(search).toHaveValue('');
    expect(search).toHaveFocus();
    expect(screen.getByText(/here$/)).toHaveTextContent('1 of 2 here');
  });

  it('says where and since when somebody is in, and checks out by the button alone', async () => {
    server.comes(BEN, 'Desk 2');
    const { user, search } = await openDesk();
    await user.type(search, 'b-18');
    const row = screen.getByRole('listitem');
    expect(within(row).getByText(/^In since .*, Desk 2$/)).toBeVisible();
    await user.type(search, '{Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('Ben Birch is in already');
    expect(server.log).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Check out Ben Birch' }));
    await waitFor(() => expect(server.log.at(-1)).toMatchObject({ endUserId: BEN, kind: 'OUT' }));
  });

  it('keeps what is entered without a network, through a reload, and sends it later once', async () => {
    const { user, search } = await openDesk();
    server.isAway = true;
    await user.type(search, 'ada{Enter}');
    await user.type(search, 'birch{Enter}');
    await waitFor(() => expect(screen.getByText(/^No network/)).toHaveTextContent('2 entries are kept'));
    expect(readQueue(TOKEN)).toHaveLength(2);
    engine.stop();

    const reloaded = new DeskEngine(TOKEN, server.api());
    expect(reloaded.snapshot().waiting).toHaveLength(2);
    // Another desk was faster with Ada.
    server.comes(ADA, 'Desk 2');
    server.isAway = false;
    await reloaded.start();
    reloaded.stop();
    expect(server.log.filter(({ endUserId }) => endUserId === ADA)).toHaveLength(1);
    expect(server.log.filter(({ endUserId }) => endUserId === BEN)).toHaveLength(1);
    expect(readQueue(TOKEN)).toEqual([]);
    const conflicts = reloaded.snapshot().conflicts.map(({ text }) => text);
    expect(conflicts).toEqual([
      expect.stringMatching(/^Ada Ash was checked in at Desk 2 at \d\d:\d\d as well\.$/),
    ]);
  });

  it('sends each part of a long queue with the contact before its entries, also after a reload', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T17:00:00Z') });
    engine = new DeskEngine(TOKEN, server.api());
    await engine.start();
    server.isAway = true;
    const ada = engine.snapshot().people.get(ADA) as DeskPerson;
    for (let entry = 0; entry < 60; entry += 1) {
      vi.setSystemTime(Date.parse('2026-11-21T17:05:00Z') + entry * 1_000);
      engine.note(ada, entry % 2 === 0 ? 'IN' : 'OUT');
    }
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    engine.stop();

    vi.setSystemTime(new Date('2026-11-21T17:20:00Z'));
    server.isAway = false;
    engine = new DeskEngine(TOKEN, server.api());
    await engine.start();
    expect(server.sent.map(({ entries, contactAt }) => [entries.length, contactAt])).toEqual([
      [50, '2026-11-21T17:00:00.000Z'],
      [10, '2026-11-21T17:00:00.000Z'],
    ]);
    expect(server.sent[1]?.entries.at(-1)?.at).toBe('2026-11-21T17:05:59.000Z');
    expect(readQueue(TOKEN)).toEqual([]);

    server.isAway = true;
    engine.note(ada, 'IN');
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    server.isAway = false;
    await engine.sync();
    expect(server.sent[2]?.contactAt).toBe('2026-11-21T17:20:00.000Z');
  });

  it('sends apart what was entered before and after a contact', async () => {
    engine = new DeskEngine(TOKEN, server.api());
    await engine.start();
    const before = engine.snapshot().contactAt;
    const kept = { endUserId: ADA, name: 'Ada Ash', kind: 'IN', at: '2026-11-21T17:05:00Z' };
    engine.stop();
    localStorage.setItem(
      `plenum.desk.queue.${TOKEN.slice(-12)}`,
      // The first two as an older version kept them.
      JSON.stringify([
        { ...kept, id: randomUuid() },
        { ...kept, id: randomUuid(), kind: 'OUT' },
        { ...kept, id: randomUuid(), contactAt: before },
      ]),
    );
    engine = new DeskEngine(TOKEN, server.api());
    await engine.start();
    expect(server.sent.map(({ entries, contactAt }) => [entries.length, contactAt])).toEqual([
      [2, null],
      [1, before],
    ]);
  });

  it('closes when its link is revoked, and forgets the names', async () => {
    const { user, search } = await openDesk();
    server.refusal = new ApiError(401, {
      error: 'The link of this desk no longer works.',
      code: 'desk_ended',
    });
    await user.type(search, 'ada{Enter}');
    await waitFor(() => expect(engine.snapshot().connection).toBe('ended'));
    expect(engine.snapshot().people.size).toBe(0);
  });

  it('says to whom a person gave a proxy, which rests while they are here, and who has no vote', async () => {
    server.people = [
      { ...attendee(ADA, 'Ada Ash', 'a-17'), holders: ['Ben Birch'] },
      { ...attendee(BEN, 'Ben Birch', 'b-18'), mayVote: false, weight: 0, proxies: 1 },
    ];
    const { user, search } = await openDesk();
    await user.type(search, 'a-17');
    expect(await screen.findByText('Gave a proxy to Ben Birch')).toBeVisible();
    await user.type(search, '{Enter}');
    const rests =
      'Ada Ash is checked in. Weight 2.5. Gave a proxy to Ben Birch. It rests while Ada Ash is here.';
    expect(await screen.findByText(rests)).toBeVisible();
    await user.type(search, 'b-18');
    expect(await screen.findByText('b-18, no vote of their own')).toBeVisible();
  });

  it('says the groups of a person, and how many proxies the person holds', async () => {
    server.people = [{ ...attendee(ADA, 'Ada Ash', 'a-17'), groups: ['Members', 'Units'], proxies: 2 }];
    const { user, search } = await openDesk();
    await user.type(search, 'units');
    expect(await screen.findByText('a-17, weight 2.5, Members, Units')).toBeVisible();
    expect(screen.getByText('Holds 2 proxies')).toBeVisible();
  });

  it('names the kind of weight that the meeting counts', async () => {
    server.weightKind = { id: 'w1', name: 'Floor area', unit: 'm²', decimals: 2 };
    const { user, search } = await openDesk();
    await user.type(search, 'ada');
    expect(await screen.findByText('a-17, Floor area 2.5 m²')).toBeVisible();
    await user.type(search, '{Enter}');
    expect(await screen.findByText('Ada Ash is checked in. Floor area 2.5 m².')).toBeVisible();
  });

  it('learns of new proxies and groups while it is open, and of people who may no longer vote', async () => {
    await openDesk();
    const [ada, ben] = server.people as [Attendee, Attendee];
    server.comes(BEN, 'Desk 2');
    await engine.sync();
    server.people = [{ ...ada, groups: ['Units'], proxies: 3 }];
    for (let round = 0; round < 3; round += 1) {
      await engine.sync();
    }
    expect(engine.snapshot().people.get(ADA)).toMatchObject({ groups: ['Units'], proxies: 3 });
    // Ben is in, so he can still be checked out.
    expect(engine.snapshot().people.has(BEN)).toBe(true);
    server.comes(BEN, 'Desk 2', { kind: 'OUT' });
    for (let round = 0; round < 3; round += 1) {
      await engine.sync();
    }
    expect(engine.snapshot().people.has(BEN)).toBe(false);
    server.people = [ada, ben];
    for (let round = 0; round < 3; round += 1) {
      await engine.sync();
    }
    expect(engine.snapshot().people.get(ADA)).toMatchObject({ groups: [], proxies: 0 });
    expect(engine.snapshot().people.has(BEN)).toBe(true);
  });

  it('says after a scan what the person holds, and of somebody who was in since when and where', async () => {
    server.people = [{ ...attendee(ADA, 'Ada Ash', 'a-17'), proxies: 2 }, attendee(BEN, 'Ben Birch', 'b-18')];
    server.comes(BEN, 'Desk 2');
    const { user, search } = await openDesk();
    await user.type(search, `${checkInCode(ADA)}{Enter}`);
    expect(await screen.findByText('Ada Ash is checked in. Weight 2.5. Holds 2 proxies.')).toBeVisible();
    await user.type(search, `${checkInCode(BEN)}{Enter}`);
    expect(screen.getByText(/^Ben Birch is checked out\./)).toHaveTextContent(
      /^Ben Birch is checked out\. They had been in since \d\d:\d\d, Desk 2\. Weight 2\.5\.$/,
    );
    await waitFor(() => expect(server.log.at(-1)).toMatchObject({ endUserId: BEN, kind: 'OUT' }));
  });

  it('says of a person whose check-in is not sent yet since when they were in', async () => {
    const { user, search } = await openDesk();
    server.isAway = true;
    await user.type(search, 'ash{Enter}');
    await user.type(search, `${checkInCode(ADA)}{Enter}`);
    expect(screen.getByText(/^Ada Ash is checked out\./)).toHaveTextContent(
      /They had been in since \d\d:\d\d, not sent yet\./,
    );
  });

  it('checks a person in once whose slip shows two codes to the camera', async () => {
    const looks = showToCamera([
      ['https://vote.example/join#secret', checkInCode(ADA)],
      ['https://vote.example/join#secret'],
      [checkInCode(ADA)],
    ]);
    const { user } = await openDesk();
    await user.click(screen.getByRole('button', { name: 'Scan codes' }));
    await waitFor(() => expect(looks()).toBeGreaterThan(8), { timeout: 10_000 });
    await waitFor(() => expect(server.log).toHaveLength(1));
    expect(server.log[0]).toMatchObject({ endUserId: ADA, kind: 'IN' });
    expect(screen.getByText(/is checked in\./)).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('reads a check-in code that a reader of codes types', async () => {
    const { user, search } = await openDesk();
    await user.type(search, `${checkInCode(ADA)}{Enter}`);
    await waitFor(() => expect(server.log.at(-1)).toMatchObject({ endUserId: ADA, kind: 'IN' }));
  });
});

describe('two tabs with the link of one desk', () => {
  /** The other tab, whose network is that of its server. */
  let other: DeskEngine;
  let network: FakeServer;

  const person = (id: string) => engine.snapshot().people.get(id) as DeskPerson;
  const idsOf = (entries: readonly { endUserId: string }[]) => entries.map(({ endUserId }) => endUserId);
  /** The queue as the tabs were told of it last. */
  let told: string | null;

  /** The browser does so in the other tabs. */
  function tellTabs() {
    const key = queueKey(TOKEN);
    const [oldValue, newValue] = [told, localStorage.getItem(key)];
    told = newValue;
    globalThis.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }));
  }

  beforeEach(async () => {
    told = null;
    engine = new DeskEngine(TOKEN, server.api());
    await engine.start();
    network = new FakeServer();
    other = new DeskEngine(TOKEN, network.api());
    await other.start();
    network.isAway = true;
  });

  afterEach(() => other.stop());

  it('lose nothing that one noted before it was closed', async () => {
    server.isAway = true;
    other.note(person(ADA), 'IN');
    other.stop();
    engine.note(person(BEN), 'IN');
    expect(idsOf(readQueue(TOKEN))).toEqual([ADA, BEN]);
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    server.isAway = false;
    await engine.sync();
    expect(idsOf(server.log)).toEqual([ADA, BEN]);
    expect(readQueue(TOKEN)).toEqual([]);
  });

  it('remove only what is sent: an entry that is noted meanwhile in the other tab stays, and is sent', async () => {
    const send = vi.spyOn(server, 'comes').mockImplementationOnce((...entry) => {
      other.note(person(BEN), 'IN');
      other.stop();
      return server.comes(...entry);
    });
    engine.note(person(ADA), 'IN');
    await vi.waitFor(() => expect(engine.snapshot().waiting).toEqual([]));
    await engine.sync();
    await vi.waitFor(() => expect(idsOf(server.log)).toEqual([ADA, BEN]));
    expect(send).toHaveBeenCalled();
    expect(readQueue(TOKEN)).toEqual([]);
  });

  it('show what the other one noted, until it is sent', async () => {
    server.isAway = true;
    engine.note(person(ADA), 'IN');
    tellTabs();
    expect(idsOf(other.snapshot().waiting)).toEqual([ADA]);
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    server.isAway = false;
    await engine.sync();
    tellTabs();
    expect(other.snapshot().waiting).toEqual([]);
  });

  it('both show what the server said of an entry that the reloaded one had noted', async () => {
    other.note(person(ADA), 'IN');
    await vi.waitFor(() => expect(other.snapshot().connection).toBe('offline'));
    other.stop();
    other = new DeskEngine(TOKEN, network.api());
    await other.start();
    for (const tab of [server, network]) {
      tab.comes(ADA, 'Desk 2');
    }
    await engine.sync();
    tellTabs();
    network.isAway = false;
    await other.sync();
    for (const tab of [engine, other]) {
      const texts = tab.snapshot().conflicts.map(({ text }) => text);
      expect(texts).toEqual([expect.stringMatching(/^Ada Ash was checked in at Desk 2 at/)]);
      expect(tab.snapshot().waiting).toEqual([]);
    }
    expect(readQueue(TOKEN)).toEqual([]);
  });

  it('store an entry once that both send', async () => {
    server.isAway = true;
    engine.note(person(ADA), 'IN');
    const third = new DeskEngine(TOKEN, server.api());
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    server.isAway = false;
    await third.start();
    third.stop();
    await engine.sync();
    expect(server.sent).toHaveLength(2);
    expect(idsOf(server.log)).toEqual([ADA]);
    expect(engine.snapshot()).toMatchObject({ waiting: [], conflicts: [] });
    expect(readQueue(TOKEN)).toEqual([]);
  });

  it('both know at once that somebody is in whose entry one of them sent', async () => {
    network.isAway = false;
    server.isAway = true;
    engine.note(person(ADA), 'IN');
    tellTabs();
    expect(other.inSince(person(ADA))).toMatchObject({ by: null });
    await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
    network.log = server.log;
    server.isAway = false;
    await engine.sync();
    const polled = vi.spyOn(other, 'sync');
    tellTabs();
    expect(polled).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(other.inSince(person(ADA))).toMatchObject({ by: 'Desk 1' }));
  });

  describe('that is closed', () => {
    beforeEach(async () => {
      server.isAway = true;
      engine.note(person(ADA), 'IN');
      tellTabs();
      await vi.waitFor(() => expect(engine.snapshot().connection).toBe('offline'));
      for (const end of [server, network]) {
        end.refusal = new ApiError(401, { error: 'This link no longer works.', code: 'desk_ended' });
      }
      await Promise.all([engine.sync(), other.sync()]);
      expect(engine.snapshot().connection).toBe('ended');
      expect(other.snapshot().connection).toBe('ended');
    });

    it('no longer list an entry that one of them deleted', () => {
      other.discardWaiting();
      tellTabs();
      expect(engine.snapshot().waiting).toEqual([]);
      expect(readQueue(TOKEN)).toEqual([]);
    });

    it('keep an entry that the device refused to store', () => {
      localStorage.removeItem(queueKey(TOKEN));
      told = null;
      tellTabs();
      expect(idsOf(engine.snapshot().waiting)).toEqual([ADA]);
    });

    it('send nothing when the network is back, even if the link works again', () => {
      server.refusal = null;
      server.isAway = false;
      const synced = vi.spyOn(engine, 'sync');
      globalThis.dispatchEvent(new Event('online'));
      expect(synced).not.toHaveBeenCalled();
      expect(idsOf(engine.snapshot().waiting)).toEqual([ADA]);
    });
  });

  it('delete from the device only what the tab lists', async () => {
    server.isAway = true;
    engine.note(person(ADA), 'IN');
    other.note(person(BEN), 'IN');
    expect(idsOf(engine.snapshot().waiting)).toEqual([ADA]);
    engine.discardWaiting();
    expect(idsOf(readQueue(TOKEN))).toEqual([BEN]);
  });
});

describe('what a desk knows', () => {
  it('finds words of name and number in any order, without accents', () => {
    const people = new Map(
      [attendee(ADA, 'Ada Äsch', 'a-17'), attendee(BEN, 'Ben Ash', 'b-18')].map((one) => [
        one.id,
        personOf(one),
      ]),
    );
    expect(found(people, 'asch ada').map(({ id }) => id)).toEqual([ADA]);
    expect(found(people, 'A-17').map(({ id }) => id)).toEqual([ADA]);
    expect(found(people, ' ')).toEqual([]);
  });

  it('finds the people of a group, also beside a name', () => {
    const delegate = { ...attendee(BEN, 'Ben Ash', 'b-18'), groups: ['Delegates North'] };
    const people = new Map(
      [attendee(ADA, 'Ada Ash', 'a-17'), delegate].map((one) => [one.id, personOf(one)]),
    );
    expect(found(people, 'delegates').map(({ id }) => id)).toEqual([BEN]);
    expect(found(people, 'ash north').map(({ id }) => id)).toEqual([BEN]);
  });

  it('goes on with a list that an older version kept', () => {
    const { mayVote, groups, proxies, holders, ...kept } = attendee(ADA, 'Ada Ash', 'a-17');
    expect(personOf(kept as Attendee)).toMatchObject({ mayVote: true, groups: [], proxies: 0, holders: [] });
  });

  it('tells a check-in code from the link of a sign-in', () => {
    expect(personInCode('PLENUM-IN:019A9D5E000070008000000000000003')).toBe(ADA);
    expect(personInCode(checkInCode(BEN))).toBe(BEN);
    expect(personInCode('https://vote.example/join#secret')).toBeNull();
  });
});
