import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { Reference } from './reference';
import classes from './state-view.module.css';

interface ErrorStateProps {
  title: string;
  hint?: string | undefined;
  /** The reference of an unexpected error; see `referenceOf`. */
  reference?: string | null;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** Names the part that could not be loaded and offers another try. */
export function ErrorState({ title, hint, reference, onRetry, isRetrying }: ErrorStateProps) {
  return (
    <div className={classes.root} data-tone="error" role="alert">
      <span className={classes.icon} aria-hidden="true">
        <IconAlertTriangle size={24} stroke={1.5} />
      </span>
      <p className={classes.title}>{title}</p>
      {hint ? <p className={classes.hint}>{hint}</p> : null}
      {reference ? <Reference id={reference} /> : null}
      {onRetry ? (
        <Button
          className={classes.action}
          variant="default"
          loading={isRetrying}
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden="true" />}
          onClick={onRetry}
        >
          Try again
        </Button>
      ) : null}
    </div>
  );
}
