type Handler = (() => void) | null;

interface FakeTransaction {
  objectStore: () => unknown;
  oncomplete: Handler;
}

/** The browser's database, as far as a desk uses it. */
export class FakeIndexedDb {
  readonly records = new Map<string, unknown>();
  /** The keys of the records that were written, in order. */
  written: string[] = [];
  connections = 0;

  open() {
    this.connections += 1;
    const database = {
      transaction: () => this.#transaction(),
      close: () => {
        this.connections -= 1;
      },
    };
    return answered(database);
  }

  #transaction(): FakeTransaction {
    const transaction: FakeTransaction = { objectStore: () => store, oncomplete: null };
    const store = {
      get: (key: string) => answered(structuredClone(this.records.get(key))),
      put: (value: unknown, key: string) => {
        this.written.push(key);
        this.records.set(key, structuredClone(value));
        return answered(key);
      },
      delete: (key: string) => {
        this.records.delete(key);
        return answered(undefined);
      },
    };
    // After the responses to the requests.
    queueMicrotask(() => queueMicrotask(() => transaction.oncomplete?.()));
    return transaction;
  }
}

function answered<T>(result: T): { result: T; onsuccess: Handler } {
  const request: { result: T; onsuccess: Handler } = { result, onsuccess: null };
  queueMicrotask(() => request.onsuccess?.());
  return request;
}
