import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hex, keyPair, unhex } from '../../test/open-envelope';
import { encapsulate, keySchedule, sealMessage } from './hpke';

interface Vector {
  name: string;
  kdf_id: number;
  aead_id: number;
  [field: string]: string | number;
}

const vectors: Vector[] = JSON.parse(readFileSync('../crates/sealed-ballots/fixtures/rfc9180.json', 'utf8'));

function bytes(vector: Vector, field: string) {
  return unhex(String(vector[field]));
}

// jsdom has no WebCrypto.
beforeAll(() => void vi.stubGlobal('crypto', webcrypto));
afterAll(() => void vi.unstubAllGlobals());

describe('HPKE', () => {
  it.each(vectors)('encapsulates as in $name', async (vector) => {
    const ephemeral = await keyPair(bytes(vector, 'skEm'), bytes(vector, 'pkEm'));
    const { encapsulated, sharedSecret } = await encapsulate(bytes(vector, 'pkRm'), ephemeral);
    expect(hex(encapsulated)).toBe(vector.enc);
    expect(hex(sharedSecret)).toBe(vector.shared_secret);
  });

  it.each(vectors.filter((vector) => vector.kdf_id === 1 && vector.aead_id === 2))(
    'derives the key and the nonce as in $name',
    async (vector) => {
      const { key, nonce } = await keySchedule(bytes(vector, 'shared_secret'), bytes(vector, 'info'));
      expect(hex(key)).toBe(vector.key);
      expect(hex(nonce)).toBe(vector.base_nonce);
      // The vector has associated data, and an envelope has none. Counter mode gives the same bytes before the tag.
      const ephemeral = await keyPair(bytes(vector, 'skEm'), bytes(vector, 'pkEm'));
      const { encapsulated, ciphertext } = await sealMessage(
        bytes(vector, 'pkRm'),
        ephemeral,
        bytes(vector, 'info'),
        bytes(vector, 'pt'),
      );
      expect(hex(encapsulated)).toBe(vector.enc);
      expect(hex(ciphertext).slice(0, -32)).toBe(String(vector.ct).slice(0, -32));
      const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
      const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: bytes(vector, 'aad') };
      expect(hex(new Uint8Array(await crypto.subtle.encrypt(algorithm, aes, bytes(vector, 'pt'))))).toBe(
        vector.ct,
      );
    },
  );

  it('has a vector with all algorithms of an envelope', () => {
    expect(vectors.filter((vector) => vector.kdf_id === 1 && vector.aead_id === 2)).toHaveLength(1);
  });
});
