import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

export type Claims = Record<string, unknown>;

interface TokenParts {
  header: Claims;
  claims: Claims;
  signature: string;
}

/** Undefined if it is not a JSON Web Token. */
export function partsOf(token: string): TokenParts | undefined {
  const [header = '', claims = '', signature = ''] = token.split('.');
  try {
    return { header: decoded(header), claims: decoded(claims), signature };
  } catch {
    return undefined;
  }
}

export function unsigned(header: Claims, claims: Claims): string {
  return `${encoded(header)}.${encoded(claims)}`;
}

/**
 * Signs a token as the server does, but with another key. It does not use `crypto.subtle`: that is missing on plain
 * HTTP, and servers in a hall often have no TLS.
 */
export function signed(header: Claims, claims: Claims, key: string): string {
  const text = unsigned(header, claims);
  const bytes = new TextEncoder();
  return `${text}.${base64url(hmac(sha256, bytes.encode(key), bytes.encode(text)))}`;
}

function encoded(part: Claims): string {
  return base64url(new TextEncoder().encode(JSON.stringify(part)));
}

function decoded(part: string): Claims {
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const text = new TextDecoder().decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
  return JSON.parse(text) as Claims;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
