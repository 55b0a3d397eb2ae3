import type { Attendee, DeskMeeting } from './desk-api';
import type { Waiting } from './desk-record';

interface KeptHead {
  meetingTitle: string;
  desk: string;
  /** Missing in a list that an older version kept, as is `weightKind`. */
  organization?: string;
  weightKind?: DeskMeeting['weightKind'];
  contactAt: string | null;
}

interface KeptList {
  lastEntry: number;
  people: Attendee[];
}

/** What a desk keeps on its device, so that a reload without a network loses nothing. Deleted when the link ends. */
type KeptDesk = KeptHead & KeptList;

/** The queue is small and must never be lost, so it is written at once, before anything is sent. */
export const queueKey = (token: string) => `plenum.desk.queue.${token.slice(-12)}`;

/** An entry as it is kept. An older version kept none of the time of the last response. */
type KeptEntry = Omit<Waiting, 'contactAt'> & Partial<Waiting>;

const waitingOf = (entry: KeptEntry): Waiting => ({ ...entry, contactAt: entry.contactAt ?? null });

export function readQueue(token: string): Waiting[] {
  try {
    return queueIn(localStorage.getItem(queueKey(token)));
  } catch {
    return [];
  }
}

/** The entries in a stored text. None in one that cannot be read. */
function queueIn(stored: string | null): Waiting[] {
  try {
    const kept: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(kept) ? (kept as KeptEntry[]).map(waitingOf) : [];
  } catch {
    return [];
  }
}

/** The ids of the entries that another tab took from the queue: it sent or deleted them. */
export function takenIds(token: string, { oldValue }: StorageEvent): ReadonlySet<string> {
  const taken = new Set(queueIn(oldValue).map(({ id }) => id));
  for (const { id } of readQueue(token)) {
    taken.delete(id);
  }
  return taken;
}

export function writeQueue(token: string, queue: readonly Waiting[]): void {
  try {
    if (queue.length === 0) {
      localStorage.removeItem(queueKey(token));
    } else {
      localStorage.setItem(queueKey(token), JSON.stringify(queue));
    }
  } catch {
    // A device without storage keeps the queue in memory.
  }
}

const DATABASE = 'plenum-desk';
const STORE = 'kept';

function opened(): Promise<IDBDatabase | null> {
  if (!('indexedDB' in globalThis)) {
    return Promise.resolve(null);
  }
  return new Promise((resolve) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
}

/** The result of the work. Null if the browser refuses it: with a network, a desk works without what is kept here. */
async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  let database: IDBDatabase | null = null;
  try {
    database = await opened();
    return database === null ? null : await completed(database.transaction(STORE, mode), work);
  } catch {
    return null;
  } finally {
    // A page in the background may lose a connection that stays open.
    database?.close();
  }
}

function completed<T>(
  transaction: IDBTransaction,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  return new Promise((resolve) => {
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => resolve(null);
  });
}

const listKey = (token: string) => token.slice(-12);
/** What changes with each response has a small record of its own. An older version kept it beside the list. */
const headKey = (token: string) => `${listKey(token)}.head`;

/** The list of people of the last visit. */
export async function readKept(token: string): Promise<KeptDesk | null> {
  const [list, head] = await Promise.all([
    inStore('readonly', (store) => store.get(listKey(token))) as Promise<KeptDesk | null | undefined>,
    inStore('readonly', (store) => store.get(headKey(token))) as Promise<KeptHead | null | undefined>,
  ]);
  return list ? { ...list, ...head } : null;
}

/** Returns whether it is on the device. Without a list, the one that is there stays. */
export async function writeKept(token: string, head: KeptHead, list: KeptList | null): Promise<boolean> {
  const written = await inStore('readwrite', (store) => {
    if (list !== null) {
      store.put({ ...head, ...list }, listKey(token));
    }
    return store.put(head, headKey(token));
  });
  return written !== null;
}

/** Deletes the names from the device, when the link no longer works. Entries that were not sent stay. */
export async function forgetKept(token: string): Promise<void> {
  await inStore('readwrite', (store) => {
    store.delete(headKey(token));
    return store.delete(listKey(token));
  });
}
