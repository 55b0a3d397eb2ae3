import { SegmentedControl, Skeleton, Textarea, VisuallyHidden } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { fieldErrorsOf, formErrorOf, messageOf } from '../../api/api-error';
import type { Remark } from '../../api/types';
import { lengthProblem } from '../text-length';
import { FormError } from '../ui/form-error';
import { LoadError } from '../ui/load-error';
import { SubmitButton } from '../ui/submit-button';
import { useFocusHeld } from '../ui/use-focus-held';
import classes from './minutes-panel.module.css';
import { remarkQueries } from './queries';
import { RemarkEntry } from './remark-entry';
import type { RemarkDraft } from './use-remark-draft';

/** The limit of the server. */
const REMARK_LENGTH = 2_000;

interface MinutesPanelProps {
  meetingId: string;
  /** Kept by the screen while the panel is closed. */
  remark: RemarkDraft;
}

/** The remarks of the organizer during the meeting, which the minutes contain with their times. */
export function MinutesPanel({ meetingId, remark: { draft, setDraft, note } }: MinutesPanelProps) {
  const remarks = useQuery(remarkQueries.ofMeeting(meetingId));
  const field = useRef<HTMLTextAreaElement>(null);
  const root = useRef<HTMLElement>(null);
  const [isEmpty, setIsEmpty] = useState(false);

  const tooLong = lengthProblem(draft.text, REMARK_LENGTH);

  useFocusHeld(root, remarks.data);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const text = draft.text.trim();
    if (note.isPending) {
      return;
    }
    setIsEmpty(text === '');
    if (text === '' || tooLong !== null) {
      field.current?.focus();
      return;
    }
    // The form may be closed before the response: what concerns the draft is beside it.
    note.mutate({ kind: draft.kind, text }, { onSuccess: () => field.current?.focus() });
  }

  return (
    <section ref={root} className={classes.root} aria-label="Remarks and incidents" tabIndex={-1}>
      <form className={classes.form} noValidate onSubmit={handleSubmit}>
        <SegmentedControl
          aria-label="Kind of note"
          value={draft.kind}
          onChange={(kind) => setDraft({ ...draft, kind: kind === 'INCIDENT' ? 'INCIDENT' : 'REMARK' })}
          data={[
            { value: 'REMARK', label: 'Remark' },
            { value: 'INCIDENT', label: 'Incident' },
          ]}
        />
        <Textarea
          ref={field}
          label="Note"
          description="The minutes will show it with the current time."
          required
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
          value={draft.text}
          error={isEmpty ? 'Enter the note' : (tooLong ?? fieldErrorsOf(note.error).text)}
          errorProps={{ role: 'alert' }}
          onChange={(event) => {
            setIsEmpty(false);
            setDraft({ ...draft, text: event.currentTarget.value });
          }}
        />
        <FormError
          message={note.isError ? formErrorOf(note.error, 'Failed to save the note', draft) : null}
        />
        <div className={classes.actions}>
          <SubmitButton isBusy={note.isPending} busyLabel="Noting…">
            {draft.kind === 'INCIDENT' ? 'Note Incident' : 'Note Remark'}
          </SubmitButton>
        </div>
      </form>
      <RecordedNotes meetingId={meetingId} remarks={remarks} />
    </section>
  );
}

interface RecordedNotesProps {
  meetingId: string;
  remarks: UseQueryResult<Remark[]>;
}

/** The notes of the meeting, the latest first, because that one is needed most during the meeting. */
function RecordedNotes({ meetingId, remarks }: RecordedNotesProps) {
  return (
    <>
      {remarks.isError ? (
        <LoadError
          message={messageOf(remarks.error, 'The notes could not be loaded')}
          isRetrying={remarks.isFetching}
          onRetry={() => void remarks.refetch()}
        />
      ) : null}
      {remarks.isPending ? <LoadingRemarks /> : null}
      {remarks.data?.length === 0 ? <p className={classes.empty}>There are no notes yet.</p> : null}
      {remarks.data && remarks.data.length > 0 ? (
        <ol className={classes.list} aria-label="Recorded notes">
          {[...remarks.data].reverse().map((remark) => (
            <RemarkEntry key={remark.id} meetingId={meetingId} remark={remark} />
          ))}
        </ol>
      ) : null}
    </>
  );
}

function LoadingRemarks() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the notes...</VisuallyHidden>
      <Skeleton height={64} />
      <Skeleton height={64} mt="xs" />
    </div>
  );
}
