import { Skeleton } from '@mantine/core';
import type { MeetingStatus, VoterMeeting, VoterResult } from '../../api/types';
import { formatTime } from '../../shared/format';
import type { LiveQuestion } from '../../shared/live/live-events';
import { agendaEntries } from './agenda-entries';
import { AnswerLines } from './answer-lines';
import { AnswersList } from './answers-list';
import type { GivenAnswer } from './given-answers';
import { Notice } from './notice';
import { QuestionHead } from './question-head';
import { ResultCard } from './result-card';
import { WaitingCard } from './waiting-card';

interface IdleProps {
  status: MeetingStatus;
  /** The rehearsal stands above: what a meeting that does not run waits for is no news beside it. */
  isRehearsing: boolean;
  /** False until the live state was heard: whether a question is open is not known. */
  isKnown: boolean;
  isOutsideRegister: boolean;
  /** The open question that was answered earlier than on this visit. */
  votedBefore: LiveQuestion | null;
  answers: GivenAnswer[];
  /** What was declared so far. */
  results: VoterResult[];
  /** The one of them that is news. */
  latest: VoterResult | null;
  meeting: VoterMeeting | undefined;
  onReset: (() => void) | undefined;
  isResetting: boolean;
}

/** What a voter sees who has nothing to decide at the moment. */
export function Idle(props: IdleProps) {
  const { status, isRehearsing, isKnown, isOutsideRegister, votedBefore, answers, onReset, isResetting } =
    props;
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
      {isOutsideRegister ? (
        <Notice tone="info" title="You have no vote on this question">
          <p>You do not take part in this question. If you think you should, speak to the organizer.</p>
        </Notice>
      ) : null}
      {latest ? <ResultCard key={latest.result.roundId} vote={latest} meeting={meeting} /> : null}
      {isRehearsing && status !== 'ACTIVE' ? null : isKnown || status !== 'ACTIVE' ? (
        <WaitingCard {...waitingTexts(status)} onReset={onReset} isResetting={isResetting} />
      ) : (
        <Skeleton height={216} />
      )}
      {entries.length > 0 ? <AnswersList entries={entries} meeting={meeting} /> : null}
    </>
  );
}

function waitingTexts(status: MeetingStatus): { title: string; text: string } {
  switch (status) {
    case 'ACTIVE':
      return { title: 'Waiting for Next Question', text: 'It appears here by itself as soon as it opens.' };
    case 'COMPLETED':
      return { title: 'Meeting Completed', text: 'Thank you for your participation!' };
    default:
      return { title: 'Meeting Paused', text: 'Please wait for the meeting to resume.' };
  }
}

function AlreadyVoted({ question, answer }: { question: LiveQuestion; answer: GivenAnswer | undefined }) {
  return (
    <div>
      <QuestionHead question={question} />
      <Notice tone="stored" title="You have already voted">
        {answer && answer.answers.length > 0 ? (
          <>
            <p>Your answer:</p>
            <AnswerLines type={answer.type} answers={answer.answers} />
          </>
        ) : null}
        {answer?.castAt ? <p>Stored at {formatTime(answer.castAt)}.</p> : null}
      </Notice>
    </div>
  );
}
