/** The content of the address in a QR code, or in a link of a results screen. */
export interface PrintedRecords {
  hashes: string[];
  /** The minutes' signature of exactly these hashes; null in a link of a screen. */
  signature: string | null;
}

const MOST_HASHES = 100;

/**
 * Reads the fragment "#R=<hash>-<hash>&S=<signature>". Null without hashes; 'damaged' if a part is cut off or mistyped.
 */
export function readFragment(fragment: string): PrintedRecords | 'damaged' | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const listed = parts.get('R') ?? parts.get('r');
  if (listed === null) {
    return null;
  }
  const hashes = listed.toLowerCase().split('-');
  const signature = (parts.get('S') ?? parts.get('s'))?.toLowerCase() ?? null;
  const isWhole =
    hashes.length <= MOST_HASHES &&
    hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)) &&
    (signature === null || /^[0-9a-f]{128}$/.test(signature));
  return isWhole ? { hashes, signature } : 'damaged';
}
