import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Question, Round } from '../../../api/types';
import type { LiveQuestion } from '../../../shared/live/live-events';
import type { RoundEnd } from '../agenda/agenda-state';
import type { OpeningObstacle } from '../quorum/opening-obstacle';
import type { StepKind, StepOrder, stepOrders } from '../steps/step-commands';
import { CountdownPanel } from './countdown-panel';
import { KeyLegend } from './key-legend';
import { QuestionContent } from './question-content';
import classes from './question-panel.module.css';
import { Elapsed, Phase } from './question-phase';
import { type PanelSteps, StepButtons } from './step-buttons';
import { useControlKeys } from './use-control-keys';

interface QuestionPanelProps {
  questions: Question[];
  index: number;
  /** The live question, if it is the one of this panel. */
  current: LiveQuestion | null;
  /** The end of the question's last round; null if there was none. */
  ended: RoundEnd | null;
  /** Its last round, if it has uncounted votes. */
  uncounted: Round | null;
  /** The reason not to open it now. */
  obstacle: OpeningObstacle | null;
  orders: ReturnType<typeof stepOrders>;
  underWay: StepKind | null;
  onStep: (order: StepOrder) => void;
  /** The question whether to end the round anyway, while it is open. */
  guard: ReactNode;
  onCancelGuard: () => void;
  notice: ReactNode;
  /** The decision rule, and the excluded people. */
  terms: ReactNode;
  onMinutes: () => void;
}

/** The current question as voters see it, and the button of the next step. */
export function QuestionPanel(props: QuestionPanelProps) {
  const { questions, index, current, ended, uncounted, obstacle, orders, underWay, onStep, guard } = props;
  const root = useRef<HTMLElement>(null);
  const question = questions[index];
  const isOpen = current?.isActive ?? false;
  /** A re-vote shows the reason why it cannot be opened itself. */
  const isBarred = !isOpen && (ended === null || ended === 'ended') && obstacle?.kind === 'bar';
  const isBlocked = underWay !== null || guard !== null;
  const countable = isOpen ? null : uncounted;
  const steps = panelSteps(props, { isOpen, isBarred, countable });

  useControlKeys(true, (key) => {
    if (key === 'cancel') {
      props.onCancelGuard();
    } else if (key === 'minutes') {
      props.onMinutes();
    } else if (key !== 'main' || countable === null) {
      // One press of Space too many after the end must not count the votes, because counting cannot be undone.
      make(steps[key]);
    }
  });

  useFocusReturn(root, isBlocked);

  function make(order: StepOrder | null) {
    if (order !== null && !isBlocked) {
      onStep(order);
    }
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
      <QuestionContent question={question} />
      {props.terms}
      <div className={classes.foot}>
        <StepButtons
          steps={steps}
          isOpen={isOpen}
          isSecret={question.secrecy === 'secret'}
          ended={ended}
          reopen={countable ? orders.start(question) : null}
          underWay={underWay}
          isBlocked={isBlocked}
          isBarred={isBarred}
          hintId="question-hint"
          panel={root}
          onStep={make}
        />
        {guard}
        {props.notice}
      </div>
      <p id="question-hint" className={classes.hint}>
        {isBarred
          ? `Voting cannot be opened. ${obstacle.words}`
          : hintFor({ isOpen, isVoid: current?.isVoid ?? false, ended, isCountable: countable !== null })}
      </p>
      <KeyLegend space={spaceWords(isOpen, ended, steps.main === null || countable !== null)} />
    </section>
  );
}

interface PanelState {
  isOpen: boolean;
  isBarred: boolean;
  /** The round that can be counted. */
  countable: Round | null;
}

/** The step of each button: the main one ends, counts or opens the question. */
function panelSteps(props: QuestionPanelProps, { isOpen, isBarred, countable }: PanelState): PanelSteps {
  const { questions, index, orders } = props;
  const [previous, question, next] = [questions[index - 1], questions[index], questions[index + 1]];
  let main: StepOrder | null = null;
  if (isOpen) {
    main = orders.end();
  } else if (question && countable) {
    main = orders.count(countable, question);
  } else if (question && !isBarred) {
    main = orders.start(question);
  }
  return {
    previous: previous ? orders.move(previous, 'previous') : null,
    main,
    next: next ? orders.move(next, 'next') : null,
  };
}

/**
 * Returns the focus to the panel. The button that had it may be removed or disabled, and keys would then have no
 * effect.
 */
function useFocusReturn(panel: RefObject<HTMLElement | null>, isWaiting: boolean) {
  useEffect(() => {
    if (!isWaiting && document.activeElement === document.body) {
      panel.current?.focus({ preventScroll: true });
    }
  }, [panel, isWaiting]);
}

/** The effect of Space. It never counts, and it does not reopen. */
function spaceWords(isOpen: boolean, ended: RoundEnd | null, isIdle: boolean): string | null {
  if (isIdle) {
    return null;
  }
  if (isOpen) {
    return 'End';
  }
  return ended === 'counted' || ended === 'declared' ? 'Re-vote' : 'Start';
}

interface HintFacts {
  isOpen: boolean;
  /** The key of the last round is lost. */
  isVoid: boolean;
  ended: RoundEnd | null;
  isCountable: boolean;
}

function hintFor({ isOpen, isVoid, ended, isCountable }: HintFacts): string {
  if (isOpen) {
    return 'Ending the question closes the voting for everyone. Previous and Next end it as well.';
  }
  if (isVoid) {
    return 'The vote is void. Starting the question again begins a re-vote: a new round, with a reason that you state.';
  }
  switch (ended) {
    case 'declared':
      return 'The result is declared. Starting the question again begins a re-vote: a new round, with a reason that you state.';
    case 'counted':
      return 'The votes are counted. Starting the question again begins a re-vote: a new round, with a reason that you state.';
    case 'ended':
      return isCountable
        ? 'Counting shows the result to you and is final. Until then you can reopen voting, and the votes already cast are kept.'
        : 'Nobody voted. Starting the question opens the voting anew.';
    case null:
      return 'Starting the question opens the voting for everyone in the register.';
  }
}
