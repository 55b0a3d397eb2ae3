import { IconCheck } from '@tabler/icons-react';
import type { ImportStep } from './import-state';
import classes from './import-steps.module.css';

const STEPS: { step: ImportStep; label: string }[] = [
  { step: 'choose', label: 'Choose file' },
  { step: 'match', label: 'Match columns' },
  { step: 'check', label: 'Check' },
  { step: 'done', label: 'Done' },
];

/** The current step between the file and the end users. */
export function ImportSteps({ step }: { step: ImportStep }) {
  const present = STEPS.findIndex((entry) => entry.step === step);
  return (
    <ol className={classes.steps} aria-label="Steps of the import">
      {STEPS.map((entry, index) => {
        const isOver = index < present || step === 'done';
        return (
          <li
            key={entry.step}
            className={classes.step}
            data-state={index === present ? 'present' : isOver ? 'over' : 'ahead'}
            aria-current={index === present ? 'step' : undefined}
          >
            <span className={classes.mark} aria-hidden="true">
              {isOver ? <IconCheck size={14} stroke={2} /> : index + 1}
            </span>
            <span className={classes.label}>{entry.label}</span>
          </li>
        );
      })}
    </ol>
  );
}
