import type { Meeting } from '../../api/types';
import type { ConnectionStatus } from '../../shared/live/live-connection';
import type { LiveState, PresentationState } from '../../shared/live/live-events';
import { useNow } from '../../shared/live/use-now';
import { paths, publicUrl } from '../../shared/paths';
import { WallView } from '../../shared/wall/wall-view';
import classes from './wall-preview.module.css';

interface WallPreviewProps {
  meeting: Meeting;
  live: LiveState;
  questionCount: number;
  connection: ConnectionStatus;
  heardAt: number | null;
}

/** What is on the wall right now, small. */
export function WallPreview({ meeting, live, questionCount, connection, heardAt }: WallPreviewProps) {
  const now = useNow(10_000);
  return (
    <section aria-labelledby="wall-preview">
      <h2 id="wall-preview" className={classes.title}>
        On the wall
      </h2>
      <p className={classes.words}>{wallWords(live)}</p>
      <div className={classes.frame} aria-hidden="true" inert>
        <WallView
          presentation={toPresentation(meeting, live, questionCount)}
          connection={connection}
          heardAt={heardAt}
          now={now}
          joinUrl={publicUrl(paths.participantLogin(meeting.client.clientCode))}
        />
      </div>
    </section>
  );
}

function wallWords({ status, currentQuestion }: LiveState): string {
  if (status !== 'ACTIVE') {
    return status === 'COMPLETED' ? 'Meeting completed' : 'Waiting for the meeting to start';
  }
  if (!currentQuestion) {
    return 'Waiting for a question';
  }
  return `Question ${currentQuestion.orderIndex}, ${currentQuestion.isActive ? 'voting open' : 'voting not open'}`;
}

function toPresentation(meeting: Meeting, live: LiveState, questionCount: number): PresentationState {
  const { currentQuestion } = live;
  return {
    version: live.version,
    title: live.title,
    description: meeting.description,
    organization: meeting.client.name,
    clientCode: meeting.client.clientCode,
    status: live.status,
    scheduledStartTime: meeting.scheduledStartTime,
    scheduledEndTime: meeting.scheduledEndTime,
    currentQuestion: currentQuestion && {
      questionText: currentQuestion.text,
      questionType: currentQuestion.questionType,
      options: currentQuestion.options,
      ratingMax: currentQuestion.ratingMax,
      maxChoices: currentQuestion.maxChoices,
      isOpen: currentQuestion.isActive,
      orderIndex: currentQuestion.orderIndex,
      openedAt: currentQuestion.openedAt,
    },
    questionCount,
    voteCount: live.voteCount,
    registerSize: live.registerSize,
    participantCount: live.participantCount,
  };
}
