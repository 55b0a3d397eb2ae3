import { runMark } from '../run/test-names';
import { type Claims, partsOf, signed, unsigned } from './forged-tokens';

/** The refusal that the server must send. */
export interface Refusal {
  status: number;
  code: string;
}

const NO_TOKEN: Refusal = { status: 401, code: 'authentication_required' };
const EXPIRED: Refusal = { status: 401, code: 'token_expired' };
export const ENDED: Refusal = { status: 401, code: 'session_ended' };
const FORGED: Refusal = { status: 403, code: 'invalid_token' };

/** A token that must not give access. */
export interface Attempt {
  kind: string;
  /** Null sends no token. */
  token: string | null;
  expected: Refusal;
}

/** Keys that an attacker would try first. With one of them anybody could make tokens. */
const GUESSABLE_KEYS = ['', 'secret', 'plenum', 'changeme', 'your-256-bit-secret', '0'.repeat(32)];
const DAY_SECONDS = 86_400;

/**
 * Forges tokens from a valid one, without the server's key. `changes` are claims that would give its owner more rights.
 * A token that is not a JSON Web Token only yields garbage.
 */
export function attemptsOn(good: string, changes: Record<string, Claims>): Attempt[] {
  const forged = (kind: string, token: string): Attempt => ({ kind, token, expected: FORGED });
  const attempts = [
    { kind: 'no token', token: null, expected: NO_TOKEN },
    forged('garbage', `not-a-token-${runMark()}`),
    forged('garbage in three parts', `${runMark()}.${runMark()}.${runMark()}`),
    forged('truncated', good.slice(0, -10)),
  ];
  const parts = partsOf(good);
  if (!parts) {
    return attempts;
  }
  const { header, claims, signature } = parts;
  attempts.push(
    forged('signature cut off', good.slice(0, good.lastIndexOf('.'))),
    forged('signed with another key', signed(header, claims, runMark().repeat(4))),
    ...GUESSABLE_KEYS.map((key) => forged(`signed with the key "${key}"`, signed(header, claims, key))),
  );
  for (const [kind, change] of Object.entries(changes)) {
    attempts.push(forged(kind, `${unsigned(header, { ...claims, ...change })}.${signature}`));
  }
  attempts.push(forged('prolonged', `${unsigned(header, prolonged(claims))}.${signature}`));
  for (const alg of ['none', 'None', 'NONE']) {
    const text = unsigned({ ...header, alg }, claims);
    attempts.push(
      forged(`alg: ${alg}, empty signature`, `${text}.`),
      forged(`alg: ${alg}, without a signature`, text),
      forged(`alg: ${alg}, old signature`, `${text}.${signature}`),
    );
  }
  return attempts;
}

function prolonged(claims: Claims): Claims {
  return { ...claims, exp: Number(claims.exp) + DAY_SECONDS };
}

/** Attempts with an expired token: unchanged, and with a later expiry under its old signature. */
export function attemptsOnExpired(token: string): Attempt[] {
  const attempts: Attempt[] = [{ kind: 'expired', token, expected: EXPIRED }];
  const parts = partsOf(token);
  if (parts) {
    const later = `${unsigned(parts.header, prolonged(parts.claims))}.${parts.signature}`;
    attempts.push({ kind: 'expired, with a later end', token: later, expected: FORGED });
  }
  return attempts;
}
