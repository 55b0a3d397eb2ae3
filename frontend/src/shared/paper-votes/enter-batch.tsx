import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { countOf } from '../format';
import { BusyButton } from '../ui/busy-button';
import { FormError } from '../ui/form-error';
import { MOST, sumOf } from './counts';
import type { EntryProps } from './entry-props';
import { NamedEntry } from './named-entry';
import type { PaperDraft } from './paper-draft';
import { isFilled, type PaperQuestion } from './paper-question';
import classes from './paper-votes.module.css';
import { SetEntry } from './set-entry';
import type { useSendBatch } from './use-send-batch';

interface EnterBatchProps extends EntryProps {
  sending: ReturnType<typeof useSendBatch>;
  onDiscard: () => void;
}

/** The batch that this teller enters. */
export function EnterBatch({ sending, onDiscard, ...entry }: EnterBatchProps) {
  const { question, draft } = entry;
  const id = useId();
  const count = draft?.people.length ?? 0;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id} className={classes.subtitle}>
        Enter a batch
      </h3>
      <p>
        {question.secrecy === 'named'
          ? 'Enter the vote of each person. Another teller compares the batch with the papers and confirms it. Then it is counted.'
          : 'Mark the people whose papers are in the batch, then enter how many votes have which answer. Another teller confirms the batch. Then it is counted.'}
      </p>
      {sending.entered ? (
        <p className={classes.notice} data-tone="good" role="status">
          Batch {sending.entered.number} with {countOf(sending.entered.ballots, 'vote')} is entered. Another
          teller confirms it.
        </p>
      ) : null}
      {sending.isSending ? (
        <Sending count={count} isDelayed={sending.isDelayed} />
      ) : question.secrecy === 'named' ? (
        <NamedEntry {...entry} />
      ) : (
        <SetEntry {...entry} />
      )}
      <FormError message={sending.error} />
      {draft !== null && count > 0 && !sending.isSending ? (
        <Actions
          count={count}
          canSend={isComplete(question, draft)}
          onSend={sending.start}
          onDiscard={onDiscard}
        />
      ) : null}
    </section>
  );
}

function Sending({ count, isDelayed }: { count: number; isDelayed: boolean }) {
  return (
    <p className={classes.notice} role="status">
      {isDelayed
        ? `The batch of ${countOf(count, 'vote')} is not delivered yet. This device keeps it and sends it again until the server answers. It is entered once.`
        : `The batch of ${countOf(count, 'vote')} is being sent…`}
    </p>
  );
}

interface ActionsProps {
  count: number;
  canSend: boolean;
  onSend: () => void;
  onDiscard: () => void;
}

function Actions({ count, canSend, onSend, onDiscard }: ActionsProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className={classes.actions}>
      <BusyButton size="lg" isBusy={false} busyLabel="" disabled={!canSend} onClick={onSend}>
        {`Enter batch of ${countOf(count, 'vote')}`}
      </BusyButton>
      <Button
        size="lg"
        variant="default"
        onClick={(event) => {
          if (!isAsking) {
            setIsAsking(true);
          } else if (event.detail <= 1) {
            // The second click of a double click is an accident.
            onDiscard();
          }
        }}
        onBlur={() => setIsAsking(false)}
      >
        {isAsking ? `Yes, discard ${countOf(count, 'vote')}` : 'Discard'}
      </Button>
    </div>
  );
}

function isComplete(question: PaperQuestion, { people, counts }: PaperDraft): boolean {
  if (people.length === 0 || people.length > MOST) {
    return false;
  }
  return question.secrecy === 'named'
    ? people.every(({ answers }) => isFilled(question, answers))
    : sumOf(counts) === people.length;
}
