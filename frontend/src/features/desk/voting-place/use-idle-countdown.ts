import { useEffect, useEffectEvent, useState } from 'react';

const TICK_MS = 1_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'input', 'touchmove', 'wheel'] as const;

/**
 * Calls back after this time without input. Returns the seconds that are left. By the clock, because the timers of a
 * device that sleeps stand still.
 */
export function useIdleCountdown(afterMs: number, onIdle: () => void): number {
  const [left, setLeft] = useState(afterMs / 1_000);
  const idle = useEffectEvent(onIdle);

  useEffect(() => {
    let last = Date.now();
    const handleInput = () => {
      last = Date.now();
      setLeft(afterMs / 1_000);
    };
    const check = () => {
      const rest = afterMs - (Date.now() - last);
      setLeft(Math.max(0, Math.ceil(rest / 1_000)));
      if (rest <= 0) {
        window.clearInterval(timer);
        idle();
      }
    };
    const timer = window.setInterval(check, TICK_MS);
    document.addEventListener('visibilitychange', check);
    for (const input of INPUTS) {
      document.addEventListener(input, handleInput, { passive: true });
    }
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
      for (const input of INPUTS) {
        document.removeEventListener(input, handleInput);
      }
    };
  }, [afterMs]);

  return left;
}
