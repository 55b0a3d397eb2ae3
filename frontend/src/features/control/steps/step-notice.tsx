import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import classes from './step-notice.module.css';

export interface News {
  tone: 'info' | 'warning';
  text: string;
}

/** What happened to the stage that was not asked for from here, or why it did not happen; told politely. */
export function StageNews({ news }: { news: News | null }) {
  const Icon = news?.tone === 'warning' ? IconAlertTriangle : IconInfoCircle;
  return (
    <div role="status">
      {news ? (
        <p className={classes.root} data-tone={news.tone}>
          <Icon className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
          <span>{news.text}</span>
        </p>
      ) : null}
    </div>
  );
}
