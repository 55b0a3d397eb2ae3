import { messageOf } from '../../../api/api-error';
import { proxyGivenWords } from '../../../shared/desks/proxy-given-words';
import { formatTime } from '../../../shared/format';
import type { LiveQuestion } from '../../../shared/live/live-events';
import { type NamedKind, weightAmount } from '../../../shared/result/weight-names';
import { BusyButton } from '../../../shared/ui/busy-button';
import { FormError } from '../../../shared/ui/form-error';
import rows from '../../../shared/ui/named-rows.module.css';
import { useAdmit } from '../mutations';
import { useNotePresence } from './mutations';
import type { Attendee } from './queries';

interface AttendeeRowProps {
  meetingId: string;
  person: Attendee;
  /** What the meeting counts as weight. */
  kind: NamedKind;
  /** The open question. Whose check-in arrived after its opening is not in its register. */
  open: LiveQuestion | null;
}

/** A person, checked in and out by hand. A latecomer can be admitted to the open vote. */
export function AttendeeRow({ meetingId, person, kind, open }: AttendeeRowProps) {
  const note = useNotePresence(meetingId);
  const { name, username, weight, mayVote, holders, present } = person;
  const isLate =
    mayVote &&
    present !== null &&
    open?.openedAt != null &&
    Date.parse(present.notedAt) > Date.parse(open.openedAt);
  return (
    <li className={rows.row}>
      <span className={rows.who}>
        <span className={rows.name} dir="auto">
          {name}
        </span>
        <span className={rows.quiet}>
          {username}, {mayVote ? weightAmount(weight, kind) : 'no vote of their own'}
        </span>
        {holders.length > 0 ? (
          <span className={rows.quiet}>{proxyGivenWords(person, present !== null)}</span>
        ) : null}
        {present ? (
          <span>
            Here since {formatTime(present.at)}, {present.by}
          </span>
        ) : null}
        {isLate && open?.roundId ? (
          <Latecomer
            meetingId={meetingId}
            roundId={open.roundId}
            person={person}
            reason={latecomerReason(present, open.openedAt)}
          />
        ) : null}
      </span>
      <BusyButton
        size="xs"
        variant="default"
        isBusy={note.isPending}
        busyLabel="Storing…"
        aria-label={`${present ? 'Check out' : 'Check in'} ${name}`}
        onClick={() => note.mutate({ person, kind: present ? 'OUT' : 'IN' })}
      >
        {present ? 'Check out' : 'Check in'}
      </BusyButton>
    </li>
  );
}

/** Stands in the log of the round. A desk without a network may have noted the check-in before the opening. */
function latecomerReason({ at, notedAt }: NonNullable<Attendee['present']>, openedAt: string | null): string {
  return openedAt !== null && Date.parse(at) <= Date.parse(openedAt)
    ? `Checked in at ${formatTime(at)}. The desk sent it at ${formatTime(notedAt)}, after voting opened`
    : `Checked in at ${formatTime(at)}, after voting opened`;
}

interface LatecomerProps {
  meetingId: string;
  roundId: string;
  person: Attendee;
  reason: string;
}

function Latecomer({ meetingId, roundId, person, reason }: LatecomerProps) {
  const admit = useAdmit(meetingId, roundId);
  if (admit.isSuccess) {
    return <span className={rows.quiet}>Admitted to the open vote</span>;
  }
  return (
    <>
      <BusyButton
        size="xs"
        isBusy={admit.isPending}
        busyLabel="Admitting…"
        aria-label={`Admit ${person.name} to the open vote`}
        onClick={() => admit.mutate({ endUserId: person.id, reason })}
      >
        Admit to the open vote
      </BusyButton>
      <FormError message={admit.isError ? messageOf(admit.error, 'Failed to admit') : null} />
    </>
  );
}
