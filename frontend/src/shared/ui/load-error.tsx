import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './load-error.module.css';

interface LoadErrorProps {
  message: string;
  onRetry: () => void;
  isRetrying: boolean;
}

/** The error of one part of a screen: a line with another try. The other parts stay visible. */
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
