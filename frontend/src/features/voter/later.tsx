import { type ComponentType, createElement, lazy, Suspense } from 'react';

/** A part of a voter's screen that few voters need. `Failed` is shown if it cannot be loaded, `Loading` until it is. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failed: ComponentType<Props> = () => null,
  Loading: ComponentType<Props> = () => null,
): ComponentType<Props> {
  const Part = lazy(() => load().then(asDefault, () => asDefault(Failed)));
  return (props) => (
    <Suspense fallback={createElement(Loading, props)}>
      {createElement(Part as ComponentType<Props>, props)}
    </Suspense>
  );
}

const asDefault = <Component,>(component: Component) => ({ default: component });
