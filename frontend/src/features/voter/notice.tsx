import { IconAlertCircle, IconCircleCheck, IconInfoCircle, IconLoader2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

export type NoticeTone = 'stored' | 'waiting' | 'refused' | 'info';

const ICON: Record<NoticeTone, typeof IconInfoCircle> = {
  stored: IconCircleCheck,
  waiting: IconLoader2,
  refused: IconAlertCircle,
  info: IconInfoCircle,
};

/** A stored vote is announced by its toast. */
const ROLE: Partial<Record<NoticeTone, string>> = { waiting: 'status', refused: 'alert', info: 'status' };

interface NoticeProps {
  tone: NoticeTone;
  title: string;
  /** For a notice whose text changes. */
  role?: 'status';
  children?: ReactNode;
}

/** The state of the vote in words; the color and the icon only repeat it. */
export function Notice({ tone, title, role, children }: NoticeProps) {
  const Icon = ICON[tone];
  return (
    <section className={classes.root} data-tone={tone} role={role ?? ROLE[tone]}>
      <Icon className={classes.icon} size={24} stroke={1.75} aria-hidden="true" />
      <div className={classes.body}>
        <h2 className={classes.title}>{title}</h2>
        {children}
      </div>
    </section>
  );
}
