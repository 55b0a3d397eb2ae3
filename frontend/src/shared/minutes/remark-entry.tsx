import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { messageOf } from '../../api/api-error';
import type { Remark } from '../../api/types';
import { formatDateTime } from '../format';
import { BusyButton } from '../ui/busy-button';
import { FormError } from '../ui/form-error';
import { StatusBadge } from '../ui/status-badge';
import { useUnfolded } from '../ui/use-unfolded';
import classes from './minutes-panel.module.css';
import { useDeleteRemark } from './mutations';

interface RemarkEntryProps {
  meetingId: string;
  remark: Remark;
}

/** A note with its time and a way to delete it, which asks for confirmation. */
export function RemarkEntry({ meetingId, remark }: RemarkEntryProps) {
  const { isUnfolded: isAsking, unfold: ask, fold: keep, opener } = useUnfolded();
  const { kind, text, at, by, struck } = remark;
  const when = formatDateTime(at);

  return (
    <li className={classes.entry}>
      <div className={classes.line}>
        <StatusBadge tone={kind === 'INCIDENT' ? 'warning' : 'neutral'}>
          {kind === 'INCIDENT' ? 'Incident' : 'Remark'}
        </StatusBadge>
        <span className={classes.quiet}>
          {when}, {by}
        </span>
      </div>
      <p className={classes.text} dir="auto">
        {struck ? <s>{text}</s> : text}
      </p>
      {struck ? (
        <span className={classes.quiet}>
          Struck through {formatDateTime(struck.at)}, {struck.by}
        </span>
      ) : isAsking ? (
        <DeleteQuestion meetingId={meetingId} remark={remark} onKeep={keep} />
      ) : (
        <Button
          ref={opener}
          className={classes.delete}
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={`Delete the note of ${when}`}
          onClick={ask}
        >
          Delete
        </Button>
      )}
    </li>
  );
}

/** In place of the entry, not in a dialog: Escape in a dialog above the panel would close the panel. */
function DeleteQuestion({ meetingId, remark, onKeep }: RemarkEntryProps & { onKeep: () => void }) {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  const remove = useDeleteRemark(meetingId);

  useEffect(() => keep.current?.focus(), []);

  return (
    <div className={classes.question} role="alertdialog" aria-labelledby={id}>
      <p id={id} className={classes.text}>
        Delete this note? Once voting was opened, the minutes keep it, struck through with your name and the
        time.
      </p>
      <FormError message={remove.isError ? messageOf(remove.error, 'Failed to delete the note') : null} />
      <div className={classes.actions}>
        <Button ref={keep} variant="default" size="xs" onClick={onKeep}>
          Keep
        </Button>
        <BusyButton
          variant="outline"
          color="var(--plenum-danger)"
          size="xs"
          isBusy={remove.isPending}
          busyLabel="Deleting…"
          onClick={() => remove.mutate(remark.id)}
        >
          Delete Note
        </BusyButton>
      </div>
    </div>
  );
}
