import { Button } from '@mantine/core';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { ElectionOutcome, SeatAnswer, SeatHolder } from '../../elections/election-types';
import { countOf, formatDateTime } from '../../format';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useFocusHeld } from '../../ui/use-focus-held';
import { useSingleStart } from '../../use-single-start';
import { useNoteSeatAnswer } from './mutations';
import classes from './seats.module.css';

interface SeatsCardProps {
  meetingId: string;
  outcome: ElectionOutcome;
  /** The way to the next ballot, where it can be added. */
  children?: ReactNode;
}

/** Who has the seats of an election, over all of its ballots, and whether they accept. */
export function SeatsCard({ meetingId, outcome, children }: SeatsCardProps) {
  const id = useId();
  const note = useNoteSeatAnswer(meetingId);
  const root = useRef<HTMLElement>(null);
  // The pressed button may go with its row.
  useFocusHeld(root, outcome);
  // The name stays while the dialog closes.
  const [asked, setAsked] = useState<SeatHolder | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { rounds, holders, declined, answers } = outcome;
  const ballotOf = (roundId: string) => (rounds.length > 1 ? rounds.indexOf(roundId) + 1 : null);

  function rowOf(holder: SeatHolder, isIn: boolean) {
    const { roundId, candidate } = holder;
    return (
      <PersonRow
        key={`${roundId} ${candidate}`}
        holder={holder}
        isIn={isIn}
        ballot={ballotOf(roundId)}
        isBusy={note.isPending}
        onAnswer={(answer) => {
          if (answer === 'declined') {
            setAsked(holder);
            setIsAsking(true);
          } else {
            note.mutate({ roundId, candidate, answer });
          }
        }}
      />
    );
  }

  return (
    <section ref={root} className={classes.root} aria-labelledby={id} tabIndex={-1}>
      <h3 className={classes.title} id={id}>
        Seats
      </h3>
      <p className={classes.quiet} role="status">
        {summary(outcome)}
      </p>
      {holders.length > 0 ? (
        <ol className={classes.people} aria-label="Who has a seat">
          {holders.map((holder) => rowOf(holder, true))}
        </ol>
      ) : null}
      {declined.length > 0 ? (
        <ul className={classes.people} aria-label="Who declined">
          {declined.map((holder) => rowOf(holder, false))}
        </ul>
      ) : null}
      {answers.length > 0 ? (
        <ul className={classes.notes} aria-label="Noted answers">
          {answers.map(({ at, by, words, candidate, roundId }) => (
            <li key={`${at} ${roundId} ${candidate}`}>
              {words} <span className={classes.quiet}>{`${formatDateTime(at)}, noted by ${by}`}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {children}
      <RefusalDialog
        card={root}
        isOpen={isAsking}
        holder={asked}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          if (asked) {
            const { roundId, candidate } = asked;
            await note.mutateAsync({ roundId, candidate, answer: 'declined' });
          }
        }}
      />
    </section>
  );
}

interface RefusalDialogProps {
  /** Has the focus afterwards, because the pressed button goes with its row. */
  card: RefObject<HTMLElement | null>;
  isOpen: boolean;
  holder: SeatHolder | null;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

function RefusalDialog({ card, isOpen, holder, onClose, onConfirm }: RefusalDialogProps) {
  return (
    <ConfirmDialog
      opened={isOpen}
      onClose={onClose}
      title="Record that this person declines?"
      subject={holder?.name}
      confirmLabel="Record refusal"
      focusFallback={card}
      onConfirm={onConfirm}
    >
      The next one moves up, or the seat stays vacant, as the terms of the election say. You can take this
      back until a next ballot is added. After that it is final.
    </ConfirmDialog>
  );
}

function summary({ seats, holders, vacant, rounds }: ElectionOutcome): string {
  const filled =
    seats === null ? countOf(holders.length, 'person', 'people') : `${holders.length} of ${seats}`;
  const what = seats === null ? `${filled} elected` : `${filled} ${seats === 1 ? 'seat' : 'seats'} filled`;
  const rest = vacant > 0 ? `, ${countOf(vacant, 'seat')} vacant` : '';
  const ballots = rounds.length > 1 ? `, after ${rounds.length} ballots` : '';
  return `${what}${rest}${ballots}.`;
}

interface PersonRowProps {
  holder: SeatHolder;
  isIn: boolean;
  /** The number of the ballot, if there are several. */
  ballot: number | null;
  isBusy: boolean;
  onAnswer: (answer: SeatAnswer) => void;
}

function PersonRow({ holder, isIn, ballot, isBusy, onAnswer }: PersonRowProps) {
  const { name, line, answer } = holder;
  return (
    <li className={classes.person}>
      <div className={classes.who}>
        <strong dir="auto">{name}</strong>
        {line ? <span className={classes.quiet}> {line}</span> : null}
        <span className={classes.state}>{stateWords(holder, isIn, ballot)}</span>
      </div>
      <div className={classes.buttons}>
        {answer === null ? (
          <>
            <AnswerButton label="Accepts" name={name} isBusy={isBusy} onClick={() => onAnswer('accepted')} />
            <AnswerButton label="Declines" name={name} isBusy={isBusy} onClick={() => onAnswer('declined')} />
          </>
        ) : (
          <AnswerButton
            label="Take back"
            name={name}
            isBusy={isBusy}
            onClick={() => onAnswer('taken_back')}
          />
        )}
      </div>
    </li>
  );
}

interface AnswerButtonProps {
  label: string;
  name: string;
  isBusy: boolean;
  onClick: () => void;
}

/** While an answer is noted, the button does nothing, but keeps the focus. */
function AnswerButton({ label, name, isBusy, onClick }: AnswerButtonProps) {
  const startOnce = useSingleStart(isBusy);
  return (
    <Button
      variant="default"
      size="sm"
      className={classes.answer}
      aria-label={`${label}: ${name}`}
      aria-disabled={isBusy || undefined}
      onClick={() => startOnce(onClick)}
    >
      {label}
    </Button>
  );
}

function stateWords({ answer, hasMovedUp }: SeatHolder, isIn: boolean, ballot: number | null): string {
  const state = answer === 'accepted' ? 'Accepted' : answer === 'declined' ? 'Declined' : 'No answer yet';
  return [ballot === null ? null : `Ballot ${ballot}`, isIn && hasMovedUp ? 'Moved up' : null, state]
    .filter((part) => part !== null)
    .join(' · ');
}
