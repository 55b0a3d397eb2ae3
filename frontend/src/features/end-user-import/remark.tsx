import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './remark.module.css';

/** A note before the next step. */
export function Remark({ tone, children }: { tone: 'info' | 'warning' | 'danger'; children: ReactNode }) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={classes.root} data-tone={tone}>
      <Icon className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
