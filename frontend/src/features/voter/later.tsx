import { type ComponentType, createElement, lazy, Suspense } from 'react';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 16_000;

/**
 * A part of a voter's screen that few voters need. `Loading` is shown until it is loaded. That is tried until it succeeds,
 * because the page may stay open for hours. Some browsers answer each further attempt with the first failure, so `Loading`
 * must be good for the life of the page.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Loading: ComponentType<Props> = () => null,
): ComponentType<Props> {
  const Part = lazy(() => loaded(load, FIRST_PAUSE_MS));
  return (props) => (
    <Suspense fallback={createElement(Loading, props)}>
      {createElement(Part as ComponentType<Props>, props)}
    </Suspense>
  );
}

async function loaded<Part>(load: () => Promise<Part>, pauseMs: number): Promise<{ default: Part }> {
  try {
    return { default: await load() };
  } catch {
    // Not all phones of a hall at the same moment.
    await new Promise((resolve) => window.setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2)));
    return loaded(load, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
  }
}
