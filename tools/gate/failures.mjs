/** A test or a panic that a line names as failed: by libtest, by Playwright, by Rust. */
const NAMES_A_FAILURE = /\.\.\. FAILED|^\s*✘|panicked at/;

/**
 * The lines of a failed recipe's output that name a failure, and its last lines: at most `number` of each.
 * @param {string} output
 * @param {number} number
 */
export function failedIn(output, number) {
  const lines = output.trimEnd().split('\n');
  const end = lines.slice(-number);
  const before = lines.slice(0, -number).filter((line) => NAMES_A_FAILURE.test(line));
  return [...before.slice(0, number), ...end];
}
