import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { useSingleStart } from '../use-single-start';
import classes from './submit-button.module.css';

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  isBusy: boolean;
  busyLabel: string;
  children: string;
}

/**
 * Starts a longer action, and shows that it runs. Meanwhile the button does nothing, but keeps the focus; a disabled
 * button would lose it.
 */
export function BusyButton({ isBusy, busyLabel, children, onClick, className, ...props }: BusyButtonProps) {
  const startOnce = useSingleStart(isBusy);
  return (
    <Button
      {...props}
      aria-disabled={isBusy || undefined}
      className={[className, isBusy ? classes.busy : undefined].filter(Boolean).join(' ')}
      onClick={(event: MouseEvent<HTMLButtonElement>) => startOnce(() => onClick?.(event))}
    >
      {isBusy ? busyLabel : children}
    </Button>
  );
}
