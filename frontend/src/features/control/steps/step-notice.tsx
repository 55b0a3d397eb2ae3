import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './step-notice.module.css';

export interface Notice {
  tone: 'info' | 'warning';
  text: ReactNode;
}

/** Announces a change by another screen, or the reason of a refused step. */
export function StepNotice({ notice }: { notice: Notice | null }) {
  const Icon = notice?.tone === 'warning' ? IconAlertTriangle : IconInfoCircle;
  return (
    <div role="status">
      {notice ? (
        <p className={classes.root} data-tone={notice.tone}>
          <Icon className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
          <span>{notice.text}</span>
        </p>
      ) : null}
    </div>
  );
}
