import { Button } from '@mantine/core';
import { IconEyeOff, IconGavel, IconLock, IconRepeat, IconScreenShare } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Result, Round } from '../../../api/types';
import { formatExact, formatTime } from '../../../shared/format';
import { BusyButton } from '../../../shared/ui/busy-button';
import classes from './declaration.module.css';
import type { RoundActions } from './round-actions';
import { waitsForTie } from './waits-for-tie';

interface DeclarationProps {
  round: Round;
  result: Result;
  actions: RoundActions;
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** The declaration of a result, or the button that declares it. */
export function Declaration({ round, result, actions }: DeclarationProps) {
  const { declared } = result;
  const { onDeclare, isDeclaring, declaresInPanel, onRevote, onShow } = actions;
  const root = useRef<HTMLDivElement>(null);
  const isWaiting = waitsForTie(result);
  const isOffered = declared === null && !isWaiting && declaresInPanel !== round.id;
  useEffect(() => {
    if (isOffered) {
      // Declaring is the next step, and its button may be below the screen: bring it into view.
      root.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isOffered]);

  return (
    <div ref={root} className={classes.root} data-offered={isOffered} data-declared={declared !== null}>
      {/* Announced once, when it changes. */}
      <p className={classes.words} role="status">
        {declared ? (
          <>
            <IconLock {...ICON} />
            <span>
              Declared at{' '}
              <time dateTime={declared.at} title={formatExact(declared.at)}>
                {formatTime(declared.at)}
              </time>{' '}
              by {declared.by}
            </span>
          </>
        ) : (
          <>
            <IconEyeOff {...ICON} />
            <span>
              Only you see this. The presentation and the voters’ screens show it when you declare it.
            </span>
          </>
        )}
      </p>
      <div className={classes.actions}>
        {isOffered ? (
          <BusyButton
            className={classes.declare}
            size="lg"
            isBusy={isDeclaring}
            busyLabel="Declaring…"
            leftSection={<IconGavel {...ICON} />}
            onClick={() => onDeclare(round, result)}
          >
            Declare result
          </BusyButton>
        ) : null}
        {declared && onShow ? (
          <Button variant="default" leftSection={<IconScreenShare {...ICON} />} onClick={onShow}>
            Show Result on Presentation
          </Button>
        ) : null}
        {onRevote ? (
          <Button variant="default" leftSection={<IconRepeat {...ICON} />} onClick={onRevote}>
            Re-vote
          </Button>
        ) : null}
      </div>
    </div>
  );
}
