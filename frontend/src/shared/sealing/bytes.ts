/** Bytes for WebCrypto, which takes no shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function concat(...parts: Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** The 16 bytes of a UUID. */
export function uuidBytes(uuid: string): Bytes {
  const digits = uuid.replace(/-/g, '');
  return Uint8Array.from({ length: 16 }, (_, place) =>
    Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16),
  );
}

export function toBase64(bytes: Bytes): string {
  // One by one, because a spread argument list has a limit in old browsers.
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
