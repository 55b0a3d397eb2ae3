import { webcrypto } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hex, openEnvelope, unhex } from '../../test/open-envelope';
import { writePlaintext } from './plaintext';
import {
  canSeal,
  fromBase64,
  receiptCode,
  type SealedAnswer,
  type SecretBallot,
  seal,
  toBase64,
} from './sealing';

interface Fixture {
  round: string;
  privateKey: string;
  publicKey: string;
  ballots: { voter: string; size: number; plaintext: string; envelope: string }[];
}

const FIXTURES = '../crates/sealed-ballots/fixtures';
const rust: Fixture = JSON.parse(readFileSync(`${FIXTURES}/sealed-by-rust.json`, 'utf8'));
const urn = { privateKey: unhex(rust.privateKey), publicKey: unhex(rust.publicKey) };
const otherId = '0198ffff-0000-7000-8000-000000000000';

function ballot(size = 256, voterId = otherId): SecretBallot {
  return { roundId: rust.round, voterId, publicKey: urn.publicKey, size };
}

function open(envelope: ReturnType<typeof unhex>, roundId = rust.round, voterId = otherId) {
  return openEnvelope(envelope, urn, roundId, voterId);
}

// jsdom has no WebCrypto.
beforeAll(() => void vi.stubGlobal('crypto', webcrypto));
afterAll(() => void vi.unstubAllGlobals());

describe('a sealed ballot', () => {
  it('of the server opens', async () => {
    expect(rust.ballots).toHaveLength(6);
    for (const { envelope, voter, plaintext } of rust.ballots) {
      expect(await open(unhex(envelope), rust.round, voter)).toBe(plaintext);
    }
  });

  /** The server reads the same file. */
  it('has the same receipt as on the server', async () => {
    const { envelopes }: { envelopes: { envelope: string; receipt: string }[] } = JSON.parse(
      readFileSync('../crates/voting/fixtures/receipts.json', 'utf8'),
    );
    for (const { envelope, receipt } of envelopes) {
      expect(await receiptCode(unhex(envelope))).toBe(receipt);
    }
  });

  /** With PLENUM_BLESS=1 it writes the file that `crates/sealed-ballots/src/fixtures.rs` opens. */
  it('of the browser opens again', async () => {
    const ballots = [];
    for (const { voter, size, plaintext } of rust.ballots) {
      const envelope = await seal(JSON.parse(plaintext) as SealedAnswer, ballot(size, voter));
      expect(await open(envelope, rust.round, voter)).toBe(plaintext);
      ballots.push({ voter, size, plaintext, envelope: hex(envelope) });
    }
    if (process.env.PLENUM_BLESS) {
      writeFileSync(`${FIXTURES}/sealed-by-typescript.json`, `${JSON.stringify({ ballots }, null, 2)}\n`);
    }
  });

  it('has a version, a point, and one size for all answers', async () => {
    const envelopes = [
      await seal({ options: [1] }, ballot()),
      await seal({ options: [1] }, ballot()),
      await seal({ options: [1, 2, 3, 4, 5, 6] }, ballot()),
    ];
    for (const envelope of envelopes) {
      expect([...envelope.slice(0, 2)]).toEqual([1, 4]);
      expect(envelope).toHaveLength(1 + 65 + 256 + 16);
    }
    expect(new Set(envelopes.map(hex)).size).toBe(3);
  });

  it('opens for its round and voter only, and untouched only', async () => {
    const envelope = await seal({ options: [2] }, ballot());
    await expect(open(envelope)).resolves.toBe('{"options":[2]}');
    await expect(open(envelope, otherId)).rejects.toThrow();
    await expect(open(envelope, rust.round, rust.round)).rejects.toThrow();
    for (const place of [0, 1, 30, 66, envelope.length - 1]) {
      const changed = envelope.slice();
      changed[place] = (changed[place] ?? 0) ^ 1;
      await expect(open(changed)).rejects.toThrow();
    }
  });

  it('is refused for a key that is no point, and for an answer that does not fit', async () => {
    const publicKey = urn.publicKey.slice();
    publicKey[64] = (publicKey[64] ?? 0) ^ 1;
    await expect(seal({ options: [1] }, { ...ballot(), publicKey })).rejects.toThrow();
    await expect(seal({ text: 'x'.repeat(245) }, ballot())).rejects.toThrow('too long');
    await expect(seal({ text: 'x'.repeat(244) }, ballot())).resolves.toHaveLength(338);
  });
});

describe('a plaintext', () => {
  it.each<[SealedAnswer, string]>([
    [{ options: [10, 9, 1] }, '{"options":[1,9,10]}'],
    [{ number: '37.5' }, '{"number":"37.5"}'],
    [{ text: 'a "b"\n\u2028' }, '{"text":"a \\"b\\"\\n\u2028"}'],
    // Half a character, which the server could not read.
    [{ text: 'x\ud83dy' }, '{"text":"x\ufffdy"}'],
    [{ text: '\ufeffx' }, '{"text":"\ufeffx"}'],
  ])('of %j is %s', (answer, plaintext) => {
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(writePlaintext(answer))).toBe(plaintext);
  });
});

describe('sealing', () => {
  it('is offered with WebCrypto only, which plain http lacks', () => {
    expect(canSeal()).toBe(true);
    vi.stubGlobal('crypto', { getRandomValues: () => undefined });
    expect(canSeal()).toBe(false);
    vi.stubGlobal('crypto', undefined);
    expect(canSeal()).toBe(false);
    vi.stubGlobal('crypto', webcrypto);
  });

  it('passes bytes as Base64', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
  });
});
