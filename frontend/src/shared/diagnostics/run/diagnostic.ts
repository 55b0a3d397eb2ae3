import type { Caller } from './caller';
import type { Finding } from './finding';
import type { Portal } from './portal';
import type { TestContext } from './test-context';
import type { TestWorld } from './test-world';

/** What a test asks the person at the screen before it does something. */
export interface Question {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
}

/** What a test works with while it runs. */
export interface Run {
  portal: Portal;
  /** Aborted when the test is stopped or the page is left, and when it has ended. */
  signal: AbortSignal;
  /** The person at the screen. `own.as(null)` calls as nobody. */
  own: Caller;
  /** Test data to work on. All of it is deleted after the test, however that ends. */
  world: TestWorld;
  /** What is known of the runs before. */
  context: TestContext;
  /** Reports the progress of a long test: `done` of `total` steps, and the present one. */
  progress: (done: number, total: number, doing: string) => void;
  /** Resolves after so many milliseconds; rejects at once when the test is stopped. */
  pause: (milliseconds: number) => Promise<void>;
  /** Waits for a yes or no. It is a no at once where several tests run in one go: nobody may be there to answer. */
  confirm: (question: Question) => Promise<boolean>;
}

/** One of the named tests. */
export interface Diagnostic {
  name: string;
  /** One line of what it does, below its name. */
  about: string;
  /** Throws `Unexpected` where the server answers otherwise than the test needs to go on. */
  run: (run: Run) => Promise<Finding>;
}
