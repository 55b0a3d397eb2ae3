import type { TestWorld } from './test-world';

/** What this page knows of its own runs: whose test data are its own, and which it could not delete. */
export class TestContext {
  readonly #marks = new Set<string>();
  #unfinished: TestWorld[] = [];

  noteRun(world: TestWorld): void {
    this.#marks.add(world.mark);
  }

  /** Its data could not be deleted, or not all of them. */
  noteUnfinished(world: TestWorld): void {
    this.#unfinished.push(world);
  }

  get unfinished(): readonly TestWorld[] {
    return this.#unfinished;
  }

  /** Whether a name was given by a run on this page. */
  isOwn(name: string): boolean {
    return [...this.#marks].some((mark) => name.includes(mark));
  }

  reset(): void {
    this.#marks.clear();
    this.#unfinished = [];
  }
}
