import { countOf, formatPeriod, formatTime } from '../format';
import type { ConnectionStatus } from '../live/live-connection';
import type { PresentationState } from '../live/live-events';
import { VoteRing, voteShare } from '../live/vote-ring';
import { questionTypeLabel } from '../question-types';
import { useFit } from './use-fit';
import { WallJoin } from './wall-join';
import { WallMessage } from './wall-message';
import { WallQuestion } from './wall-question';
import classes from './wall-view.module.css';

interface WallViewProps {
  presentation: PresentationState;
  connection: ConnectionStatus;
  /** When the server was last heard. */
  heardAt: number | null;
  now: number;
  /** Where voters come in, as an address to open. */
  joinUrl: string;
}

/** The wall of the hall. Every size comes from its own box, so that the same view is a small preview elsewhere. */
export function WallView({ presentation, connection, heardAt, now, joinUrl }: WallViewProps) {
  const { currentQuestion, voteCount, registerSize } = presentation;
  // Quiet when offline: what was last known stays on the wall, with its age.
  const isLost = connection === 'offline' || connection === 'connecting';
  const isActive = presentation.status === 'ACTIVE';
  const isOver = presentation.status === 'COMPLETED' || presentation.status === 'CANCELLED';
  const question = isActive ? currentQuestion : null;
  const stage = useFit<HTMLDivElement>(question ?? presentation.status);

  return (
    <div className={classes.box}>
      <div className={classes.wall}>
        <header className={classes.top}>
          <div className={classes.names}>
            <h1 className={classes.title}>{presentation.title}</h1>
            <p className={classes.organization}>{presentation.organization}</p>
          </div>
          <div className={classes.facts}>
            <span className={classes.status} data-active={isActive}>
              <span className={classes.dot} aria-hidden="true" />
              {STATUS[presentation.status]}
            </span>
            <span>{countOf(presentation.participantCount, 'participant')}</span>
            <span className={classes.update} data-lost={isLost}>
              {isLost ? `No connection, last update ${age(now - (heardAt ?? now))} ago` : updatedAt(heardAt)}
            </span>
            <span className={classes.clock}>{formatTime(new Date(now).toISOString())}</span>
          </div>
        </header>

        <div ref={stage} className={classes.stage} aria-live="polite">
          {question ? (
            <WallQuestion
              question={question}
              questionCount={presentation.questionCount}
              typeLabel={questionTypeLabel(question.questionType, question.ratingMax)}
            />
          ) : (
            <WallMessage status={presentation.status}>
              {isOver ? null : <WallJoin clientCode={presentation.clientCode} joinUrl={joinUrl} isLarge />}
            </WallMessage>
          )}
        </div>

        <footer className={classes.bottom}>
          <div className={classes.about}>
            {presentation.description ? (
              <p className={classes.description}>{presentation.description}</p>
            ) : null}
            <p className={classes.scheduled}>
              {formatPeriod(presentation.scheduledStartTime, presentation.scheduledEndTime)}
            </p>
          </div>
          {question?.isOpen ? (
            <div className={classes.votes}>
              <span className={classes.ring}>
                <VoteRing share={voteShare(voteCount, registerSize)} />
              </span>
              <p className={classes.received}>
                <strong>{registerSize > 0 ? `${voteCount} of ${registerSize}` : voteCount}</strong> votes
                received
              </p>
            </div>
          ) : null}
          {question ? (
            <div className={classes.join}>
              <WallJoin clientCode={presentation.clientCode} joinUrl={joinUrl} />
            </div>
          ) : null}
        </footer>
      </div>
    </div>
  );
}

const STATUS: Record<PresentationState['status'], string> = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  ACTIVE: 'Active',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
};

function updatedAt(heardAt: number | null): string {
  return heardAt === null ? '' : `Last update ${formatSeconds(heardAt)}`;
}

function formatSeconds(time: number): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(new Date(time));
}

function age(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1_000));
  return seconds < 60 ? countOf(seconds, 'second') : countOf(Math.round(seconds / 60), 'minute');
}
