import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Runner, RunnerState } from './runner';

/**
 * The state of a runner, for the page that started it. Leaving the page stops the run, which then deletes its data. If
 * the tab is closed meanwhile, the browser asks first.
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
      // Lists may have shown deleted test data, and leftovers may have changed.
      void queryClient.invalidateQueries();
    };
  }, [isRunning, queryClient]);

  return state;
}
