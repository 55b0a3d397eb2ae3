import { useEffect, useRef } from 'react';
import { formatTime } from '../../../shared/format';
import { HIDDEN_ANSWER } from '../hidden-answer';
import { Notice } from '../notice';
import type { MissedRound } from '../use-closed-round';
import { AnswerLines } from './answer-lines';
import type { Delivery, Refusal } from './ballot-delivery';

interface OutcomeProps {
  delivery: Delivery;
  missed: MissedRound | null;
  /** Another ballot is open below: one line is enough. */
  isPaperOpen: boolean;
  /** A ballot that was set aside has been stored after all. */
  isAsideStored: boolean;
}

/** The outcome of the last ballot. */
export function Outcome({ delivery, missed, isPaperOpen, isAsideStored }: OutcomeProps) {
  if (delivery.state === 'stored') {
    const { ballot, castAt } = delivery;
    const when = castAt === null ? '' : ` at ${formatTime(castAt)}`;
    return isPaperOpen ? (
      <Notice tone="stored" title={`Your vote on question ${ballot.orderIndex} is stored.`} />
    ) : (
      <Notice tone="stored" title="Your vote is stored">
        <p>{ballot.text}</p>
        <AnswerLines type={ballot.type} answers={ballot.answers} />
        <p>The server confirmed it{when}.</p>
      </Notice>
    );
  }
  if (delivery.state === 'setAside') {
    const { orderIndex } = delivery.ballot;
    return isAsideStored ? (
      <Notice tone="stored" title={`Your vote on question ${orderIndex} is stored.`} />
    ) : (
      <Notice tone="info" title={`Your vote on question ${orderIndex} was not confirmed`}>
        <p>If it arrived in time, it is listed under Your Answers. Otherwise it was not counted.</p>
      </Notice>
    );
  }
  if (delivery.state === 'refused') {
    return <RefusedBallot delivery={delivery} />;
  }
  if (missed !== null) {
    return (
      <Notice tone="info" title="Voting on this question has ended">
        <p>{missed.text}</p>
        <p>
          {missed.isCertain
            ? 'You had not submitted a vote on it, so none was counted.'
            : 'You had not submitted a vote on it here.'}
        </p>
      </Notice>
    );
  }
  return null;
}

/** The meaning for the vote, and the next action. */
const REFUSED: Record<Refusal, { title: string; text: string }> = {
  already_voted: {
    title: 'You have already voted',
    text: 'This answer was not counted. Your earlier vote on the question counts.',
  },
  round_not_open: {
    title: 'Your vote was not counted',
    text: 'Voting on this question ended before your vote arrived.',
  },
  not_in_register: {
    title: 'Your vote was not counted',
    text: 'You are not in the register of this vote. If you think you should be, speak to the organizer.',
  },
  invalid_ballot: {
    title: 'Your vote was not counted',
    text: 'The answer does not fit the question. Change it and submit again.',
  },
  round_over: {
    title: 'Your vote was not counted',
    text: 'The question was put to a new vote before your answer arrived. Your answer does not count in the new vote.',
  },
  other: { title: 'Failed to submit vote', text: 'Your vote was not counted.' },
};

/** Another session of this person voted, possibly with this ballot. Only that session may see the answer. */
function StoredElsewhere({ question, castAt }: { question: string; castAt: string | null }) {
  return (
    <Notice tone="stored" title={REFUSED.already_voted.title}>
      <p>Question: {question}</p>
      <p>
        Your vote was stored{castAt === null ? '' : ` at ${formatTime(castAt)}`} in another session, and it
        counts. {HIDDEN_ANSWER}.
      </p>
    </Notice>
  );
}

function RefusedBallot({ delivery }: { delivery: Extract<Delivery, { state: 'refused' }> }) {
  const place = useRef<HTMLDivElement>(null);
  const { ballot, refusal, message, counted } = delivery;
  const { title, text } = REFUSED[refusal];
  const hasReason = refusal === 'invalid_ballot' || refusal === 'other';

  useEffect(() => {
    // The pressed button may be far below.
    place.current?.scrollIntoView({ block: 'center' });
  }, []);

  if (counted !== null && counted.answers.length === 0) {
    return <StoredElsewhere question={ballot.text} castAt={counted.castAt} />;
  }

  return (
    <div ref={place}>
      <Notice tone="refused" title={title}>
        {hasReason && message ? <p>{message}</p> : null}
        <p>{text}</p>
        <p>Question: {ballot.text}</p>
        <p>Not counted:</p>
        <AnswerLines type={ballot.type} answers={ballot.answers} />
        {counted === null ? null : (
          <>
            <p>
              Your counted vote{counted.castAt === null ? '' : `, stored at ${formatTime(counted.castAt)}`}:
            </p>
            <AnswerLines type={ballot.type} answers={counted.answers} />
          </>
        )}
      </Notice>
    </div>
  );
}
