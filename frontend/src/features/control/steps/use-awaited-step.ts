import { useRef } from 'react';
import { ApiError } from '../../../api/api-error';

export interface AwaitedStep {
  /** Receives each step number that the live state has. */
  follow: (step: number) => void;
  /** Whether the meeting has made a step since this one. */
  hasPassed: (step: number) => boolean;
  /**
   * The response to a step that is based on this one. Gives up, as if the server was unreachable, this long after the
   * meeting has passed it: only the response can be lost then.
   */
  unlessPassed: <Made>(response: Promise<Made>, seenStep: number, lateMs: number) => Promise<Made>;
}

/** Compares the response that a screen waits for with the live state, which may show the result of the step earlier. */
export function useAwaitedStep(): AwaitedStep {
  const latest = useRef(-1);
  const whileAwaited = useRef<() => void>(undefined);

  const hasPassed = (step: number) => latest.current > step;

  function follow(step: number): void {
    latest.current = step;
    whileAwaited.current?.();
  }

  function unlessPassed<Made>(response: Promise<Made>, seenStep: number, lateMs: number): Promise<Made> {
    return new Promise((resolve, reject) => {
      let timer: number | undefined;
      const check = () => {
        if (hasPassed(seenStep)) {
          timer ??= window.setTimeout(() => reject(ApiError.unreachable()), lateMs);
        }
      };
      whileAwaited.current = check;
      void response.then(resolve, reject).finally(() => {
        window.clearTimeout(timer);
        // The response may come when the next step is awaited already.
        if (whileAwaited.current === check) {
          whileAwaited.current = undefined;
        }
      });
    });
  }

  return { follow, hasPassed, unlessPassed };
}
