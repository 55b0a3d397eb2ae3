import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Runner, RunnerState } from './runner';

/**
 * What a runner does, for the page that started it. Leaving the page stops what runs, which then tidies up by itself; a
 * tab that is closed meanwhile is asked about by the browser.
 */
export function useRun(runner: Runner): RunnerState {
  const state = useSyncExternalStore(runner.subscribe, runner.state);
  const queryClient = useQueryClient();
  const isRunning = state.running !== null;

  useEffect(() => () => void runner.stop(), [runner]);

  useEffect(() => {
    if (!isRunning) {
      return;
    }
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', handleUnload);
    return () => {
      window.removeEventListener('beforeunload', handleUnload);
      // Lists may have shown test data that are gone, and leftovers may have come or gone.
      void queryClient.invalidateQueries();
    };
  }, [isRunning, queryClient]);

  return state;
}
