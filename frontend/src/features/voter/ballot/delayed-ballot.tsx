import { Button } from '@mantine/core';
import type { Ballot } from '../../../shared/ballot/ballot';
import { Notice } from '../notice';
import { AnswerLines } from './answer-lines';
import classes from './delayed-ballot.module.css';
import { focusHeading } from './focus-heading';

interface DelayedBallotProps {
  ballot: Ballot;
  /** Outside of the meeting's page, if it is known. */
  meetingTitle?: string | undefined;
  /** False if the browser refuses storage. */
  isKept: boolean;
  isNextOpen: boolean;
  onSetAside: () => void;
}

/** Shown while the server has not answered and it is unknown whether the vote counts. */
export function DelayedBallot({ ballot, meetingTitle, isKept, isNextOpen, onSetAside }: DelayedBallotProps) {
  return (
    <div ref={focusHeading}>
      <Notice tone="waiting" title="Not yet delivered">
        <p>
          The server has not confirmed your vote yet. This page keeps sending it until the server answers.
        </p>
        <p>
          {isKept
            ? 'Your vote is kept on this device. If you close this page, open Plenum again to send it.'
            : 'Keep this page open until then.'}
        </p>
        {meetingTitle === undefined ? null : <p>Meeting: {meetingTitle}</p>}
        <p>
          Question {ballot.orderIndex}: {ballot.text}
        </p>
        {ballot.sealed ? null : (
          <>
            <p>Your answer:</p>
            <AnswerLines type={ballot.type} answers={ballot.shown ?? ballot.answers} />
          </>
        )}
        {isNextOpen ? (
          <>
            <p>The next question is open. It appears here when this vote has been confirmed or refused.</p>
            <Button className={classes.goOn} variant="default" size="md" fullWidth onClick={onSetAside}>
              Go on to the next question
            </Button>
          </>
        ) : null}
      </Notice>
    </div>
  );
}
