import { type ReactNode, useEffect, useState } from 'react';
import ballot from '../../../shared/ballot/ballot-form.module.css';
import { rehearsalNote } from '../../../shared/storage';
import { BusyButton } from '../../../shared/ui/busy-button';
import { toastsAbove } from '../../../shared/ui/toast';
import { Notice } from '../notice';
import classes from './rehearsal.module.css';
import { useAnswerRehearsal } from './use-answer-rehearsal';

export interface RehearsalProps {
  meetingId: string;
  rehearsalId: string;
  /** The content without a rehearsal. */
  children: ReactNode;
}

/** A rehearsal. This device reports by itself that it has received it; the voter confirms having seen it. */
export function Rehearsal({ meetingId, rehearsalId, children }: RehearsalProps) {
  const { mutate: reportReceived } = useAnswerRehearsal(meetingId, rehearsalId);
  const answer = useAnswerRehearsal(meetingId, rehearsalId);
  const [wasAnswered] = useState(() => rehearsalNote.read(meetingId) === rehearsalId);
  const isAnswered = wasAnswered || answer.isSuccess;
  const isDelayed = answer.isPending && answer.failureCount > 0;

  useEffect(() => reportReceived('received'), [reportReceived]);

  function handleAnswer() {
    answer.mutate('answered', { onSuccess: () => rehearsalNote.save(meetingId, rehearsalId) });
  }

  return (
    // Not a form: the content below may have forms of its own.
    <div className={ballot.form}>
      <div className={classes.body}>
        {isAnswered ? (
          <Notice
            role="status"
            tone="stored"
            title="Thank you. The organizer can see that your phone works."
          />
        ) : isDelayed ? (
          <Notice role="status" tone="waiting" title="Not yet delivered">
            <p>
              The server has not confirmed your answer yet. This page keeps sending it until the server
              answers.
            </p>
          </Notice>
        ) : (
          <Notice role="status" tone="info" title="Rehearsal">
            <p>
              This is a rehearsal. Nothing is counted. Tap the button to show the organizer that your phone
              works.
            </p>
          </Notice>
        )}
        {children}
      </div>
      {isAnswered ? null : (
        <div ref={toastsAbove} className={ballot.bar}>
          <div className={ballot.act}>
            <BusyButton
              className={ballot.submit ?? ''}
              size="lg"
              isBusy={answer.isPending}
              busyLabel="Sending..."
              onClick={handleAnswer}
            >
              I see this
            </BusyButton>
          </div>
        </div>
      )}
    </div>
  );
}
