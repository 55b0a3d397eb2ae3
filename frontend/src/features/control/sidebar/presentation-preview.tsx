import { useQuery } from '@tanstack/react-query';
import type { Meeting, Round } from '../../../api/types';
import type { ConnectionStatus } from '../../../shared/live/live-connection';
import type { LiveQuestion, LiveState, PresentationState } from '../../../shared/live/live-events';
import { paths, publicUrl } from '../../../shared/paths';
import { PresentationView } from '../../../shared/presentation/presentation-view';
import { resultQueries } from '../../../shared/result/queries';
import { END_WORDS, latestEnd, NOT_OPENED, type RoundEnd, roundsOf } from '../agenda/agenda-state';
import { answerQueries } from '../answers/queries';
import classes from './presentation-preview.module.css';

interface PresentationPreviewProps {
  meeting: Meeting;
  rounds: Round[];
  live: LiveState;
  questionCount: number;
  connection: ConnectionStatus;
  lastContactAt: number | null;
}

const NO_ROUND = { id: '', endedAt: null, declaredAt: null };

/** A small preview of the presentation. */
export function PresentationPreview({
  meeting,
  rounds,
  live,
  questionCount,
  connection,
  lastContactAt,
}: PresentationPreviewProps) {
  const declaredRoundId = live.currentQuestion?.declaredRoundId ?? null;
  const declared = rounds.find(({ id, status }) => id === declaredRoundId && status === 'DECLARED');
  const result = useQuery({
    ...resultQueries.result(meeting.id, declared ?? NO_ROUND),
    enabled: declared !== undefined,
  });
  const curation = useQuery({
    ...answerQueries.curation(meeting.id, declared?.id ?? ''),
    enabled: declared !== undefined && result.data?.questionType === 'OPEN_TEXT',
  });

  return (
    <section aria-labelledby="presentation-preview">
      <h2 id="presentation-preview" className={classes.title}>
        On the presentation
      </h2>
      <p className={classes.words}>{presentationWords(live, rounds)}</p>
      <div className={classes.frame} aria-hidden="true" inert>
        <PresentationView
          presentation={toPresentation(meeting, live, questionCount)}
          connection={connection}
          lastContactAt={lastContactAt}
          joinUrl={publicUrl(paths.participantLogin(meeting.client.clientCode))}
          result={declared ? (result.data ?? null) : null}
          wall={declared && curation.data?.isShown ? curation.data.wall : null}
        />
      </div>
    </section>
  );
}

function presentationWords(live: LiveState, rounds: Round[]): string {
  const { status, currentQuestion } = live;
  if (status !== 'ACTIVE') {
    return status === 'COMPLETED' ? 'Meeting completed' : 'Waiting for the meeting to start';
  }
  if (!currentQuestion) {
    return 'Waiting for a question';
  }
  return `Question ${currentQuestion.orderIndex}, ${questionWords(currentQuestion, latestEnd(roundsOf(rounds, currentQuestion.id, live)))}`;
}

/** The live state knows at once that voting is open or the result is declared; the rounds are loaded a moment later. */
function questionWords({ isActive, declaredRoundId }: LiveQuestion, ended: RoundEnd | null): string {
  if (isActive) {
    return 'voting open';
  }
  if (declaredRoundId !== null) {
    return END_WORDS.declared;
  }
  return ended ? END_WORDS[ended] : NOT_OPENED;
}

function toPresentation(meeting: Meeting, live: LiveState, questionCount: number): PresentationState {
  const { currentQuestion } = live;
  return {
    instance: live.instance,
    version: live.version,
    isDelayed: live.isDelayed,
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
      election: currentQuestion.election,
      ratingMax: currentQuestion.ratingMax,
      maxChoices: currentQuestion.maxChoices,
      secrecy: currentQuestion.secrecy,
      groups: currentQuestion.groups,
      isOpen: currentQuestion.isActive,
      isVoid: currentQuestion.isVoid,
      orderIndex: currentQuestion.orderIndex,
      openedAt: currentQuestion.openedAt,
      closesAt: currentQuestion.closesAt,
      declaredRoundId: currentQuestion.declaredRoundId,
      answerWall: null,
    },
    questionCount,
    voteCount: live.voteCount,
    registerSize: live.registerSize,
    participantCount: live.participantCount,
    quorum: live.quorum,
    checkIn: live.checkIn,
    serverTime: live.serverTime,
  };
}
