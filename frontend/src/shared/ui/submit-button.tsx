import { Button, type ButtonProps } from '@mantine/core';
import classes from './submit-button.module.css';

interface SubmitButtonProps extends ButtonProps {
  isBusy: boolean;
  busyLabel: string;
  children: string;
}

/**
 * Shows that the action runs, and keeps the focus meanwhile; a disabled button would lose it. The form itself ignores a
 * second submit.
 */
export function SubmitButton({ isBusy, busyLabel, children, ...props }: SubmitButtonProps) {
  return (
    <Button
      {...props}
      type="submit"
      aria-disabled={isBusy || undefined}
      className={isBusy ? classes.busy : undefined}
    >
      {isBusy ? busyLabel : children}
    </Button>
  );
}
