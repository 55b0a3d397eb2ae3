import { type RefObject, useLayoutEffect, useRef } from 'react';

const LARGEST = 1.3;
const SMALLEST = 0.1;
/** Each attempt halves the remaining range. After these, the size is right within a hundredth. */
const MAX_ATTEMPTS = 8;

/**
 * Makes the content of an element as large as the element allows. Sets `--fit` to the largest size at which nothing
 * overflows. So the longest question with the most options fits on the presentation without scrolling. `content` is a
 * key of the content: nothing is measured while it and the element's size stay the same.
 */
export function useFit<Element extends HTMLElement>(content: string): RefObject<Element | null> {
  const element = useRef<Element>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again whenever the content changes.
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
    // A font that loads late changes every measure.
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
