import type { TestWorld } from './test-world';

/**
 * The knowledge of this page about its own runs: the names of their test data, and the data that could not be deleted.
 */
export class TestContext {
  readonly #marks = new Set<string>();
  #unfinished: TestWorld[] = [];

  noteRun(world: TestWorld): void {
    this.#marks.add(world.mark);
  }

  /** Records a world with data that could not be deleted. */
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
