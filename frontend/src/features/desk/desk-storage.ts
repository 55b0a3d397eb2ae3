import type { Attendee, DeskMeeting } from './desk-api';
import type { Waiting } from './desk-record';

/** What a desk keeps on its device, so that a reload without a network loses nothing. Deleted when the link ends. */
export interface KeptDesk {
  meetingTitle: string;
  desk: string;
  /** Missing in a list that an older version kept, as is `weightKind`. */
  organization?: string;
  weightKind?: DeskMeeting['weightKind'];
  contactAt: string | null;
  lastEntry: number;
  people: Attendee[];
}

/** The queue is small and must never be lost, so it is written at once, before anything is sent. */
export const queueKey = (token: string) => `plenum.desk.queue.${token.slice(-12)}`;

/** An entry as it is kept. An older version kept none of the time of the last response. */
type KeptEntry = Omit<Waiting, 'contactAt'> & Partial<Waiting>;

const waitingOf = (entry: KeptEntry): Waiting => ({ ...entry, contactAt: entry.contactAt ?? null });

export function readQueue(token: string): Waiting[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(queueKey(token)) ?? '[]');
    return Array.isArray(kept) ? (kept as KeptEntry[]).map(waitingOf) : [];
  } catch {
    return [];
  }
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

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  const database = await opened();
  if (database === null) {
    return null;
  }
  return new Promise((resolve) => {
    const request = work(database.transaction(STORE, mode).objectStore(STORE));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
}

/** The list of people of the last visit. */
export async function readKept(token: string): Promise<KeptDesk | null> {
  return (
    ((await inStore('readonly', (store) => store.get(token.slice(-12)))) as KeptDesk | undefined) ?? null
  );
}

export async function writeKept(token: string, kept: KeptDesk): Promise<void> {
  await inStore('readwrite', (store) => store.put(kept, token.slice(-12)));
}

/** Deletes the names from the device, when the link no longer works. Entries that were not sent stay. */
export async function forgetKept(token: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(token.slice(-12)));
}
