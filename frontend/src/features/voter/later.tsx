import { type ComponentType, createElement, lazy, Suspense, useSyncExternalStore } from 'react';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 16_000;

/**
 * A part of a voter's screen that few voters need. `Loading` is shown until it is loaded, and `Failed` after the first
 * failure. It is tried until it succeeds, because the page may stay open for hours. Some browsers answer each further attempt
 * with the first failure, so `Failed` must be good for the life of the page.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Loading: ComponentType<Props> = () => null,
  Failed: ComponentType<Props> = Loading,
): ComponentType<Props> {
  const failure = new Failure();
  const Part = lazy(() => loaded(load, failure.note, FIRST_PAUSE_MS));
  function Waiting(props: Props) {
    const hasFailed = useSyncExternalStore(failure.subscribe, failure.isNoted);
    return createElement(hasFailed ? Failed : Loading, props);
  }
  return (props) => (
    <Suspense fallback={createElement(Waiting, props)}>
      {createElement(Part as ComponentType<Props>, props)}
    </Suspense>
  );
}

class Failure {
  #hasFailed = false;
  #listeners = new Set<() => void>();

  readonly isNoted = () => this.#hasFailed;

  readonly note = () => {
    this.#hasFailed = true;
    for (const listener of this.#listeners) {
      listener();
    }
  };

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

async function loaded<Part>(
  load: () => Promise<Part>,
  onFailure: () => void,
  pauseMs: number,
): Promise<{ default: Part }> {
  try {
    return { default: await load() };
  } catch {
    onFailure();
    // Not all phones of a hall at the same moment.
    const share = 0.5 + Math.random() / 2;
    await new Promise((resolve) => window.setTimeout(resolve, pauseMs * share));
    return loaded(load, onFailure, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
  }
}
