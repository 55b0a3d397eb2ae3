import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import type { MouseEvent, RefObject } from 'react';
import type { StepKind, StepOrder } from '../steps/step-commands';
import classes from './question-panel.module.css';
import type { ControlKey } from './use-control-keys';

export type PanelSteps = Record<Exclude<ControlKey, 'cancel' | 'minutes'>, StepOrder | null>;

interface StepButtonsProps {
  /** The step of each button; null where there is none. */
  steps: PanelSteps;
  isOpen: boolean;
  ended: 'ended' | 'declared' | null;
  underWay: StepKind | null;
  isBlocked: boolean;
  /** The question cannot be opened; the hint gives the reason. */
  isBarred: boolean;
  hintId: string;
  /** Takes the focus after a click. */
  panel: RefObject<HTMLElement | null>;
  onStep: (order: StepOrder | null) => void;
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** Previous, Start or End, and Next. */
export function StepButtons(props: StepButtonsProps) {
  const { steps, isOpen, ended, underWay, isBlocked, isBarred, hintId, panel, onStep } = props;

  /** The second press of a double click must not take the focus from the question that the first one brought up. */
  function keepFocusIfBlocked(event: MouseEvent) {
    if (isBlocked) {
      event.preventDefault();
    }
  }

  function handleClick(event: MouseEvent, order: StepOrder | null) {
    // The second click of a double click is a slip.
    if (isBlocked || event.detail > 1) {
      return;
    }
    if (event.detail === 1) {
      // Clicked, not pressed by a key: the next press of Space is meant for the panel, not for this button.
      panel.current?.focus({ preventScroll: true });
    }
    onStep(order);
  }

  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        size="lg"
        leftSection={<IconChevronLeft {...ICON} />}
        disabled={steps.previous === null}
        className={isBlocked ? classes.busy : undefined}
        aria-disabled={isBlocked || undefined}
        onMouseDown={keepFocusIfBlocked}
        onClick={(event) => handleClick(event, steps.previous)}
      >
        {underWay === 'previous' ? 'Moving…' : 'Previous'}
      </Button>
      <Button
        className={[classes.main, isBlocked || isBarred ? classes.busy : undefined].filter(Boolean).join(' ')}
        // Where the voting is done, declaring and moving on are the next steps, and opening again the exception.
        variant={isOpen ? 'outline' : ended ? 'default' : 'filled'}
        {...(isOpen ? { color: 'var(--plenum-accent)' } : {})}
        leftSection={isOpen ? <IconPlayerStop {...ICON} /> : <IconPlayerPlay {...ICON} />}
        aria-disabled={isBlocked || isBarred || undefined}
        aria-describedby={isBarred ? hintId : undefined}
        onMouseDown={keepFocusIfBlocked}
        onClick={(event) => handleClick(event, steps.main)}
      >
        {mainLabel(isOpen, underWay)}
      </Button>
      <Button
        variant={ended === 'declared' && !isOpen ? 'filled' : 'default'}
        size="lg"
        rightSection={<IconChevronRight {...ICON} />}
        disabled={steps.next === null}
        className={isBlocked ? classes.busy : undefined}
        aria-disabled={isBlocked || undefined}
        onMouseDown={keepFocusIfBlocked}
        onClick={(event) => handleClick(event, steps.next)}
      >
        {underWay === 'next' ? 'Moving…' : 'Next'}
      </Button>
    </div>
  );
}

function mainLabel(isOpen: boolean, underWay: StepKind | null): string {
  if (underWay === 'start') {
    return 'Starting…';
  }
  if (underWay === 'end') {
    return 'Ending…';
  }
  return isOpen ? 'End Question' : 'Start Question';
}
