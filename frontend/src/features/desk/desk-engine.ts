import { randomUuid } from '../../api/random-uuid';
import {
  type DeskApi,
  type DeskMeeting,
  hasDeskEnded,
  type PresenceEntry,
  type PresenceKind,
} from './desk-api';
import {
  conflictOf,
  type DeskPerson,
  type InSince,
  inSince,
  type People,
  personOf,
  type Waiting,
  withEntry,
  withPart,
} from './desk-record';
import { forgetKept, queueKey, readKept, readQueue, takenIds, writeKept, writeQueue } from './desk-storage';

/** loading: the list is being downloaded. ended: the link no longer works. */
export type DeskConnection = 'loading' | 'online' | 'offline' | 'ended';

export interface DeskSnapshot {
  connection: DeskConnection;
  /** The time of the last response, by the server's clock. */
  contactAt: string | null;
  meeting: Pick<DeskMeeting, 'desk' | 'meetingTitle' | 'organization' | 'checkIn' | 'weightKind'> | null;
  people: People;
  /** Entries that are not confirmed, in order, with those of other tabs of the same link. */
  waiting: readonly Waiting[];
  /** What the server said about entries that changed nothing. */
  conflicts: readonly { id: string; text: string }[];
  /** Why the link does not work. */
  ending: string | null;
}

const EVERY_MS = 3_000;
const OFFLINE_EVERY_MS = 2_000;
/** The meeting itself changes rarely. */
const MEETING_EVERY = 10;
/** Groups and proxies are not in the log of entries: a part of the list is read again this often. */
const PART_EVERY = 3;
const AT_ONCE = 50;
/** An entry that is sent sooner happens now. */
const NOW_MS = 3_000;

/** Keeps the list and the queue of one desk, and talks to the server whenever it answers. */
export class DeskEngine {
  readonly #api: DeskApi;
  readonly #token: string;
  readonly #listeners = new Set<() => void>();
  #snapshot: DeskSnapshot;
  /**
   * The entries that this tab noted, or found on the device when it was opened, and that no response to it has confirmed.
   * The device may refuse to store them, and another tab may send them: then the server's answer must be shown here too.
   */
  #own: readonly Waiting[];
  #lastEntry = 0;
  /** The list that is on the device. Null while none was written. */
  #kept: { people: People; lastEntry: number } | null = null;
  #hasList = false;
  /** The server's clock minus this device's. */
  #ahead = 0;
  /** The last id of the part of the list that was read again last. Null before the first part. */
  #partAfter: string | null = null;
  #isSyncing = false;
  /** Ends the exchange that runs. */
  #exchanging = new AbortController();
  #isAgain = false;
  #rounds = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(token: string, api: DeskApi) {
    this.#token = token;
    this.#api = api;
    this.#own = readQueue(token);
    this.#snapshot = {
      connection: 'loading',
      contactAt: null,
      meeting: null,
      people: new Map(),
      waiting: this.#own,
      conflicts: [],
      ending: null,
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): DeskSnapshot => this.#snapshot;

  async start(): Promise<void> {
    this.#isStopped = false;
    globalThis.addEventListener('online', this.#wake);
    globalThis.addEventListener('storage', this.#followOtherTab);
    const kept = await readKept(this.#token);
    if (kept && !this.#hasList) {
      this.#lastEntry = kept.lastEntry;
      this.#update({
        contactAt: kept.contactAt,
        meeting: {
          desk: kept.desk,
          meetingTitle: kept.meetingTitle,
          organization: kept.organization ?? '',
          checkIn: 'ON',
          weightKind: kept.weightKind ?? null,
        },
        people: new Map(kept.people.map((person) => [person.id, personOf(person)])),
      });
    }
    await this.sync();
  }

  stop(): void {
    this.#isStopped = true;
    globalThis.removeEventListener('online', this.#wake);
    globalThis.removeEventListener('storage', this.#followOtherTab);
    clearTimeout(this.#timer);
  }

  /** A request that was sent before the network came back may never get its response. A closed desk sends nothing. */
  #wake = () => {
    if (this.#snapshot.connection === 'ended') {
      return;
    }
    this.#exchanging.abort();
    void this.sync();
  };

  #followOtherTab = (event: StorageEvent) => {
    if (event.key !== null && event.key !== queueKey(this.#token)) {
      return;
    }
    const taken = takenIds(this.#token, event);
    const isEnded = this.#snapshot.connection === 'ended';
    if (isEnded) {
      // Deleted there. An entry that the device refused to store is not among them, and stays.
      this.#own = this.#own.filter(({ id }) => !taken.has(id));
    }
    this.#takeOver();
    if (!isEnded && taken.size > 0) {
      // Sent there: this tab does not know yet who is in since then.
      void this.sync();
    }
  };

  /** Checks a person in or out. It is on the device before anything is sent. */
  note(person: DeskPerson, kind: PresenceKind): void {
    const at = new Date(Date.now() + this.#ahead).toISOString();
    const { contactAt } = this.#snapshot;
    const entry = { id: randomUuid(), endUserId: person.id, name: person.name, kind, at, contactAt };
    this.#own = [...this.#own, entry];
    this.#setWaiting(this.#queue());
    void this.sync();
  }

  /** Since when a person is in, as far as this device knows. Null if they are not in. */
  inSince(person: DeskPerson): InSince | null {
    return inSince(person, this.#snapshot.waiting);
  }

  /** Deletes the entries that wait, as they are listed, from the device. They are not sent. */
  discardWaiting(): void {
    this.#remove(this.#snapshot.waiting);
  }

  dismiss(id: string): void {
    this.#update({ conflicts: this.#snapshot.conflicts.filter((conflict) => conflict.id !== id) });
  }

  /** Sends what waits, and fetches what changed. One at a time; a call meanwhile causes another one. */
  async sync(): Promise<void> {
    if (this.#isSyncing) {
      this.#isAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#isSyncing = true;
    try {
      do {
        this.#isAgain = false;
        this.#exchanging = new AbortController();
        await this.#exchange(this.#exchanging.signal);
      } while (this.#isAgain && (this.#snapshot.connection === 'online' || this.#exchanging.signal.aborted));
    } finally {
      this.#isSyncing = false;
    }
    if (!this.#isStopped && this.#snapshot.connection !== 'ended') {
      const pause = this.#snapshot.connection === 'online' ? EVERY_MS : OFFLINE_EVERY_MS;
      this.#timer = setTimeout(() => void this.sync(), pause);
    }
  }

  async #exchange(signal: AbortSignal): Promise<void> {
    try {
      this.#takeOver();
      await this.#sendWaiting(signal);
      await this.#fetchMeeting(signal);
      await this.#fetchEntries(signal);
      this.#rounds += 1;
      if (this.#rounds % PART_EVERY === 0) {
        await this.#fetchPart(signal);
      }
      this.#update({ connection: 'online' });
    } catch (error) {
      if (hasDeskEnded(error)) {
        this.#update({ connection: 'ended', ending: error.message, people: new Map() });
        await forgetKept(this.#token);
        return;
      }
      if (signal.aborted) {
        return;
      }
      this.#update({ connection: this.#hasList || this.#snapshot.people.size > 0 ? 'offline' : 'loading' });
    }
  }

  async #sendWaiting(signal: AbortSignal): Promise<void> {
    while (this.#snapshot.waiting.length > 0) {
      const { part, contactAt } = nextPart(this.#snapshot.waiting);
      const now = Date.now() + this.#ahead;
      const entries = part.map(({ id, endUserId, kind, at }) => {
        const isNow = now - Date.parse(at) < NOW_MS;
        return { id, endUserId, kind, at: isNow ? null : at };
      });
      const answer = await this.#api.send({ entries, contactAt }, signal);
      const { conflicts } = this.#snapshot;
      let people = this.#snapshot.people;
      const added: { id: string; text: string }[] = [];
      for (const result of answer.data) {
        const sent = part.find(({ id }) => id === result.id);
        if (result.answer?.entry) {
          people = withEntry(people, result.answer.entry);
        }
        const text = sent ? conflictOf(result, sent) : null;
        if (text !== null) {
          added.push({ id: result.id, text });
        }
      }
      this.#hear(answer.serverTime);
      this.#update({ people, conflicts: [...added, ...conflicts] });
      this.#remove(part);
    }
  }

  async #fetchMeeting(signal: AbortSignal): Promise<void> {
    if (this.#hasList && this.#rounds % MEETING_EVERY !== 0) {
      return;
    }
    const meeting = await this.#api.meeting(signal);
    this.#hear(meeting.serverTime);
    this.#update({ meeting });
    if (!this.#hasList) {
      await this.#fetchPeople(signal);
      // Entries that were stored during the download are read again; each is applied by its number.
      this.#lastEntry = meeting.lastEntry;
      this.#hasList = true;
    }
  }

  async #fetchPeople(signal: AbortSignal): Promise<void> {
    const people = new Map<string, DeskPerson>();
    let after: string | null = null;
    do {
      const part: Awaited<ReturnType<DeskApi['people']>> = await this.#api.people(after, signal);
      for (const person of part.data) {
        people.set(person.id, personOf(person));
      }
      after = part.next;
    } while (after !== null);
    this.#update({ people });
  }

  async #fetchPart(signal: AbortSignal): Promise<void> {
    const after = this.#partAfter;
    const { data, next } = await this.#api.people(after, signal);
    this.#partAfter = next;
    const { people, waiting } = this.#snapshot;
    this.#update({ people: withPart(people, { after, data, next }, waiting) });
    this.#keep();
  }

  async #fetchEntries(signal: AbortSignal): Promise<void> {
    let entries: PresenceEntry[];
    do {
      const answer = await this.#api.entriesAfter(this.#lastEntry, signal);
      entries = answer.data;
      this.#hear(answer.serverTime);
      let people = this.#snapshot.people;
      let isUnknown = false;
      for (const entry of entries) {
        isUnknown ||= !people.has(entry.endUserId);
        people = withEntry(people, entry);
        this.#lastEntry = Math.max(this.#lastEntry, entry.number);
      }
      this.#update({ people });
      if (isUnknown) {
        // Somebody was invited since the list was downloaded.
        await this.#fetchPeople(signal);
      }
    } while (entries.length >= 1_000);
    this.#keep();
  }

  /** Keeps the time of the last response on the device, and the list if it changed: it may be long. */
  #keep(): void {
    const { meeting, people, contactAt } = this.#snapshot;
    if (!meeting) {
      return;
    }
    const lastEntry = this.#lastEntry;
    const isKept = this.#kept?.people === people && this.#kept.lastEntry === lastEntry;
    const head = {
      meetingTitle: meeting.meetingTitle,
      organization: meeting.organization,
      desk: meeting.desk,
      weightKind: meeting.weightKind,
      contactAt,
    };
    const list = isKept ? null : { lastEntry, people: [...people.values()] };
    void writeKept(this.#token, head, list).then((isWritten) => {
      if (isWritten && list !== null) {
        this.#kept = { people, lastEntry };
      }
    });
  }

  #hear(serverTime: string): void {
    this.#ahead = Date.parse(serverTime) - Date.now();
    this.#update({ contactAt: serverTime });
  }

  /** The stored entries, which other tabs of the same link change too, and those of this tab. */
  #queue(): Waiting[] {
    const stored = readQueue(this.#token);
    const storedIds = new Set(stored.map(({ id }) => id));
    return [...stored, ...this.#own.filter(({ id }) => !storedIds.has(id))];
  }

  /** Takes over what other tabs of the same link noted and sent. Two tabs may send an entry: its id makes it one. */
  #takeOver(): void {
    this.#update({ waiting: this.#queue() });
  }

  #remove(entries: readonly Waiting[]): void {
    const removed = new Set(entries.map(({ id }) => id));
    this.#own = this.#own.filter(({ id }) => !removed.has(id));
    this.#setWaiting(this.#queue().filter(({ id }) => !removed.has(id)));
  }

  #setWaiting(waiting: readonly Waiting[]): void {
    writeQueue(this.#token, waiting);
    this.#update({ waiting });
  }

  #update(change: Partial<DeskSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/**
 * The entries to send next, with the last contact before all of them. The contact after an earlier part would be later
 * than they are, and the server would take none of their times.
 */
function nextPart(waiting: readonly Waiting[]): { part: readonly Waiting[]; contactAt: string | null } {
  const contactAt = waiting[0]?.contactAt ?? null;
  const other = waiting.findIndex((entry) => entry.contactAt !== contactAt);
  return { part: waiting.slice(0, other < 0 ? AT_ONCE : Math.min(other, AT_ONCE)), contactAt };
}
