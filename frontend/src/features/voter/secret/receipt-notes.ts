const keyOf = (roundId: string) => `receipt_${roundId}`;

/**
 * Keeps the first receipt of this voter's ballot on the device: the server deletes who has which one when it opens the urn.
 * A later one never replaces it, because it is evidence against a server that names another one.
 */
export function keepReceipt(roundId: string | null, receipt: string): void {
  if (roundId === null || keptReceipt(roundId) !== null) {
    return;
  }
  try {
    window.localStorage.setItem(keyOf(roundId), receipt);
  } catch {
    // The screen shows it.
  }
}

export function keptReceipt(roundId: string | null): string | null {
  try {
    return roundId === null ? null : window.localStorage.getItem(keyOf(roundId));
  } catch {
    return null;
  }
}
