import { type ComponentType, createElement, lazy, Suspense } from 'react';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 16_000;

/**
 * A part of a voter's screen that few voters need. `Loading` is shown until it is loaded. That is tried until it succeeds:
 * the page may stay open for hours, and the network may fail only now.
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
    await new Promise((resolve) => window.setTimeout(resolve, pauseMs));
    return loaded(load, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
  }
}
