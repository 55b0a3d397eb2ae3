import type { Meeting, MeetingStatus, Question, Round } from '../../api/types';
import { isReachable } from '../../shared/live/live-connection';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { placeholderWords } from '../../shared/meeting/placeholders';
import { latestEnd, roundsOf, uncountedRound } from './agenda/agenda-state';
import type { CountedRound } from './question/main-step';
import type { VoteTrail } from './question/recent-votes';
import type { QuestionSelection } from './question/use-question-selection';
import { type OpeningObstacle, openingObstacle } from './quorum/opening-obstacle';
import { useDeclaring } from './results/use-declaring';
import { useRoundResult } from './results/use-round-result';
import { useRevoting } from './revote/use-revoting';
import { useRisk } from './secrecy/use-risk';
import type { StepOptions, StepOrder, stepOrders } from './steps/step-commands';
import { useConfirmedSteps } from './steps/use-confirmed-steps';
import type { Steps } from './steps/use-steps';

interface QuestionActionsOptions {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
  live: Live<LiveState>;
  status: MeetingStatus;
  /** The state that the organizer sees. */
  step: number;
  current: LiveQuestion | null;
  trail: VoteTrail;
  steps: Steps;
  orders: ReturnType<typeof stepOrders>;
  selection: QuestionSelection;
  /** Called before a step or a re-vote. */
  onAttempt: () => void;
  refreshRounds: () => void;
}

/** The steps, the declaration and the re-vote of questions, and the conditions for them. */
export function useQuestionActions(options: QuestionActionsOptions) {
  const { meeting, questions, rounds, live, status, step, current, trail, steps, orders } = options;
  const { selection, onAttempt, refreshRounds } = options;
  const { question } = selection;
  const openRound = current?.isActive && live.state ? { live: live.state, trail } : null;
  const endOf = ({ id }: Question) => latestEnd(roundsOf(rounds, id, live.state));
  const isVoid = (of: Question) => current?.id === of.id && current.isVoid;
  const ended = question ? endOf(question) : null;
  const ownRounds = question ? roundsOf(rounds, question.id, live.state) : [];
  const uncounted = uncountedRound(ownRounds);
  const counted = useCounted(meeting.id, ended === 'counted' ? ownRounds[0] : undefined);
  const obstacleTo = (of: Question) => reliableObstacle(of, meeting, live, questions);
  const obstacle = question && !current?.isActive ? obstacleTo(question) : null;
  const declaring = useDeclaring({ status, current, step, steps, orders });
  const revoting = useRevoting({
    questions,
    step,
    steps,
    orders,
    openRound,
    isDeclared: (of) => endOf(of) === 'declared',
    isVoid,
    obstacleTo,
    onDone: () => selection.preview(null),
  });
  const confirmedSteps = useConfirmedSteps({
    live: live.state,
    step,
    trail,
    obstacle,
    placeholders: question && ended === null ? placeholderWords(question) : null,
    needsRevote: ended === 'counted' || ended === 'declared' || (question !== undefined && isVoid(question)),
    onDeclare: () => {
      if (question && counted?.result) {
        onAttempt();
        declaring.ask(question, counted.round, counted.result, true);
      }
    },
    onRevote: () => {
      onAttempt();
      askForRevote();
    },
    onConfirmed: makeStep,
  });

  const riskDialog = useRisk({ questions, steps, run: makeStep });

  function makeStep(order: StepOrder, seenStep: number, options?: StepOptions) {
    onAttempt();
    if (order.kind === 'show' || order.kind === 'revote') {
      selection.preview(null);
    }
    void steps.run(order, seenStep, options).then((outcome) => {
      if (outcome === 'final' || outcome === 'void') {
        // Another screen has counted the votes a moment ago, or the key of the secret ballots is lost.
        refreshRounds();
        askForRevote(order.questionId);
      }
    });
  }

  function askForRevote(questionId = question?.id) {
    if (questionId) {
      revoting.ask(questionId);
    }
  }

  return {
    openRound,
    ended,
    uncounted,
    counted,
    endOf,
    obstacle,
    declaring,
    revoting,
    confirmedSteps,
    riskDialog,
  };
}

/** The panel's latest round, if it is counted and not declared, with its result once that is loaded. */
function useCounted(meetingId: string, round: Round | undefined): CountedRound | null {
  const result = useRoundResult(meetingId, round ?? null).data ?? null;
  return round ? { round, result: result?.roundId === round.id ? result : null } : null;
}

/** The reason not to open a question. Without a connection the counts may be old: then they only cause a warning. */
function reliableObstacle(
  question: Question,
  meeting: Meeting,
  live: Live<LiveState>,
  questions: Question[],
): OpeningObstacle | null {
  const shown = questions.find(({ id }) => id === live.state?.currentQuestion?.id);
  const obstacle = openingObstacle(question, meeting, live.state, shown);
  return obstacle?.kind === 'bar' && !isReachable(live.status) ? null : obstacle;
}
