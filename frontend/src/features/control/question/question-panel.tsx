import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Question, Round } from '../../../api/types';
import type { LiveQuestion } from '../../../shared/live/live-events';
import type { RoundEnd } from '../agenda/agenda-state';
import type { OpeningObstacle } from '../quorum/opening-obstacle';
import type { StepKind, StepOrder, stepOrders } from '../steps/step-commands';
import { CountdownPanel } from './countdown-panel';
import { KeyLegend } from './key-legend';
import { type CountedRound, type MainStep, mainStepOf } from './main-step';
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
  /** Its last round, if it is counted and not declared. */
  counted: CountedRound | null;
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
  const { questions, index, current, ended, uncounted, counted, obstacle, orders, underWay } = props;
  const { onStep, guard } = props;
  const root = useRef<HTMLElement>(null);
  const question = questions[index];
  const isOpen = current?.isActive ?? false;
  const isVoid = !isOpen && (current?.isVoid ?? false);
  /** A re-vote shows the reason why it cannot be opened itself. */
  const isBarred = !isOpen && !isVoid && (ended === null || ended === 'ended') && obstacle?.kind === 'bar';
  const isBlocked = underWay !== null || guard !== null;
  const countable = isOpen || isVoid ? null : uncounted;
  const main = mainStepOf({ isOpen, isVoid, countable, counted, ended });
  const steps = panelSteps(props, main, isBarred);

  useControlKeys(true, (key) => {
    if (key === 'cancel') {
      props.onCancelGuard();
    } else if (key === 'minutes') {
      props.onMinutes();
    } else if (key !== 'main' || main !== 'count') {
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
          main={main}
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
        {isBarred ? `Voting cannot be opened. ${obstacle.words}` : hintFor(main, ended, isVoid)}
      </p>
      <KeyLegend space={steps.main === null ? null : SPACE[main]} />
    </section>
  );
}

/** The orders of the buttons. */
function panelSteps(props: QuestionPanelProps, main: MainStep, isBarred: boolean): PanelSteps {
  const { questions, index, orders } = props;
  const [previous, next] = [questions[index - 1], questions[index + 1]];
  return {
    previous: previous ? orders.move(previous, 'previous') : null,
    main: mainOrder(props, main, isBarred),
    next: next ? orders.move(next, 'next') : null,
  };
}

function mainOrder(props: QuestionPanelProps, main: MainStep, isBarred: boolean): StepOrder | null {
  const { questions, index, uncounted, counted, orders } = props;
  const question = questions[index];
  if (!question) {
    return null;
  }
  switch (main) {
    case 'end':
      return orders.end();
    case 'count':
      return uncounted && orders.count(uncounted, question);
    case 'declare':
      return counted?.result ? orders.declare(counted.round, question) : null;
    case 'tie':
      return null;
    case 'revote':
      // Asks for the reason first.
      return orders.start(question);
    case 'start':
      return isBarred ? null : orders.start(question);
  }
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
const SPACE: Record<MainStep, string | null> = {
  start: 'Start',
  end: 'End',
  count: null,
  declare: 'Declare',
  tie: null,
  revote: 'Re-vote',
};

function hintFor(main: MainStep, ended: RoundEnd | null, isVoid: boolean): string {
  switch (main) {
    case 'end':
      return 'Ending the question closes the voting for everyone. Previous and Next end it as well.';
    case 'count':
      return 'Counting shows the result to you and is final. Until then you can reopen voting, and the votes already cast are kept.';
    case 'declare':
      return 'The votes are counted. Declaring shows the result to everyone and is final. You read it once more before that.';
    case 'tie':
      return 'The result can be declared once the tie is decided.';
    case 'revote':
      return `The ${isVoid ? 'vote is void' : 'result is declared'}. A re-vote is a new round, with a reason that you state.`;
    case 'start':
      return ended === null
        ? 'Starting the question opens the voting for everyone in the register.'
        : 'Nobody voted. Starting the question opens the voting anew.';
  }
}
