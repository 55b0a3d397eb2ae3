import { personInCode } from './desk-record';

/** A code that was seen within this time is still the same scan. */
const SAME_SCAN_MS = 3_000;

/** Finds the new scans: a camera reads the codes in view again and again, and a slip has two codes. */
export class DeskScans {
  readonly #lastSeen = new Map<string, number>();

  /** Whether this is a new scan. Beside a check-in code, other codes are none: they are on the same slip. */
  isNew(text: string): boolean {
    const now = Date.now();
    for (const [seen, at] of this.#lastSeen) {
      if (now - at >= SAME_SCAN_MS) {
        this.#lastSeen.delete(seen);
      }
    }
    const seen = [...this.#lastSeen.keys()];
    if (personInCode(text) === null && seen.some((other) => personInCode(other) !== null)) {
      return false;
    }
    this.#lastSeen.set(text, now);
    return !seen.includes(text);
  }
}

/** Of the codes in one picture, the one to act on: a check-in code if there is one. */
export function scannedCode(texts: readonly string[]): string | null {
  const filled = texts.filter((text) => text.trim() !== '');
  return filled.find((text) => personInCode(text) !== null) ?? filled[0] ?? null;
}
