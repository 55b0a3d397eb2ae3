import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface LazyVisibleProps {
  /** The future height, so that nothing moves. */
  height: number;
  children: ReactNode;
}

/** Renders its content when it is close to the visible part of the page, or when the page is printed: a long chart takes a while. */
export function LazyVisible({ height, children }: LazyVisibleProps) {
  const root = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    if (isNear || !root.current) {
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setIsNear(true);
        }
      },
      { rootMargin: '600px' },
    );
    observer.observe(root.current);
    // The browser prints as soon as this returns.
    const handlePrint = () => flushSync(() => setIsNear(true));
    window.addEventListener('beforeprint', handlePrint);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', handlePrint);
    };
  }, [isNear]);

  return (
    <div ref={root} style={{ minHeight: height }}>
      {isNear ? children : null}
    </div>
  );
}
