import type { Caller } from './caller';
import type { Finding } from './finding';
import type { Portal } from './portal';
import type { TestContext } from './test-context';
import type { TestWorld } from './test-world';

/** A question to the person at the screen before a test goes on. */
export interface Question {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
}

/** The tools of a running test. */
export interface Run {
  portal: Portal;
  /** Aborts when the test is stopped, the page is left, or the test has ended. */
  signal: AbortSignal;
  /** The person at the screen. `own.as(null)` calls without a token. */
  own: Caller;
  /** Test data to work on. All of it is deleted after the test, even if the test fails. */
  world: TestWorld;
  /** The knowledge of earlier runs on this page. */
  context: TestContext;
  /** Reports the progress of a long test: `done` of `total` steps, and the current step. */
  progress: (done: number, total: number, doing: string) => void;
  /** Resolves after this many milliseconds; rejects at once when the test is stopped. */
  pause: (milliseconds: number) => Promise<void>;
  /** Waits for a yes or no. It is no at once if several tests run in one go, because they may run unattended. */
  confirm: (question: Question) => Promise<boolean>;
}

/** One of the named tests. */
export interface Diagnostic {
  name: string;
  /** A one-line description of the test, below its name. */
  about: string;
  /** Throws `Unexpected` if the test cannot go on after an answer of the server. */
  run: (run: Run) => Promise<Finding>;
}
