import { type RefObject, useLayoutEffect, useRef } from 'react';

const LARGEST = 1.3;
const SMALLEST = 0.1;
/** Each halves what is left of the range: after these the size is right within a hundredth. */
const MAX_ATTEMPTS = 8;

/**
 * Makes what is in an element as large as the element allows: sets `--fit` to the largest size at which nothing
 * overflows. The longest question with the most options still fits on the presentation without scrolling. `content` names what
 * is in the element: as long as it and the element's size stay as they are, nothing is touched.
 */
export function useFit<Element extends HTMLElement>(content: string): RefObject<Element | null> {
  const element = useRef<Element>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again whenever the content is another one.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) {
      return;
    }
    let measured = '';
    const measure = () => {
      measured = sizeOf(current);
      fill(current);
    };
    measure();
    const observer = new ResizeObserver(() => {
      if (sizeOf(current) !== measured) {
        measure();
      }
    });
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

function sizeOf(element: HTMLElement): string {
  return `${element.clientWidth} ${element.clientHeight}`;
}

function fill(element: HTMLElement): void {
  const fits = (scale: number) => {
    element.style.setProperty('--fit', String(scale));
    return element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth;
  };
  if (fits(LARGEST)) {
    return;
  }
  let [low, high] = [SMALLEST, LARGEST];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const middle = (low + high) / 2;
    [low, high] = fits(middle) ? [middle, high] : [low, middle];
  }
  element.style.setProperty('--fit', String(low));
}
