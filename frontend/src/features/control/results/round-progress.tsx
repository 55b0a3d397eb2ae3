import { IconCheck } from '@tabler/icons-react';
import type { Round } from '../../../api/types';
import classes from './round-progress.module.css';

const STEPS = [
  { status: 'OPEN', label: 'Open' },
  { status: 'ENDED', label: 'Closed' },
  { status: 'COUNTED', label: 'Counted' },
  { status: 'DECLARED', label: 'Declared' },
] as const;

/** The progress of a round. */
export function RoundProgress({ status }: { status: Round['status'] }) {
  const present = STEPS.findIndex((step) => step.status === status);
  return (
    <ol className={classes.root} aria-label="Steps of the round">
      {STEPS.map(({ label }, index) => (
        <li
          key={label}
          className={classes.step}
          data-state={index < present ? 'done' : index === present ? 'present' : 'ahead'}
          aria-current={index === present ? 'step' : undefined}
        >
          <span className={classes.mark} aria-hidden="true">
            {index <= present ? <IconCheck size={12} stroke={3} /> : null}
          </span>
          {label}
        </li>
      ))}
    </ol>
  );
}
