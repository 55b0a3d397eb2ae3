import { type RefObject, useLayoutEffect, useRef } from 'react';

const STEPS = 24;
const SMALLEST = 0.28;

/**
 * Makes what is in an element as large as the element allows: sets `--fit` from 1 downwards until nothing
 * overflows. The longest question with the most options still fits on the wall without scrolling.
 */
export function useFit<Element extends HTMLElement>(content: unknown): RefObject<Element | null> {
  const element = useRef<Element>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again whenever the content is another one.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) {
      return;
    }
    const measure = () => {
      for (let step = 0; step <= STEPS; step += 1) {
        current.style.setProperty('--fit', String(1 - (step / STEPS) * (1 - SMALLEST)));
        if (current.scrollHeight <= current.clientHeight && current.scrollWidth <= current.clientWidth) {
          return;
        }
      }
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    // A font that arrives late changes every measure.
    document.fonts.addEventListener('loadingdone', measure);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener('loadingdone', measure);
    };
  }, [content]);

  return element;
}
