import { type RefObject, useEffect, useRef } from 'react';

/** Each step starts at its top, for the eye, the keyboard and the screen reader. */
export function useStepFocus(step: string): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) {
      shown.current = step;
      window.scrollTo(0, 0);
      area.current?.querySelector('h2')?.focus({ preventScroll: true });
    }
  }, [step]);
  return area;
}
