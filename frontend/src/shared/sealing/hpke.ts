/**
 * HPKE of RFC 9180 in base mode, single shot, with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM. Only WebCrypto is
 * used. `crates/sealed-ballots` is the same for the server; the tests of both read the same vectors.
 */
import { type Bytes, concat, utf8 } from './bytes';

const EC = { name: 'ECDH', namedCurve: 'P-256' };

/** The suites of labels: of the KEM (RFC 9180, section 4.1) and of HPKE (section 5.1). The ids are those of section 7. */
const KEM_SUITE = concat(utf8('KEM'), Uint8Array.of(0x00, 0x10));
const HPKE_SUITE = concat(utf8('HPKE'), Uint8Array.of(0x00, 0x10, 0x00, 0x01, 0x00, 0x02));

const NOTHING = new Uint8Array(0);

/** The empty salt: HMAC pads a shorter key with zeros, and WebCrypto takes no empty key. */
const NO_SALT = new Uint8Array(32);

const MODE_BASE = Uint8Array.of(0x00);

/** The key and nonce of the only message. */
export interface MessageKey {
  key: Bytes;
  nonce: Bytes;
}

/** `Seal` of a single message without associated data (RFC 9180, section 6.1). */
export async function sealMessage(
  recipient: Bytes,
  ephemeral: CryptoKeyPair,
  info: Bytes,
  message: Bytes,
): Promise<{ encapsulated: Bytes; ciphertext: Bytes }> {
  const { encapsulated, sharedSecret } = await encapsulate(recipient, ephemeral);
  const { key, nonce } = await keySchedule(sharedSecret, info);
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, aes, message);
  sharedSecret.fill(0);
  key.fill(0);
  return { encapsulated, ciphertext: new Uint8Array(ciphertext) };
}

/** A new ephemeral key pair. Its private key cannot be read, not even by this page. */
export async function generateKeyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(EC, false, ['deriveBits']);
}

/** `Encap` (RFC 9180, section 4.1). Rejects if the recipient's key is not on the curve. */
export async function encapsulate(
  recipient: Bytes,
  ephemeral: CryptoKeyPair,
): Promise<{ encapsulated: Bytes; sharedSecret: Bytes }> {
  const encapsulated = new Uint8Array(await crypto.subtle.exportKey('raw', ephemeral.publicKey));
  const sharedSecret = await agree(ephemeral.privateKey, recipient, encapsulated, recipient);
  return { encapsulated, sharedSecret };
}

/** `DH` and `ExtractAndExpand` (RFC 9180, section 4.1), for the sender and the recipient. */
export async function agree(
  own: CryptoKey,
  other: Bytes,
  encapsulated: Bytes,
  recipient: Bytes,
): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', other, EC, false, []);
  const dh = new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: key }, own, 256));
  const prk = await labeledExtract(KEM_SUITE, NO_SALT, 'eae_prk', dh);
  dh.fill(0);
  return labeledExpand(KEM_SUITE, prk, 'shared_secret', concat(encapsulated, recipient), 32);
}

/** `KeySchedule` of the base mode, so without a pre-shared key (RFC 9180, section 5.1). */
export async function keySchedule(sharedSecret: Bytes, info: Bytes): Promise<MessageKey> {
  const pskIdHash = await labeledExtract(HPKE_SUITE, NO_SALT, 'psk_id_hash', NOTHING);
  const infoHash = await labeledExtract(HPKE_SUITE, NO_SALT, 'info_hash', info);
  const context = concat(MODE_BASE, pskIdHash, infoHash);
  const secret = await labeledExtract(HPKE_SUITE, sharedSecret, 'secret', NOTHING);
  return {
    key: await labeledExpand(HPKE_SUITE, secret, 'key', context, 32),
    // The nonce of sequence number 0 is the base nonce itself (section 5.2).
    nonce: await labeledExpand(HPKE_SUITE, secret, 'base_nonce', context, 12),
  };
}

/** `LabeledExtract` (RFC 9180, section 4). */
function labeledExtract(suite: Bytes, salt: Bytes, label: string, ikm: Bytes): Promise<Bytes> {
  return hmac(salt, concat(utf8('HPKE-v1'), suite, utf8(label), ikm));
}

/** `LabeledExpand` (RFC 9180, section 4) for up to 32 bytes, which are one block of HKDF-Expand. */
async function labeledExpand(
  suite: Bytes,
  prk: Bytes,
  label: string,
  info: Bytes,
  length: number,
): Promise<Bytes> {
  const labeled = concat(
    Uint8Array.of(0, length),
    utf8('HPKE-v1'),
    suite,
    utf8(label),
    info,
    Uint8Array.of(1),
  );
  return (await hmac(prk, labeled)).slice(0, length);
}

async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
}
