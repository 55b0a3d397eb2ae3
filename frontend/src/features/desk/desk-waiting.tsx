import { Button } from '@mantine/core';
import { countOf, formatTime } from '../../shared/format';
import type { DeskSnapshot } from './desk-engine';
import classes from './desk-page.module.css';

interface DeskWaitingProps {
  desk: DeskSnapshot;
  onDismiss: (id: string) => void;
}

/** The connection, the entries that wait to be sent, and what the server said about others. */
export function DeskWaiting({ desk, onDismiss }: DeskWaitingProps) {
  const { connection, waiting, conflicts, contactAt } = desk;
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
          <ul>
            {waiting.map(({ id, name, kind, at }) => (
              <li key={id}>
                <span dir="auto">{name}</span>, {kind === 'IN' ? 'in' : 'out'} at {formatTime(at)}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {conflicts.length > 0 ? (
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
      ) : null}
    </>
  );
}

function keptWords(waiting: number): string {
  return waiting === 0
    ? 'what you enter is kept on this device and sent later.'
    : `${countOf(waiting, 'entry is', 'entries are')} kept on this device and will be sent.`;
}
