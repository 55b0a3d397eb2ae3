const keyOf = (roundId: string) => `receipt_${roundId}`;

/** The receipts of ballots that this page has withdrawn. It may show one for another moment. */
const withdrawn = new Set<string>();

/**
 * Keeps the first receipt of this voter's ballot on the device: the server deletes who has which one when it opens the urn.
 * A later one never replaces it, because it is evidence against a server that names another one.
 */
export function keepReceipt(roundId: string | null, receipt: string): void {
  if (roundId === null || withdrawn.has(receipt) || keptReceipt(roundId) !== null) {
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

/** After the voter's ballot was withdrawn: the next one in the round has another receipt. */
export function forgetReceipt(roundId: string | null): void {
  const kept = keptReceipt(roundId);
  if (roundId === null || kept === null) {
    return;
  }
  withdrawn.add(kept);
  try {
    window.localStorage.removeItem(keyOf(roundId));
  } catch {
    // Storage that can be read but not changed.
  }
}
