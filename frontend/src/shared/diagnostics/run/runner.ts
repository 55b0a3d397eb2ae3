import { anySignal, throwIfAborted } from '../../../api/abort';
import { session } from '../../../api/session';
import type { User } from '../../../api/types';
import { toast } from '../../ui/toast';
import { Caller } from './caller';
import type { Diagnostic, Question } from './diagnostic';
import { type Finding, failure, type Verdict, warning } from './finding';
import type { Portal } from './portal';
import { StepFailed } from './steps';
import { TestContext } from './test-context';
import { TestWorld } from './test-world';
import { Unexpected } from './unexpected';

/** One line of the result list. */
export interface ResultEntry {
  id: number;
  name: string;
  status: 'running' | Verdict;
  message: string;
  details?: unknown;
  /** The start, by this device's clock. */
  at: Date;
  /** The duration; null while it runs. */
  ms: number | null;
}

export interface Progress {
  name: string;
  done: number;
  total: number;
  doing: string;
}

export interface RunnerState {
  /** The newest first. */
  results: ResultEntry[];
  /** The test that runs or deletes its data. */
  running: string | null;
  /** The position among the tests that were started together, from 1. */
  place: { number: number; of: number } | null;
  isStopping: boolean;
  progress: Progress | null;
  /** The question that the running test waits for. */
  question: Question | null;
}

/** The last step of every run. */
export const TIDYING = 'Deleting the test data';

const AT_REST = { running: null, place: null, isStopping: false, progress: null, question: null };

/** The work of all runners of this page. Data that a runner is still deleting are not leftovers. */
const underWay = new Set<Promise<void>>();

/** Resolves when no runner is at work. */
export async function allAtRest(): Promise<void> {
  await Promise.allSettled(underWay);
}

/**
 * Runs tests one after another, and deletes the data of each. It does not depend on the page that shows it: if the page
 * is left, the run stops and its data are still deleted.
 */
export class Runner {
  #state: RunnerState = { ...AT_REST, results: [] };
  readonly #listeners = new Set<() => void>();
  readonly #context = new TestContext();
  #stopping = new AbortController();
  #nextId = 1;
  #queue: Promise<void> = Promise.resolve();
  #answer: ((isYes: boolean) => void) | null = null;

  readonly state = (): RunnerState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Does nothing while a test runs. Resolves when the tests have ended and their data are deleted. */
  start(tests: Diagnostic[], portal: Portal, user: User): Promise<void> {
    if (this.#state.running !== null || tests.length === 0) {
      return this.#queue;
    }
    this.#stopping = new AbortController();
    this.#set({ running: tests[0]?.name ?? null, isStopping: false });
    const forgetSignOut = session.beforeSignOut(() => this.#stopForSignOut());
    const queue = this.#runAll(tests, portal, user).finally(() => {
      forgetSignOut();
      underWay.delete(queue);
      this.#set(AT_REST);
    });
    underWay.add(queue);
    this.#queue = queue;
    return queue;
  }

  /** Stops the running test at its next step, and deletes its data. Resolves when they are deleted. */
  stop(): Promise<void> {
    if (this.#state.running !== null && !this.#state.isStopping) {
      this.#set({ isStopping: true });
      this.#stopping.abort();
    }
    return this.#queue;
  }

  /** Test data can only be deleted with a session. */
  #stopForSignOut(): Promise<void> {
    toast.info('The tests are being stopped and their data deleted. You will be signed out after that.');
    return this.stop();
  }

  clear(): void {
    this.#set({ results: this.#state.results.filter((entry) => entry.status === 'running') });
  }

  /** Answers the question in the state. */
  answer(isYes: boolean): void {
    this.#answer?.(isYes);
  }

  async #runAll(tests: Diagnostic[], portal: Portal, user: User): Promise<void> {
    for (const [index, test] of tests.entries()) {
      if (this.#stopping.signal.aborted) {
        return;
      }
      const place = { number: index + 1, of: tests.length };
      this.#set({ running: test.name, place, progress: null });
      await this.#runOne(test, portal, user, tests.length === 1);
    }
  }

  async #runOne(test: Diagnostic, portal: Portal, user: User, isAttended: boolean): Promise<void> {
    const id = this.#nextId++;
    const at = new Date();
    const entry: ResultEntry = { id, name: test.name, status: 'running', message: 'Running…', at, ms: null };
    this.#set({ results: [entry, ...this.#state.results] });
    const start = performance.now();
    const stopped = this.#stopping.signal;
    const ended = new AbortController();
    const signal = anySignal([stopped, ended.signal]);
    const own = new Caller('own', signal);
    const world = new TestWorld(portal, own, user);
    this.#context.noteRun(world);
    const progress = (done: number, total: number, doing: string) => {
      if (!signal.aborted) {
        this.#set({ progress: { name: test.name, done, total, doing } });
      }
    };
    const finding = await test
      .run({
        portal,
        signal,
        own,
        world,
        context: this.#context,
        progress,
        pause: (ms) => pause(ms, signal),
        confirm: (question) => (isAttended ? this.#ask(question, signal) : Promise.resolve(false)),
      })
      .catch((error: unknown) => findingOf(error, stopped));
    // Concurrent calls of a failed test are stopped and awaited. Otherwise they would create data after the deletion.
    ended.abort();
    await own.settled();
    this.#set({ progress: { name: test.name, done: 1, total: 1, doing: TIDYING } });
    const { verdict, message, details } = await this.#tidied(finding, world);
    const ms = Math.round(performance.now() - start);
    const done: ResultEntry = { ...entry, status: verdict, message, details, ms };
    this.#set({ results: this.#state.results.map((one) => (one.id === id ? done : one)) });
  }

  async #tidied(finding: Finding, world: TestWorld): Promise<Finding> {
    const own = new Caller('own', new AbortController().signal);
    const kept = await world
      .remove(own)
      .catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
    if (kept.length === 0) {
      return finding;
    }
    this.#context.noteUnfinished(world);
    return failure(`${finding.message} Test data may still be there: run Cleanup Data.`, {
      finding: finding.details,
      stillThere: kept,
    });
  }

  #ask(question: Question, signal: AbortSignal): Promise<boolean> {
    return new Promise<boolean>((resolve, reject) => {
      throwIfAborted(signal);
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      this.#answer = resolve;
      this.#set({ question });
    }).finally(() => {
      this.#answer = null;
      this.#set({ question: null });
    });
  }

  #set(change: Partial<RunnerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** The finding of a test that threw. */
export function findingOf(error: unknown, stopped: AbortSignal): Finding {
  if (stopped.aborted) {
    return warning('Stopped before it was finished.');
  }
  if (error instanceof Unexpected) {
    return failure(`Test failed: ${error.message}`, detailsOf(error));
  }
  return failure(`Test failed: ${error instanceof Error && error.message ? error.message : 'Unknown error'}`);
}

function detailsOf(error: Unexpected): unknown {
  const { answer } = error;
  const refused = answer ? { call: answer.call, status: answer.status, answer: answer.body } : undefined;
  return error instanceof StepFailed ? { failed: refused, steps: error.steps } : refused;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
    const timer = setTimeout(done, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    function done() {
      signal.removeEventListener('abort', stop);
      resolve();
    }
  });
}
