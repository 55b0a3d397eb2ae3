import { Button } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import classes from './step-guard.module.css';

interface StepGuardProps {
  title: string;
  text: string;
  cancelLabel: string;
  confirmLabel: string;
  /** `calm`: nothing speaks against the step any more, so its button is the strong one. */
  manner?: 'careful' | 'dangerous' | 'calm';
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks before a step that should perhaps wait. It appears away from the pressed button, with the focus on its cancel
 * button. So a second click or key press in the same place changes nothing.
 */
export function StepGuard(props: StepGuardProps) {
  const { title, text, cancelLabel, confirmLabel, manner = 'careful', onConfirm, onCancel } = props;
  const id = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const Icon = manner === 'calm' ? IconInfoCircle : IconAlertTriangle;

  useEffect(() => cancel.current?.focus(), []);

  return (
    <div
      className={classes.root}
      data-manner={manner}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <Icon className={classes.icon} size={20} stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>
        <p id={`${id}-title`} className={classes.title}>
          {title}
        </p>
        <p id={`${id}-text`} className={classes.text}>
          {text}
        </p>
        <div className={classes.actions}>
          <Button ref={cancel} variant={manner === 'calm' ? 'default' : 'filled'} onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button
            variant={manner === 'calm' ? 'filled' : 'outline'}
            color={manner === 'dangerous' ? 'var(--plenum-danger)' : undefined}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
    </div>
  );
}
