import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import classes from '../question/ending-guard.module.css';
import type { OpeningObstacle } from './opening-obstacle';

interface QuorumGuardProps {
  /** Null once enough are present. */
  obstacle: OpeningObstacle | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks before a question is opened without its quorum. The focus is on "Wait", so that a second click or key press in
 * the same place does not open voting.
 */
export function QuorumGuard({ obstacle, onConfirm, onCancel }: QuorumGuardProps) {
  const id = useId();
  const wait = useRef<HTMLButtonElement>(null);

  useEffect(() => wait.current?.focus(), []);

  return (
    <div
      className={classes.root}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <IconAlertTriangle className={classes.icon} size={20} stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>
        <p id={`${id}-title`} className={classes.title}>
          {obstacle ? obstacle.words : 'The quorum is met now.'}
        </p>
        <p id={`${id}-text`} className={classes.text}>
          {obstacle ? 'Without a quorum, the vote decides nothing.' : 'You can open voting.'}
        </p>
        <div className={classes.actions}>
          <Button ref={wait} onClick={onCancel}>
            Wait
          </Button>
          <Button variant="outline" onClick={onConfirm}>
            {obstacle ? 'Start anyway' : 'Start Question'}
          </Button>
        </div>
      </div>
    </div>
  );
}
