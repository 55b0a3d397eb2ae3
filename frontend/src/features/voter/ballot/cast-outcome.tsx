import type { ReactNode } from 'react';
import { formatTime } from '../../../shared/format';
import { Notice } from '../notice';
import { SealedVote } from '../secret/sealed-vote';
import type { MissedRound } from '../use-closed-round';
import { AnswerLines } from './answer-lines';
import type { Delivery } from './ballot-delivery';
import { focusHeading } from './focus-heading';
import { RefusedBallot } from './refused-ballot';

interface OutcomeProps {
  delivery: Delivery;
  missed: MissedRound | null;
  /** Another ballot is open below: one line is enough. */
  isPaperOpen: boolean;
  /** A ballot that was set aside has been stored after all. */
  isAsideStored: boolean;
}

/** The outcome of the last ballot. It takes the focus that the ballot has lost. */
export function Outcome(props: OutcomeProps) {
  const notice = noticeOf(props);
  return notice ? (
    <div key={props.delivery.state} ref={focusHeading}>
      {notice}
    </div>
  ) : null;
}

function noticeOf({ delivery, missed, isPaperOpen, isAsideStored }: OutcomeProps): ReactNode {
  // A round that was missed is a later one.
  if (delivery.state === 'stored' && (isPaperOpen || missed === null)) {
    const { ballot, castAt, receipt } = delivery;
    if (ballot.sealed && !isPaperOpen) {
      return (
        <SealedVote
          roundId={ballot.roundId}
          receipt={receipt}
          ownReceipt={ballot.sealed.receipt}
          isSealedByServer={ballot.sealed.envelope === null}
        />
      );
    }
    const when = castAt === null ? '' : ` at ${formatTime(castAt)}`;
    return isPaperOpen ? (
      <Notice tone="stored" title={`Your vote on question ${ballot.orderIndex} is stored.`} />
    ) : (
      <Notice tone="stored" title="Your vote is stored">
        <p>{ballot.text}</p>
        <AnswerLines type={ballot.type} answers={ballot.shown ?? ballot.answers} />
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
