/** Whether this page can seal. Browsers have no WebCrypto on plain http, except on this machine. Then the server seals. */
export function canSeal(): boolean {
  return typeof crypto === 'object' && crypto.subtle !== undefined;
}
