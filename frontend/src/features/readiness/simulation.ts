import type { User } from '../../api/types';
import { simulateAssembly } from '../../shared/diagnostics/assembly/simulate';
import type { Diagnostic } from '../../shared/diagnostics/run/diagnostic';
import { type ResultEntry, Runner, type RunnerState } from '../../shared/diagnostics/run/runner';
import { useRun } from '../../shared/diagnostics/run/use-run';

export interface Simulation {
  state: RunnerState;
  /** The result of the last run; null before the first one, and while one runs. */
  result: ResultEntry | null;
  start: (voters: number, register: number) => void;
  stop: () => void;
}

/** Survives the page: if the page is left, the run stops and still deletes its data. */
let kept: { userId: string; meetingId: string; runner: Runner } | null = null;

/** The runner of one person and one meeting; another person or meeting gets a new one. */
function runnerOf(userId: string, meetingId: string): Runner {
  if (kept?.userId !== userId || kept.meetingId !== meetingId) {
    kept = { userId, meetingId, runner: new Runner() };
  }
  return kept.runner;
}

export function useSimulation(user: User, meetingId: string): Simulation {
  const runner = runnerOf(user.id, meetingId);
  const state = useRun(runner);
  const isRunning = state.running !== null;

  return {
    state,
    result: isRunning ? null : (state.results[0] ?? null),
    start: (voters, register) => {
      runner.clear();
      const name = `Simulated run of ${voters} voters`;
      const about = 'Makes voters, signs them in, and lets all of them vote at once.';
      const assembly: Diagnostic = { name, about, run: (run) => simulateAssembly(run, { voters, register }) };
      void runner.start([assembly], 'CLIENT', user);
    },
    stop: () => void runner.stop(),
  };
}
