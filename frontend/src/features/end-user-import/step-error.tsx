import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { FormError } from '../../shared/ui/form-error';
import classes from './step-error.module.css';

interface StepErrorProps {
  message: string;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** The error of a step, in its place. The previous choices are kept. */
export function StepError({ message, onRetry, isRetrying }: StepErrorProps) {
  return (
    <div className={classes.root}>
      <FormError message={message} />
      {onRetry ? (
        <Button
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
