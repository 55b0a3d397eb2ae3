import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './load-error.module.css';

interface LoadErrorProps {
  message: string;
  onRetry: () => void;
  isRetrying: boolean;
}

/** One of several parts of a screen could not be loaded: a line with another try; the other parts stay in sight. */
export function LoadError({ message, onRetry, isRetrying }: LoadErrorProps) {
  return (
    <div className={classes.root} role="alert">
      <IconAlertTriangle className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.message}>{message}</span>
      <Button size="xs" variant="default" loading={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
