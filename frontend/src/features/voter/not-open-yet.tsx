import { paths } from '../../shared/paths';
import { useRefusalEnd } from './use-refusal-end';
import { VoterShell } from './voter-shell';
import { WaitingCard } from './waiting-card';

export const NOT_OPEN_YET = 'meeting_not_open_yet';

/** A meeting that is a draft, until it is none. */
export function NotOpenYet({ onReady }: { onReady: () => void }) {
  useRefusalEnd(NOT_OPEN_YET, onReady);
  return (
    <VoterShell title="Live Voting Session" back={{ to: paths.voting, label: 'Back' }}>
      <WaitingCard
        title="This meeting is not open yet"
        text="The organizer is still preparing it. This page opens by itself as soon as it is ready."
      />
    </VoterShell>
  );
}
