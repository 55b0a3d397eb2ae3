import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AnswerWall, Result } from '../../api/types';
import { BrandLogo } from '../branding/brand-logo';
import { countOf, formatNumber, formatPeriod } from '../format';
import type { ConnectionStatus } from '../live/live-connection';
import type { PresentationState } from '../live/live-events';
import { decisionSentence } from '../result/chair-sentences';
import { surveySummary } from '../result/survey';
import { isTestMeeting, TEST_MEETING } from '../test-data';
import { PresentationClock } from './presentation-clock';
import { PresentationJoin } from './presentation-join';
import { PresentationMessage } from './presentation-message';
import { type PresentationPhase, presentationPhase } from './presentation-phase';
import { PresentationProgress } from './presentation-progress';
import { lengthOf, PresentationQuestion } from './presentation-question';
import { PresentationQuorum } from './presentation-quorum';
import { PresentationResult } from './presentation-result';
import { PresentationStrip } from './presentation-strip';
import { PresentationUpdated } from './presentation-updated';
import classes from './presentation-view.module.css';
import { hasMeter } from './quorum-meter';
import { useFit } from './use-fit';
import { usePresentationBrand } from './use-presentation-brand';

interface PresentationViewProps {
  presentation: PresentationState;
  connection: ConnectionStatus;
  /** The time of the server's last message, by this device's clock. */
  lastContactAt: number | null;
  /** The address at which voters join. */
  joinUrl: string;
  /** The result of the current question's declared round, once it is loaded. */
  result?: Result | null;
  /** The answers to its text question, if the organizer shows them. */
  wall?: AnswerWall | null;
  /** The result is declared, and its record is damaged. */
  isResultDamaged?: boolean;
  /** The code for self check-in, where it is switched on. */
  checkIn?: ReactNode;
}

/**
 * The presentation of the hall. Every size is relative to its own box, so that the same view works as a small preview.
 */
export function PresentationView({
  presentation,
  connection,
  lastContactAt,
  joinUrl,
  result = null,
  wall = null,
  isResultDamaged = false,
  checkIn = null,
}: PresentationViewProps) {
  const { status, description, quorum } = presentation;
  const phase = presentationPhase(presentation, result);
  const declared = phase === 'declared' ? result : null;
  const { style, logo } = usePresentationBrand(presentation.clientCode);
  const isLong = isDense(presentation, declared);
  // A long question needs the whole width: its votes are below it.
  const hasVotesBeside = phase === 'open' && !isLong;

  return (
    <div className={classes.box} style={style} data-branded={style !== undefined}>
      <div className={classes.presentation} data-dense={isLong}>
        <header className={classes.top}>
          {logo ? <BrandLogo src={logo} className={classes.logo ?? ''} /> : null}
          <Names presentation={presentation} />
          <div className={classes.facts}>
            <span className={classes.status} data-active={status === 'ACTIVE'}>
              <span className={classes.dot} aria-hidden="true" />
              {STATUS[status]}
            </span>
            <span>{presentWords(presentation)}</span>
            <PresentationClock className={classes.clock} />
            {/* On a line of its own, so that its length moves nothing. */}
            <PresentationUpdated connection={connection} lastContactAt={lastContactAt} />
          </div>
        </header>
        <div className={classes.middle}>
          <Content
            phase={phase}
            presentation={presentation}
            joinUrl={joinUrl}
            declared={declared}
            wall={wall}
            checkIn={checkIn}
          />
          {hasVotesBeside ? <PresentationProgress presentation={presentation} /> : null}
        </div>
        <VisuallyHidden role="status">{declared ? spokenResult(declared) : ''}</VisuallyHidden>
        <footer className={classes.bottom}>
          {phase === 'shown' || phase === 'open' || phase === 'closed' ? (
            <PresentationStrip
              phase={phase}
              presentation={presentation}
              joinUrl={joinUrl}
              hasVotesBeside={hasVotesBeside}
              isResultDamaged={isResultDamaged}
            />
          ) : null}
          <div className={classes.about}>
            {description ? (
              <p className={classes.description} dir="auto">
                {description}
              </p>
            ) : null}
            <p className={classes.scheduled}>
              {formatPeriod(presentation.scheduledStartTime, presentation.scheduledEndTime)}
            </p>
            {/* Last, because the presentation's controls cover the beginning of the line. */}
            {quorum && hasMeter(phase, quorum) ? <PresentationQuorum state={quorum} /> : null}
          </div>
        </footer>
      </div>
    </div>
  );
}

function Names({ presentation }: Pick<PresentationViewProps, 'presentation'>) {
  return (
    <div className={classes.names}>
      <h1 className={classes.title} dir="auto">
        {presentation.title}
      </h1>
      <p className={classes.organization} dir="auto">
        {presentation.organization}
      </p>
      {isTestMeeting(presentation) ? <p className={classes.test}>{TEST_MEETING}</p> : null}
    </div>
  );
}

/** "164 participants", or "164 checked in". */
function presentWords({ checkIn, participantCount }: PresentationState): string {
  return checkIn ? `${formatNumber(participantCount)} checked in` : countOf(participantCount, 'participant');
}

interface ContentProps {
  phase: PresentationPhase;
  presentation: PresentationState;
  joinUrl: string;
  declared: Result | null;
  wall: AnswerWall | null;
  checkIn: ReactNode;
}

function Content({ phase, presentation, joinUrl, declared, wall, checkIn }: ContentProps) {
  const { currentQuestion, questionCount, clientCode } = presentation;
  const question = phase === 'shown' || phase === 'open' || phase === 'closed' ? currentQuestion : null;
  const isOver = phase === 'completed' || phase === 'cancelled';
  /** The stage of a count that the hall sees. Each result begins with the elected. */
  const [shown, setShown] = useState({ roundId: '', stage: 0 });
  const stage = shown.roundId === declared?.roundId ? shown.stage : 0;
  const root = useFit<HTMLDivElement>(
    declared ? `${declared.roundId} ${stage} ${JSON.stringify(wall)}` : contentOf(phase, question),
  );
  const [revealed] = useState(() => new Set<string>());

  if (declared) {
    return (
      <div ref={root} className={classes.content}>
        <PresentationResult
          key={declared.roundId}
          result={declared}
          wall={wall}
          questionCount={questionCount}
          revealed={revealed}
          stage={stage}
          onStage={(next) => setShown({ roundId: declared.roundId, stage: next })}
        />
      </div>
    );
  }

  return (
    <div ref={root} className={classes.content} aria-live="polite">
      {question ? (
        <PresentationQuestion question={question} phase={phase} questionCount={questionCount} />
      ) : (
        <PresentationMessage phase={phase}>
          {isOver ? null : (
            <>
              <PresentationJoin clientCode={clientCode} joinUrl={joinUrl} isLarge />
              {checkIn}
            </>
          )}
        </PresentationMessage>
      )}
    </div>
  );
}

/** Whether the content needs the space of the other parts. */
function isDense({ status, currentQuestion }: PresentationState, declared: Result | null): boolean {
  if (declared) {
    return declared.options.length >= DENSE_FROM_OPTIONS;
  }
  return status === 'ACTIVE' && currentQuestion !== null && lengthOf(currentQuestion) === 'dense';
}

const DENSE_FROM_OPTIONS = 8;

/** The sentence that screen readers announce once. A table has the numbers. */
function spokenResult(result: Result): string {
  return `Result declared. ${surveySummary(result) ?? decisionSentence(result)}`;
}

/** A key of the content: equal for snapshots with the same content. */
function contentOf(phase: PresentationPhase, question: PresentationState['currentQuestion']): string {
  return JSON.stringify(
    question ? [phase, question.questionText, question.questionType, question.options] : phase,
  );
}

const STATUS: Record<PresentationState['status'], string> = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  ACTIVE: 'Active',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
};
