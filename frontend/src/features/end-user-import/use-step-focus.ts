import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls and moves the focus to the top of each new step. */
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
