import { AnswerLines } from './answer-lines';
import type { Ballot } from './ballot';
import { Notice } from './notice';
import { QuestionHead } from './question-head';

/** The server has not answered: nobody knows yet whether the vote counts, and the screen says so. */
export function DelayedBallot({ ballot, isNextOpen }: { ballot: Ballot; isNextOpen: boolean }) {
  return (
    <>
      <QuestionHead question={ballot} />
      <Notice tone="waiting" title="Not yet delivered">
        <p>
          The server has not confirmed your vote. It is being sent again until there is an answer. Keep this
          page open.
        </p>
        <p>Your answer:</p>
        <AnswerLines type={ballot.type} answers={ballot.answers} />
        {isNextOpen ? <p>The next question is open. It appears here once this vote is settled.</p> : null}
      </Notice>
    </>
  );
}
