import { useEffect, useRef } from 'react';
import type { Ballot } from '../../../shared/ballot/ballot';
import { formatTime } from '../../../shared/format';
import { castElsewhere, ELSEWHERE_COUNTS } from '../cast-elsewhere';
import { HIDDEN_ANSWER } from '../hidden-answer';
import { Notice } from '../notice';
import { AnswerLines } from './answer-lines';
import type { Delivery, Refusal, StoredVote } from './ballot-delivery';

export interface RefusedProps {
  delivery: Extract<Delivery, { state: 'refused' }>;
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
function StoredElsewhere({ ballot, counted }: { ballot: Ballot; counted: StoredVote }) {
  const { castAt } = counted;
  const elsewhere = castElsewhere(counted);
  return (
    <Notice tone="stored" title={REFUSED.already_voted.title}>
      <p>Question: {ballot.text}</p>
      {elsewhere ? (
        <p>{`${elsewhere} ${ELSEWHERE_COUNTS}`}</p>
      ) : (
        <p>
          Your vote was stored{castAt === null ? '' : ` at ${formatTime(castAt)}`} in another session, and it
          counts. {ballot.sealed ? null : `${HIDDEN_ANSWER}.`}
        </p>
      )}
    </Notice>
  );
}

/** Why a ballot was not counted, and what counts instead. */
export function RefusedBallot({ delivery }: RefusedProps) {
  const place = useRef<HTMLDivElement>(null);
  const { ballot, refusal, message, counted } = delivery;
  const { title, text } = REFUSED[refusal];
  const elsewhere = counted === null ? null : castElsewhere(counted);
  const hasReason = refusal === 'invalid_ballot' || refusal === 'other';

  useEffect(() => {
    // The pressed button may be far below.
    place.current?.scrollIntoView({ block: 'center' });
  }, []);

  if (counted !== null && counted.answers.length === 0) {
    return <StoredElsewhere ballot={ballot} counted={counted} />;
  }

  return (
    <div ref={place}>
      <Notice tone="refused" title={title}>
        {hasReason && message ? <p>{message}</p> : null}
        <p>{text}</p>
        <p>Question: {ballot.text}</p>
        {ballot.sealed ? null : (
          <>
            <p>Not counted:</p>
            <AnswerLines type={ballot.type} answers={ballot.shown ?? ballot.answers} />
          </>
        )}
        {counted === null ? null : (
          <>
            <p>
              {elsewhere ? `${elsewhere} ` : null}
              Your counted vote{counted.castAt === null ? '' : `, stored at ${formatTime(counted.castAt)}`}:
            </p>
            <AnswerLines type={ballot.type} answers={counted.answers} />
          </>
        )}
      </Notice>
    </div>
  );
}
