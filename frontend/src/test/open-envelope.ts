import { type Bytes, concat, utf8, uuidBytes } from '../shared/sealing/bytes';
import { agree, keySchedule } from '../shared/sealing/hpke';

export function unhex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

export function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A key pair from its numbers, which WebCrypto reads as JWK only. */
export async function keyPair(privateKey: Bytes, publicKey: Bytes): Promise<CryptoKeyPair> {
  const field = (bytes: Bytes) => Buffer.from(bytes).toString('base64url');
  const point = { kty: 'EC', crv: 'P-256', x: field(publicKey.slice(1, 33)), y: field(publicKey.slice(33)) };
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  return {
    privateKey: await crypto.subtle.importKey('jwk', { ...point, d: field(privateKey) }, algorithm, false, [
      'deriveBits',
    ]),
    publicKey: await crypto.subtle.importKey('jwk', point, algorithm, true, []),
  };
}

export interface Urn {
  privateKey: Bytes;
  publicKey: Bytes;
}

/** A new key pair, as the server makes one for each secret round. */
export async function newUrn(): Promise<Urn> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const { d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return {
    privateKey: new Uint8Array(Buffer.from(d, 'base64url')),
    publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)),
  };
}

/** Opens an envelope as the server does. Rejects if it was sealed for another key, round or voter, or altered. */
export async function openEnvelope(
  envelope: Bytes,
  urn: Urn,
  roundId: string,
  voterId: string,
): Promise<string> {
  const version = envelope.slice(0, 1);
  const encapsulated = envelope.slice(1, 66);
  const { privateKey } = await keyPair(urn.privateKey, urn.publicKey);
  const sharedSecret = await agree(privateKey, encapsulated, encapsulated, urn.publicKey);
  const info = concat(utf8('plenum sealed ballot'), version, uuidBytes(roundId), uuidBytes(voterId));
  const { key, nonce } = await keySchedule(sharedSecret, info);
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const padded = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, aes, envelope.slice(66));
  const bytes = new Uint8Array(padded);
  const mark = bytes.lastIndexOf(0x80);
  if (mark < 0 || bytes.subarray(mark + 1).some((byte) => byte !== 0)) {
    throw new Error('The plaintext has no mark.');
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, mark));
}
