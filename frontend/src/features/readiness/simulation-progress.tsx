import type { RunnerState } from '../../shared/diagnostics/run/runner';
import classes from './readiness.module.css';

/** The current action and the progress. */
export function SimulationProgress({ state }: { state: RunnerState }) {
  const { progress, isStopping } = state;
  const { done, total, doing } = progress ?? { done: 0, total: 1, doing: 'Starting' };
  return (
    <div className={classes.progress}>
      <p id="simulation-doing">{isStopping ? 'Stopping: the test data are being deleted' : doing}</p>
      <progress aria-labelledby="simulation-doing" value={done} max={Math.max(1, total)} />
    </div>
  );
}
