import { Skeleton } from '@mantine/core';
import type { MeetingStatus } from '../../api/types';
import { formatTime } from '../../shared/format';
import type { LiveQuestion } from '../../shared/live/live-events';
import { AnswerLines } from './answer-lines';
import { AnswersList } from './answers-list';
import type { GivenAnswer } from './given-answers';
import { Notice } from './notice';
import { QuestionHead } from './question-head';
import { WaitingCard } from './waiting-card';

interface IdleProps {
  status: MeetingStatus;
  /** False until the live state was heard: whether a question is open is not known. */
  isKnown: boolean;
  isOutsideRegister: boolean;
  /** The open question that was answered earlier than on this visit. */
  votedBefore: LiveQuestion | null;
  answers: GivenAnswer[];
  onReset: (() => void) | undefined;
  isResetting: boolean;
}

/** What a voter sees who has nothing to decide at the moment. */
export function Idle(props: IdleProps) {
  const { status, isKnown, isOutsideRegister, votedBefore, answers, onReset, isResetting } = props;

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
          <p>You are not in its register. If you think you should be, speak to the organizer.</p>
        </Notice>
      ) : null}
      {isKnown || status !== 'ACTIVE' ? (
        <WaitingCard {...waitingTexts(status)} onReset={onReset} isResetting={isResetting} />
      ) : (
        <Skeleton height={216} />
      )}
      {answers.length > 0 ? <AnswersList answers={answers} /> : null}
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
