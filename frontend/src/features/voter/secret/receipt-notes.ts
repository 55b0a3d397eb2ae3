const keyOf = (roundId: string) => `receipt_${roundId}`;

/** Keeps the receipt of this voter's ballot on the device: the server deletes who has which one when it opens the urn. */
export function keepReceipt(roundId: string | null, receipt: string): void {
  try {
    window.localStorage.setItem(keyOf(roundId ?? ''), receipt);
  } catch {
    // The screen shows it.
  }
}

export function keptReceipt(roundId: string): string | null {
  try {
    return window.localStorage.getItem(keyOf(roundId));
  } catch {
    return null;
  }
}
