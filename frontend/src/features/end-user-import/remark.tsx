import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './remark.module.css';

/** Something to know before going on. */
export function Remark({ tone, children }: { tone: 'info' | 'warning' | 'danger'; children: ReactNode }) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={classes.root} data-tone={tone}>
      <Icon className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
