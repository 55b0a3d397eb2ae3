import { Button } from '@mantine/core';
import {
  IconCalculator,
  IconChevronLeft,
  IconChevronRight,
  IconGavel,
  IconHourglass,
  IconPlayerPlay,
  IconPlayerStop,
  IconRepeat,
} from '@tabler/icons-react';
import type { MouseEvent, ReactNode, RefObject } from 'react';
import { countLabel } from '../../../shared/terms/secrecy';
import type { RoundEnd } from '../agenda/agenda-state';
import type { StepKind, StepOrder } from '../steps/step-commands';
import type { MainStep } from './main-step';
import classes from './question-panel.module.css';
import type { ControlKey } from './use-control-keys';

export type PanelSteps = Record<Exclude<ControlKey, 'cancel' | 'minutes'>, StepOrder | null>;

interface StepButtonsProps {
  /** The step of each button; null without one. */
  steps: PanelSteps;
  main: MainStep;
  /** Counting opens the urn of a secret vote. */
  isSecret: boolean;
  ended: RoundEnd | null;
  /** Reopens voting, as long as the votes are not counted. */
  reopen: StepOrder | null;
  underWay: StepKind | null;
  isBlocked: boolean;
  /** The question cannot be opened; the hint gives the reason. */
  isBarred: boolean;
  hintId: string;
  /** Gets the focus after a click. */
  panel: RefObject<HTMLElement | null>;
  onStep: (order: StepOrder | null) => void;
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

const MAIN_ICON: Record<MainStep, ReactNode> = {
  start: <IconPlayerPlay {...ICON} />,
  end: <IconPlayerStop {...ICON} />,
  count: <IconCalculator {...ICON} />,
  declare: <IconGavel {...ICON} />,
  tie: <IconHourglass {...ICON} />,
  revote: <IconRepeat {...ICON} />,
};

/** The buttons for the previous question, the next step of this one, and the next question. */
export function StepButtons(props: StepButtonsProps) {
  const { steps, main, isSecret, ended, reopen, underWay, isBlocked, isBarred, hintId } = props;
  const isOpen = main === 'end';
  /** After declaring, or without a vote, moving on is the usual next step. */
  const isUnusual = main === 'start' ? ended !== null : main === 'revote' && ended === 'declared';
  const button = stepButton(props);
  const barred = isBarred ? { 'aria-describedby': hintId } : {};
  return (
    <div className={classes.actions} data-with-reopen={reopen ? true : undefined}>
      <Button
        variant="default"
        leftSection={<IconChevronLeft {...ICON} />}
        disabled={steps.previous === null}
        {...button(steps.previous, isBlocked)}
      >
        {underWay === 'previous' ? 'Moving…' : 'Previous'}
      </Button>
      <Button
        variant={isOpen ? 'outline' : isUnusual ? 'default' : 'filled'}
        {...(isOpen ? { color: 'var(--plenum-accent)' } : {})}
        leftSection={MAIN_ICON[main]}
        disabled={main === 'tie' || (main === 'declare' && steps.main === null)}
        {...barred}
        // Even a few votes can be counted.
        {...button(steps.main, isBlocked || (isBarred && reopen === null), classes.main)}
      >
        {mainLabel(main, underWay, isSecret)}
      </Button>
      {reopen ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay {...ICON} />}
          {...barred}
          {...button(isBarred ? null : reopen, isBlocked || isBarred, classes.reopen)}
        >
          {underWay === 'start' ? 'Reopening…' : 'Reopen'}
        </Button>
      ) : null}
      <Button
        variant={ended === 'declared' && !isOpen ? 'filled' : 'default'}
        rightSection={<IconChevronRight {...ICON} />}
        disabled={steps.next === null}
        {...button(steps.next, isBlocked)}
      >
        {underWay === 'next' ? 'Moving…' : 'Next'}
      </Button>
    </div>
  );
}

/** What the buttons have in common. A busy button keeps the focus, so it is not disabled. */
function stepButton({ isBlocked, panel, onStep }: StepButtonsProps) {
  /** The second press of a double click must not move the focus away from the confirmation. */
  function keepFocusIfBlocked(event: MouseEvent) {
    if (isBlocked) {
      event.preventDefault();
    }
  }

  function handleClick(event: MouseEvent, order: StepOrder | null) {
    // The second click of a double click is an accident.
    if (isBlocked || event.detail > 1) {
      return;
    }
    if (event.detail === 1) {
      // A click, not a key press: the next press of Space must act on the panel, not on this button.
      panel.current?.focus({ preventScroll: true });
    }
    onStep(order);
  }

  return (order: StepOrder | null, isBusy: boolean, ownClass?: string) => ({
    size: 'lg',
    className: classOf(ownClass, isBusy),
    'aria-disabled': isBusy || undefined,
    onMouseDown: keepFocusIfBlocked,
    onClick: (event: MouseEvent) => handleClick(event, order),
  });
}

function classOf(own: string | undefined, isBusy: boolean): string {
  return [own, isBusy ? classes.busy : undefined].filter(Boolean).join(' ');
}

const LABELS: Record<Exclude<MainStep, 'count'>, string> = {
  start: 'Start Question',
  end: 'End Question',
  declare: 'Declare result',
  tie: 'Tie Not Decided',
  revote: 'Re-vote',
};

/** The step that is under way, also if its result is on the screen before the response; otherwise the next one. */
function mainLabel(main: MainStep, underWay: StepKind | null, isSecret: boolean): string {
  if (underWay === 'end') {
    return 'Ending…';
  }
  if (main === 'count') {
    return underWay === 'count' ? 'Counting…' : countLabel(isSecret);
  }
  if (underWay === 'start') {
    return 'Starting…';
  }
  return main === 'declare' && underWay === 'declare' ? 'Declaring…' : LABELS[main];
}
