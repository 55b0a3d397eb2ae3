import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Question } from '../../../api/types';
import { formatElapsed } from '../../../shared/format';
import type { LiveQuestion } from '../../../shared/live/live-events';
import { useServerNow } from '../../../shared/live/use-now';
import { StatusBadge } from '../../../shared/ui/status-badge';
import type { OpeningObstacle } from '../quorum/opening-obstacle';
import type { StepKind, StepOrder, stepOrders } from '../steps/step-commands';
import { CountdownPanel } from './countdown-panel';
import { KeyLegend } from './key-legend';
import { QuestionFace } from './question-content';
import classes from './question-panel.module.css';
import { type StageKey, useStageKeys } from './use-control-keys';

interface QuestionPanelProps {
  questions: Question[];
  index: number;
  /** The live question, where it is the one of this panel. */
  current: LiveQuestion | null;
  /** How the question's last round ended; null where it has not been voted on. */
  ended: 'ended' | 'declared' | null;
  /** What speaks against opening it now. */
  obstacle: OpeningObstacle | null;
  orders: ReturnType<typeof stepOrders>;
  underWay: StepKind | null;
  onStep: (order: StepOrder) => void;
  /** The question whether to end the round all the same, while it is asked. */
  guard: ReactNode;
  onCancelGuard: () => void;
  news: ReactNode;
  /** How it is decided, and who takes no part. */
  terms: ReactNode;
  onMinutes: () => void;
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** The current question as voters see it, and the one big button of the moment. */
export function QuestionPanel(props: QuestionPanelProps) {
  const { questions, index, current, ended, obstacle, orders, underWay, onStep, guard, onCancelGuard, news } =
    props;
  const { terms, onMinutes } = props;
  const root = useRef<HTMLElement>(null);
  const question = questions[index];
  const previous = questions[index - 1];
  const next = questions[index + 1];
  const isOpen = current?.isActive ?? false;
  /** A re-vote says itself why it cannot be opened. */
  const isBarred = !isOpen && ended !== 'declared' && obstacle?.kind === 'bar';
  const isAsking = guard !== null;
  const isBlocked = underWay !== null || isAsking;

  const steps: Record<Exclude<StageKey, 'cancel' | 'minutes'>, StepOrder | null> = {
    previous: previous ? orders.move(previous, 'previous') : null,
    main: question && !isBarred ? (isOpen ? orders.end() : orders.start(question)) : null,
    next: next ? orders.move(next, 'next') : null,
  };

  useStageKeys(true, (key) => {
    if (key === 'cancel') {
      onCancelGuard();
    } else if (key === 'minutes') {
      onMinutes();
    } else {
      make(steps[key]);
    }
  });

  // The button that had the focus may be gone or disabled now, and the keyboard with it.
  useEffect(() => {
    if (underWay === null && !isAsking && document.activeElement === document.body) {
      root.current?.focus({ preventScroll: true });
    }
  }, [underWay, isAsking]);

  function make(order: StepOrder | null) {
    if (order !== null && !isBlocked) {
      onStep(order);
    }
  }

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
      // Clicked, not pressed by a key: the next press of Space is meant for the stage, not for this button.
      root.current?.focus({ preventScroll: true });
    }
    make(order);
  }

  if (!question) {
    return null;
  }
  return (
    <section ref={root} className={classes.root} aria-labelledby="question-control" tabIndex={-1}>
      <div className={classes.head}>
        <h2 id="question-control" className={classes.title}>
          Question Control - {index + 1} of {questions.length}
        </h2>
        <Phase isOpen={isOpen} isShown={current !== null} ended={ended} />
        {isOpen && current?.openedAt ? <Elapsed since={current.openedAt} /> : null}
      </div>
      {isOpen && current ? (
        <CountdownPanel
          closesAt={current.closesAt}
          underWay={underWay}
          onStart={(seconds) => make(orders.countdown(seconds))}
          onExtend={(seconds) => make(orders.extend(seconds))}
          onStop={() => make(orders.stopCountdown())}
        />
      ) : null}
      <QuestionFace question={question} />
      {terms}
      <div className={classes.foot}>
        <div className={classes.actions}>
          <Button
            variant="default"
            size="lg"
            leftSection={<IconChevronLeft {...ICON} />}
            disabled={!previous}
            className={isBlocked ? classes.busy : undefined}
            aria-disabled={isBlocked || undefined}
            onMouseDown={keepFocusIfBlocked}
            onClick={(event) => handleClick(event, steps.previous)}
          >
            {underWay === 'previous' ? 'Moving…' : 'Previous'}
          </Button>
          <Button
            className={[classes.main, isBlocked || isBarred ? classes.busy : undefined]
              .filter(Boolean)
              .join(' ')}
            // Where the voting is done, declaring and moving on are the next steps, and opening again the exception.
            variant={isOpen ? 'outline' : ended ? 'default' : 'filled'}
            {...(isOpen ? { color: 'var(--plenum-accent)' } : {})}
            leftSection={isOpen ? <IconPlayerStop {...ICON} /> : <IconPlayerPlay {...ICON} />}
            aria-disabled={isBlocked || isBarred || undefined}
            aria-describedby={isBarred ? 'stage-hint' : undefined}
            onMouseDown={keepFocusIfBlocked}
            onClick={(event) => handleClick(event, steps.main)}
          >
            {mainLabel(isOpen, underWay)}
          </Button>
          <Button
            variant={ended === 'declared' && !isOpen ? 'filled' : 'default'}
            size="lg"
            rightSection={<IconChevronRight {...ICON} />}
            disabled={!next}
            className={isBlocked ? classes.busy : undefined}
            aria-disabled={isBlocked || undefined}
            onMouseDown={keepFocusIfBlocked}
            onClick={(event) => handleClick(event, steps.next)}
          >
            {underWay === 'next' ? 'Moving…' : 'Next'}
          </Button>
        </div>
        {guard}
        {news}
      </div>
      <p id="stage-hint" className={classes.hint}>
        {isBarred ? `Voting cannot be opened. ${obstacle.words}` : hintFor(isOpen, ended)}
      </p>
      <KeyLegend />
    </section>
  );
}

const PAST = { ended: 'Ended', declared: 'Declared' };
const SHOWN = { ended: 'On screen, voting closed', declared: 'On screen, result declared' };

function mainLabel(isOpen: boolean, underWay: StepKind | null): string {
  if (underWay === 'start') {
    return 'Starting…';
  }
  if (underWay === 'end') {
    return 'Ending…';
  }
  return isOpen ? 'End Question' : 'Start Question';
}

function hintFor(isOpen: boolean, ended: QuestionPanelProps['ended']): string {
  if (isOpen) {
    return 'Ending the question closes the voting for everyone. Previous and Next end it as well.';
  }
  switch (ended) {
    case 'declared':
      return 'The result is declared. Starting the question again begins a re-vote: a new round, with a reason that you state.';
    case 'ended':
      return 'Starting the question again reopens voting. The votes already cast are kept.';
    case null:
      return 'Starting the question opens the voting for everyone in the register.';
  }
}

interface PhaseProps extends Pick<QuestionPanelProps, 'ended'> {
  isOpen: boolean;
  isShown: boolean;
}

function Phase({ isOpen, isShown, ended }: PhaseProps) {
  if (isOpen) {
    return <StatusBadge tone="good">Voting open</StatusBadge>;
  }
  if (isShown) {
    return <StatusBadge tone="info">{ended ? SHOWN[ended] : 'On screen, not opened yet'}</StatusBadge>;
  }
  return <StatusBadge tone="neutral">{ended ? PAST[ended] : 'Not on screen'}</StatusBadge>;
}

function Elapsed({ since }: { since: string }) {
  const now = useServerNow(1_000);
  return (
    <span className={classes.elapsed} role="timer" aria-label="Elapsed time">
      Elapsed {formatElapsed((now - Date.parse(since)) / 1_000)}
    </span>
  );
}
