import { IconInbox } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import classes from './state-view.module.css';

interface EmptyStateProps {
  title: string;
  hint?: string;
  /** The first step, if there is one. */
  action?: ReactNode;
  icon?: ComponentType<{ size?: number; stroke?: number }>;
}

/** Describes the future content of an empty screen. */
export function EmptyState({ title, hint, action, icon: Icon = IconInbox }: EmptyStateProps) {
  return (
    <div className={classes.root}>
      <span className={classes.icon} aria-hidden="true">
        <Icon size={24} stroke={1.5} />
      </span>
      <p className={classes.title}>{title}</p>
      {hint ? <p className={classes.hint}>{hint}</p> : null}
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}
