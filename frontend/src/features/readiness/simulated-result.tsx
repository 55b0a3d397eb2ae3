import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconPlayerStop } from '@tabler/icons-react';
import type { AssemblyFigures } from '../../shared/diagnostics/assembly/measurements';
import type { ResultEntry } from '../../shared/diagnostics/run/runner';
import { formatTime } from '../../shared/format';
import { AssemblyTable } from './assembly-table';
import classes from './readiness.module.css';

const ANSWERS = {
  success: { words: 'Green: ready', icon: IconCircleCheck },
  warning: { words: 'Amber: ready, with limits', icon: IconAlertTriangle },
  error: { words: 'Red: not ready', icon: IconCircleX },
  stopped: { words: 'Stopped: no answer', icon: IconPlayerStop },
};

/** Green, amber or red, with the remedy and the measurements. */
export function SimulatedResult({ entry }: { entry: ResultEntry }) {
  const figures = figuresOf(entry.details);
  const answer = answerOf(entry, figures);
  const { words, icon: Icon } = ANSWERS[answer];
  return (
    <>
      <div className={classes.answer} data-answer={answer} role="status">
        <Icon size={24} stroke={1.75} aria-hidden="true" />
        <div>
          <h3 className={classes.answerWords}>{words}</h3>
          <p>{entry.message}</p>
          <p className={classes.quiet}>
            {entry.name}, started at {formatTime(entry.at.toISOString())}.
          </p>
        </div>
      </div>
      {figures ? <AssemblyTable figures={figures} /> : null}
    </>
  );
}

function answerOf({ status }: ResultEntry, figures: AssemblyFigures | null): keyof typeof ANSWERS {
  if (status === 'success' || status === 'error') {
    return status;
  }
  // A run stopped without measurements has no verdict.
  return figures ? 'warning' : 'stopped';
}

/** If test data could not be deleted, the runner wraps the finding. */
function figuresOf(details: unknown): AssemblyFigures | null {
  if (typeof details !== 'object' || details === null) {
    return null;
  }
  if ('finding' in details) {
    return figuresOf(details.finding);
  }
  return 'forecast' in details ? (details as AssemblyFigures) : null;
}
