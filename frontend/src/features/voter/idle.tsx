import { Skeleton } from '@mantine/core';
import type { MeetingStatus, VoterMeeting, VoterResult } from '../../api/types';
import { QuestionHead } from '../../shared/ballot/question-header';
import { formatLongDateTime, formatTime } from '../../shared/format';
import type { LiveQuestion } from '../../shared/live/live-events';
import { serverNow } from '../../shared/live/server-clock';
import { AnswerLines } from './ballot/answer-lines';
import type { GivenAnswer } from './ballot/given-answers';
import { castElsewhere, ELSEWHERE_COUNTS } from './cast-elsewhere';
import { HIDDEN_ANSWER } from './hidden-answer';
import { later } from './later';
import { Notice } from './notice';
import { agendaEntries } from './results/agenda-entries';
import { AnswersList } from './results/answers-list';
import { ResultCard } from './results/shown-results';
import { SealedVote } from './secret/sealed-vote';
import { WaitingCard } from './waiting-card';

const OutsideNotice = later(() => import('./outside-notice').then((loaded) => loaded.OutsideNotice));
const VoidVote = later(() => import('./void-vote').then((loaded) => loaded.VoidVote));

interface IdleProps {
  status: MeetingStatus;
  /** The meeting has run before: if it does not run now, it is paused. */
  hasRun: boolean;
  /** The rehearsal is shown above: the reason for the waiting is not needed next to it. */
  isRehearsing: boolean;
  /** False until the live state is loaded: it is unknown whether a question is open. */
  isKnown: boolean;
  /** The groups of an open question that is not for this voter. */
  outsideOf: string[] | null;
  /** The question on the screen, if its vote is void. */
  voided: Pick<LiveQuestion, 'text'> | null;
  /** The open question that was answered on an earlier visit. */
  votedBefore: LiveQuestion | null;
  answers: GivenAnswer[];
  /** The results declared so far. */
  results: VoterResult[];
  /** The newest of them, if it is to be highlighted. */
  latest: VoterResult | null;
  meeting: VoterMeeting | undefined;
  onReset: (() => void) | undefined;
  isResetting: boolean;
}

/** The voter's screen without an open question. */
export function Idle(props: IdleProps) {
  const {
    status,
    hasRun,
    isRehearsing,
    isKnown,
    outsideOf,
    voided,
    votedBefore,
    answers,
    onReset,
    isResetting,
  } = props;
  const { results, latest, meeting } = props;
  const entries = agendaEntries(answers, results);

  return (
    <>
      {votedBefore ? (
        <AlreadyVoted
          question={votedBefore}
          answer={answers.find(({ questionId }) => questionId === votedBefore.id)}
        />
      ) : null}
      {outsideOf ? <OutsideNotice groups={outsideOf} /> : null}
      {voided ? <VoidVote question={voided} /> : null}
      {latest ? <ResultCard key={latest.result.roundId} vote={latest} meeting={meeting} /> : null}
      {isRehearsing && status !== 'ACTIVE' ? null : isKnown || status !== 'ACTIVE' ? (
        <WaitingCard
          {...waitingTexts(status, hasRun ? null : meeting)}
          onReset={onReset}
          isResetting={isResetting}
        />
      ) : (
        <Skeleton height={216} />
      )}
      {entries.length > 0 ? <AnswersList entries={entries} meeting={meeting} /> : null}
    </>
  );
}

/** `unstarted`: the meeting, if it has not begun. */
function waitingTexts(
  status: MeetingStatus,
  unstarted: VoterMeeting | null | undefined,
): { title: string; text: string } {
  switch (status) {
    case 'ACTIVE':
      return { title: 'Waiting for Next Question', text: 'It appears here as soon as it opens.' };
    case 'COMPLETED':
      return { title: 'Meeting Completed', text: 'Thank you for your participation!' };
    case 'DRAFT':
    case 'SCHEDULED':
      return unstarted ? notStartedTexts(unstarted) : PAUSED;
    default:
      return PAUSED;
  }
}

const PAUSED = { title: 'Meeting Paused', text: 'Please wait for the meeting to resume.' };

function notStartedTexts({ startTime }: VoterMeeting): { title: string; text: string } {
  const when = formatLongDateTime(startTime);
  return {
    title: 'Meeting Not Started Yet',
    text:
      Date.parse(startTime) > serverNow()
        ? `It is planned to start on ${when}. This page will show the first question automatically.`
        : `It was planned to start on ${when}. As soon as the organizer starts it, this page will show the first question.`,
  };
}

function AlreadyVoted({ question, answer }: { question: LiveQuestion; answer: GivenAnswer | undefined }) {
  const elsewhere = answer ? castElsewhere(answer) : null;
  if (question.secrecy === 'secret') {
    return (
      <div>
        <QuestionHead question={question} />
        {elsewhere ? <p>{`${elsewhere} ${ELSEWHERE_COUNTS}`}</p> : null}
        <SealedVote roundId={question.roundId} receipt={answer?.sealed?.receipt ?? null} />
      </div>
    );
  }
  return (
    <div>
      <QuestionHead question={question} />
      <Notice tone="stored" title={elsewhere ?? 'You have already voted'}>
        {answer && answer.answers.length > 0 ? (
          <>
            <p>Your answer:</p>
            <AnswerLines type={answer.type} answers={answer.answers} />
          </>
        ) : elsewhere ? null : (
          <p>Your vote counts. {HIDDEN_ANSWER}.</p>
        )}
        {elsewhere ? <p>{ELSEWHERE_COUNTS}</p> : null}
        {answer?.castAt ? <p>Stored at {formatTime(answer.castAt)}.</p> : null}
      </Notice>
    </div>
  );
}
