import { throwIfAborted } from '../../../api/abort';
import type { Run } from './diagnostic';
import { Unexpected } from './unexpected';

/** One step of a test, as its details show it. */
export interface StepReport {
  step: string;
  /** The statuses of the server's answers, if the step returned any: one, or several with commas. */
  status?: string;
  ms: number;
  result: 'ok' | 'failed' | 'stopped';
}

/**
 * The steps of a test, one after another. Each is announced as progress before it starts, and reported with its
 * duration. The report takes the status from an `Answer` in the step's result (alone or in an array). The first step
 * that throws ends the test; the error then begins with the step's name.
 */
export class Steps {
  readonly #run: Run;
  readonly #total: number;
  readonly #reports: StepReport[] = [];

  /** `total`: the number of steps, for the progress bar. */
  constructor(run: Run, total: number) {
    this.#run = run;
    this.#total = total;
  }

  /** The steps so far, for `details`. */
  get reports(): readonly StepReport[] {
    return this.#reports;
  }

  async step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    throwIfAborted(this.#run.signal);
    this.#run.progress(this.#reports.length, Math.max(this.#total, this.#reports.length + 1), name);
    const start = performance.now();
    try {
      const result = await work();
      this.#report(name, start, 'ok', statusOf(result));
      return result;
    } catch (error) {
      if (this.#run.signal.aborted) {
        this.#report(name, start, 'stopped');
        throw error;
      }
      const answer = error instanceof Unexpected ? error.answer : null;
      this.#report(name, start, 'failed', statusOf(answer));
      throw new StepFailed(name, error, this.#reports);
    }
  }

  #report(step: string, start: number, result: StepReport['result'], status?: string): void {
    const ms = Math.round(performance.now() - start);
    this.#reports.push(status === undefined ? { step, ms, result } : { step, status, ms, result });
  }
}

/** A step failed. The error keeps the steps up to there, to show them with it. */
export class StepFailed extends Unexpected {
  readonly steps: readonly StepReport[];

  constructor(step: string, error: unknown, steps: readonly StepReport[]) {
    const reason = error instanceof Error && error.message ? error.message : 'Unknown error';
    super(`${step}: ${reason}`, error instanceof Unexpected ? error.answer : null);
    this.name = 'StepFailed';
    this.steps = steps;
  }
}

function statusOf(result: unknown): string | undefined {
  const statuses = (Array.isArray(result) ? result : [result]).flatMap((one) => {
    const status = (one as { status?: unknown; call?: unknown } | null | undefined) ?? {};
    return typeof status.status === 'number' && typeof status.call === 'string' ? [status.status] : [];
  });
  return statuses.length > 0 ? [...new Set(statuses)].join(', ') : undefined;
}
