import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Meeting, Question, Round } from '../../api/types';
import { isReachable } from '../../shared/live/live-connection';
import type { LiveState } from '../../shared/live/live-events';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { Agenda } from './agenda/agenda';
import { restingQuestionId, roundsOf } from './agenda/agenda-state';
import { ControlHead } from './control-header';
import { type Panel, StagePanels } from './control-panels';
import classes from './control-view.module.css';
import { EndingGuard } from './question/ending-guard';
import { StageNote } from './question/no-question-note';
import { QuestionPanel } from './question/question-panel';
import { PanelComing } from './question/question-panel-skeleton';
import { QuestionPreview } from './question/question-preview';
import { QuestionTerms } from './question/question-terms';
import { VoteTrail } from './question/recent-votes';
import { type OpeningObstacle, openingObstacle } from './quorum/opening-obstacle';
import { QuorumGuard } from './quorum/quorum-guard';
import type { RoundActions } from './results/round-actions';
import { RoundResults } from './results/round-results';
import { useDeclaring } from './results/use-declaring';
import { useRevoting } from './revote/use-revoting';
import { ControlSidebar } from './sidebar/control-sidebar';
import { type StepKind, type StepOrder, stepOrders } from './steps/step-commands';
import { type News, StageNews } from './steps/step-notice';
import { useSteps } from './steps/use-steps';
import { useLiveChanges } from './use-live-changes';

interface ControlViewProps {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
}

/** The control view: the agenda, the current question and the figures, each in a fixed place. */
export function ControlView({ meeting, questions, rounds }: ControlViewProps) {
  const queryClient = useQueryClient();
  /** Where the panel stands while no question is current. */
  const [restingId, setRestingId] = useState(() => restingQuestionId(questions, rounds));
  /** A question that is previewed, where it is not the panel's own. */
  const [viewedId, setViewedId] = useState<string | null>(null);
  /**
   * A step that ends a round into which votes still come, or opens one while too few are present, until it is
   * confirmed; and the state it was decided on.
   */
  const [asked, setAsked] = useState<{ order: StepOrder; step: number } | null>(null);
  const [news, setNews] = useState<News | null>(null);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [trail] = useState(() => new VoteTrail());
  const orders = useMemo(() => stepOrders(meeting.id), [meeting.id]);
  const live = useLiveMeeting(meeting.id, {
    onChange: (previous, next) => followLiveChange(previous, next),
    onServerError: (message) => toast.error(message || 'Connection error'),
  });
  const steps = useSteps(meeting.id, live.refresh);
  const { followLiveChange, refreshRounds } = useLiveChanges({
    meetingId: meeting.id,
    questions,
    trail,
    takeStep: steps.hearStep,
    onStep: () => setAsked(null),
    onNews: setNews,
    onCurrent: (questionId) => {
      setRestingId(questionId);
      setViewedId((viewed) => (viewed === questionId ? null : viewed));
    },
  });

  useEffect(() => {
    if (live.refusal !== null) {
      // The meeting is gone: the page says so once it has asked.
      void queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
    }
  }, [live.refusal, queryClient]);

  const status = live.state?.status ?? meeting.status;
  const step = live.state?.step ?? meeting.step;
  const current = live.state?.currentQuestion ?? null;
  const panelId = current?.id ?? restingId;
  const index = Math.max(
    0,
    questions.findIndex(({ id }) => id === panelId),
  );
  const question = questions[index];
  const viewed = questions.find(({ id }) => id === viewedId && id !== question?.id);
  const ended = question ? endOf(roundsOf(rounds, question.id, live.state)) : null;
  const obstacle = question && !current?.isActive ? obstacleTo(question) : null;
  const openRound = current?.isActive && live.state ? { live: live.state, trail } : null;
  const declaring = useDeclaring({ status, current, step, steps, orders });
  const revoting = useRevoting({
    questions,
    step,
    steps,
    orders,
    openRound,
    isDeclared: ({ id }) => endOf(roundsOf(rounds, id, live.state)) === 'declared',
    obstacleTo,
    onDone: () => setViewedId(null),
  });

  /** Without a connection the figures may be of long ago: they still warn, and bar nothing. */
  function obstacleTo(of: Question): OpeningObstacle | null {
    const obstacle = openingObstacle(of, meeting, live.state);
    return obstacle?.kind === 'bar' && !isReachable(live.status) ? null : obstacle;
  }

  /** Votes still come in, and not everybody has voted. */
  function isVotingAlive(): boolean {
    return current?.isActive === true && missingCount(live.state) > 0 && trail.recent() > 0;
  }

  function handleAttempt(order: StepOrder) {
    if (order.kind === 'start' && question && ended === 'declared') {
      setNews(null);
      revoting.ask(question.id);
    } else if ((order.ending && isVotingAlive()) || (order.kind === 'start' && obstacle?.kind === 'warn')) {
      setAsked({ order, step });
    } else {
      makeStep(order, step);
    }
  }

  function makeStep(order: StepOrder, seenStep: number) {
    setAsked(null);
    setNews(null);
    if (order.kind === 'show') {
      setViewedId(null);
    }
    void steps.run(order, seenStep).then((outcome) => {
      if (outcome === 'declared' && question) {
        // Declared a moment ago, elsewhere.
        refreshRounds();
        revoting.ask(question.id);
      }
    });
  }

  function actionsFor(of: Question): RoundActions {
    const isRunning = status === 'ACTIVE';
    return {
      onDeclare: (round, result) =>
        declaring.ask(of, round, result, roundsOf(rounds, of.id, live.state)[0]?.id === round.id),
      isDeclaring: steps.underWay === 'declare',
      onRevote: isRunning && !(current?.id === of.id && current.isActive) ? () => revoting.ask(of.id) : null,
      onShow: isRunning && current?.id !== of.id ? () => handleAttempt(orders.show(of)) : null,
      onShowMissing: ({ id }) => setPanel({ kind: 'missing', questionId: of.id, roundId: id }),
    };
  }

  function termsOf(of: Question) {
    return (
      <QuestionTerms
        question={of}
        onShowExclusions={() => setPanel({ kind: 'exclusions', questionId: of.id })}
      />
    );
  }

  const guardProps = asked && {
    onConfirm: () => makeStep(asked.order, asked.step),
    onCancel: () => setAsked(null),
  };
  const guard =
    !asked || !guardProps || !live.state ? null : asked.order.ending ? (
      <EndingGuard {...guardProps} ending={asked.order.ending} live={live.state} trail={trail} />
    ) : (
      <QuorumGuard {...guardProps} obstacle={obstacle} />
    );
  const { refusal } = steps;
  const place = refusal ? PLACES[refusal.kind] : undefined;
  const stageNews = refusal && !place ? ({ tone: 'warning', text: refusal.message } as const) : news;
  const declareRefusal = refusal && place === 'results' ? refusal.message : null;

  return (
    <div className={classes.root}>
      <ControlHead
        meeting={{ ...meeting, status }}
        hasQuestions={questions.length > 0}
        connection={live.status}
        step={step}
        steps={steps}
        orders={orders}
        refusal={refusal && place === 'head' ? refusal.message : null}
        openRound={openRound}
      />
      <div className={classes.zones}>
        <Agenda
          questions={questions}
          rounds={rounds}
          live={live.state}
          viewedId={viewed?.id ?? question?.id ?? null}
          onView={setViewedId}
        />
        <main id="main" className={classes.stage} tabIndex={-1}>
          {status === 'ACTIVE' && question && !live.state ? (
            <PanelComing />
          ) : status === 'ACTIVE' && question ? (
            <QuestionPanel
              questions={questions}
              index={index}
              current={current?.id === question.id ? current : null}
              ended={ended}
              obstacle={obstacle}
              orders={orders}
              underWay={steps.underWay}
              onStep={handleAttempt}
              guard={guard}
              onCancelGuard={() => setAsked(null)}
              news={<StageNews news={stageNews} />}
              terms={termsOf(question)}
              onMinutes={() => setPanel({ kind: 'minutes' })}
            />
          ) : (
            <div>
              <StageNote status={status} hasQuestions={questions.length > 0} />
              <StageNews news={stageNews} />
            </div>
          )}
          {viewed ? (
            <QuestionPreview
              question={viewed}
              onShow={status === 'ACTIVE' ? () => handleAttempt(orders.show(viewed)) : null}
              isShowing={steps.underWay === 'show'}
              isDeclared={endOf(roundsOf(rounds, viewed.id, live.state)) === 'declared'}
              onClose={() => setViewedId(null)}
              terms={termsOf(viewed)}
            >
              <RoundResults
                key={viewed.id}
                meetingId={meeting.id}
                question={viewed}
                rounds={roundsOf(rounds, viewed.id, live.state)}
                isOpen={false}
                isBare
                refusal={declareRefusal}
                actions={{ ...actionsFor(viewed), onShow: null }}
              />
            </QuestionPreview>
          ) : null}
          {question && !viewed ? (
            <RoundResults
              key={question.id}
              meetingId={meeting.id}
              question={question}
              rounds={roundsOf(rounds, question.id, live.state)}
              isOpen={current?.id === question.id && current.isActive}
              refusal={declareRefusal}
              actions={actionsFor(question)}
            />
          ) : null}
        </main>
        <aside className={classes.figures} aria-label="Live figures">
          <ControlSidebar
            meeting={meeting}
            questions={questions}
            rounds={rounds}
            live={live}
            onOpenPanel={setPanel}
          />
        </aside>
      </div>
      <StagePanels
        panel={panel}
        onClose={() => setPanel(null)}
        meetingId={meeting.id}
        status={status}
        questions={questions}
        rounds={rounds}
        live={live.state}
      />
      {declaring.dialog}
      {revoting.dialog}
    </div>
  );
}

function missingCount(live: LiveState | null): number {
  return live ? live.registerSize - live.voteCount : 0;
}

/** Where it is told why a step was not made, if not at the question. */
const PLACES: Partial<Record<StepKind, 'head' | 'results' | 'revote'>> = {
  begin: 'head',
  finish: 'head',
  declare: 'results',
  revote: 'revote',
};

/** How the latest round of a question ended. */
function endOf([latest]: Round[]): 'ended' | 'declared' | null {
  if (!latest || latest.status === 'OPEN') {
    return null;
  }
  return latest.status === 'DECLARED' ? 'declared' : 'ended';
}
