import type { LogEntry } from '../../api/types';
import { formatDateTime } from '../format';
import classes from './round-log.module.css';
import { type NamedKind, weightAmount } from './weight-names';

interface RoundLogProps {
  log: LogEntry[];
  weightKind?: NamedKind;
  /** Includes the entries that other parts show: opened, ended, counted, declared. */
  isFull?: boolean;
  /** "h3" if the round's own heading is one level above. */
  heading?: 'h2' | 'h3' | 'h4';
}

/** Changes of the register, passwords that somebody else set, and reopenings of a round, with time, name and reason. */
export function RoundLog({ log, weightKind, isFull = false, heading: Heading = 'h3' }: RoundLogProps) {
  const entries = isFull ? log : log.filter(({ kind }) => isChange(kind));
  return entries.length > 0 ? (
    <div className={classes.root}>
      <Heading className={classes.title}>{isFull ? 'Log' : 'Changes during the vote'}</Heading>
      <ol className={classes.list}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a log only grows at its end.
          <li key={index} className={classes.entry}>
            <time className={classes.time} dateTime={entry.at}>
              {formatDateTime(entry.at)}
            </time>
            <span>
              {logWords(entry, weightKind)}
              {entry.reason ? <span className={classes.reason}>{entry.reason}</span> : null}
            </span>
          </li>
        ))}
      </ol>
    </div>
  ) : null;
}

function isChange(kind: LogEntry['kind']): boolean {
  return kind !== 'OPENED' && kind !== 'ENDED' && kind !== 'COUNTED' && kind !== 'DECLARED';
}

/** "Ada Young (ada.young, weight 1.5) admitted by Maria Keller" */
export function logWords({ kind, by, person }: LogEntry, weightKind?: NamedKind): string {
  const doer = by === null ? '' : ` by ${by}`;
  const whom = person
    ? `${person.name} (${person.username}, ${weightAmount(person.weight, weightKind)})`
    : '';
  switch (kind) {
    case 'OPENED':
      return `Voting opened${doer}`;
    case 'ENDED':
      return by === null ? 'Voting ended automatically' : `Voting ended${doer}`;
    case 'REOPENED':
      return `Voting opened again${doer}`;
    case 'COUNTED':
      return `Votes counted${doer}`;
    case 'DECLARED':
      return `Result declared${doer}`;
    case 'ADMITTED':
      return `${whom} admitted${doer}`;
    case 'EXCLUDED':
      return `${whom} excluded${doer}`;
    case 'JOINED':
      return `${whom} joined the register when voting was opened again${doer}`;
    case 'PASSWORD_SET':
      return `Password of ${whom} set${doer}`;
    case 'RISK_ACCEPTED':
      return `Votes may be inferred from the totals: accepted${doer}`;
    case 'VOIDED':
      return 'The vote is void: its key is lost';
  }
}
