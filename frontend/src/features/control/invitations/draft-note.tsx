import { WarningNote } from '../../../shared/ui/warning-note';

/** Beside what invites voters to a meeting that is a draft. */
export function DraftNote() {
  return (
    <WarningNote>
      This meeting is a draft: voters cannot open it yet. Set its status to Scheduled, or start it, before you
      invite.
    </WarningNote>
  );
}
