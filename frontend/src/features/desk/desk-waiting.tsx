import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RefObject } from 'react';
import { countOf, formatTime } from '../../shared/format';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import type { DeskSnapshot } from './desk-engine';
import classes from './desk-page.module.css';
import type { Waiting } from './desk-record';

interface DeskWaitingProps {
  desk: DeskSnapshot;
  onDismiss: (id: string) => void;
}

/** The connection, the entries that wait to be sent, and what the server said about others. */
export function DeskWaiting({ desk, onDismiss }: DeskWaitingProps) {
  const { connection, waiting, contactAt } = desk;
  return (
    <>
      <p className={classes.connection} data-state={connection} role="status">
        {connection === 'offline'
          ? `No network${contactAt ? ` since ${formatTime(contactAt)}` : ''}. Go on as before: ${keptWords(waiting.length)}`
          : waiting.length > 0
            ? `Sending ${countOf(waiting.length, 'entry', 'entries')}…`
            : connection === 'online'
              ? 'Connected. Everything is sent.'
              : 'Connecting…'}
      </p>
      {waiting.length > 0 ? (
        <details className={classes.queue}>
          <summary>{countOf(waiting.length, 'entry', 'entries')} on this device, not sent yet</summary>
          <EntryList entries={waiting} />
        </details>
      ) : null}
      <Conflicts desk={desk} onDismiss={onDismiss} />
    </>
  );
}

interface DeskUnsentProps extends DeskWaitingProps {
  /** Has the focus once the entries are deleted. */
  heading: RefObject<HTMLElement | null>;
  onDiscard: () => void;
}

/** The entries that a closed desk can no longer send, and what the server said about others. */
export function DeskUnsent({ desk, heading, onDismiss, onDiscard }: DeskUnsentProps) {
  const { waiting } = desk;
  const [isAsking, asking] = useDisclosure(false);
  return (
    <>
      {waiting.length > 0 ? (
        <section className={classes.queue} aria-label="Not sent">
          <p role="alert">{unsentWords(waiting.length)}</p>
          <EntryList entries={waiting} />
          <Button variant="default" className={classes.undo} onClick={asking.open}>
            Delete from this device
          </Button>
        </section>
      ) : null}
      <ConfirmDialog
        opened={isAsking}
        onClose={asking.close}
        title="Delete the entries from this device?"
        confirmLabel="Delete entries"
        isDangerous
        focusFallback={heading}
        onConfirm={onDiscard}
      >
        Nobody else has them. First make sure that the organizer knows who came and who left, and when. This
        cannot be undone.
      </ConfirmDialog>
      <Conflicts desk={desk} onDismiss={onDismiss} />
    </>
  );
}

function EntryList({ entries }: { entries: readonly Waiting[] }) {
  return (
    <ul>
      {entries.map(({ id, name, kind, at }) => (
        <li key={id}>
          <span dir="auto">{name}</span>, {kind === 'IN' ? 'in' : 'out'} at {formatTime(at)}
        </li>
      ))}
    </ul>
  );
}

function Conflicts({ desk: { conflicts }, onDismiss }: DeskWaitingProps) {
  return conflicts.length > 0 ? (
    <section className={classes.conflicts} aria-label="What differed">
      {conflicts.map(({ id, text }) => (
        <p key={id} role="alert" className={classes.conflict}>
          <span dir="auto">{text}</span>
          <Button size="compact-sm" variant="default" onClick={() => onDismiss(id)}>
            OK
          </Button>
        </p>
      ))}
    </section>
  ) : null;
}

function keptWords(waiting: number): string {
  return waiting === 0
    ? 'what you enter is kept on this device and sent later.'
    : `${countOf(waiting, 'entry is', 'entries are')} kept on this device and will be sent.`;
}

function unsentWords(unsent: number): string {
  const isOne = unsent === 1;
  return `${countOf(unsent, 'entry was', 'entries were')} not sent and ${isOne ? 'is' : 'are'} not in the attendance. Tell the organizer.`;
}
