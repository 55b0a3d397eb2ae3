import type { Round } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { paperPath } from '../../../shared/paper-votes/paper-path';
import { unconfirmedRounds } from '../../../shared/paper-votes/unconfirmed-rounds';
import { TextLink } from '../../../shared/ui/text-link';
import { StepNotice } from '../steps/step-notice';

interface UnconfirmedBatchesNoticeProps {
  meetingId: string;
  rounds: Round[];
}

/** Warns of votes on paper that nobody had confirmed when voting ended, whatever question is on the screen now. */
export function UnconfirmedBatchesNotice({ meetingId, rounds }: UnconfirmedBatchesNoticeProps) {
  const left = unconfirmedRounds(rounds);
  if (left.length === 0) {
    return null;
  }
  const batches = left.reduce((sum, { waitingBatches }) => sum + waitingBatches, 0);
  const questions = left.map(({ questionText }) => `“${questionText}”`).join(', ');
  const text = `${countOf(batches, 'batch', 'batches')} of votes on paper ${batches === 1 ? 'was' : 'were'} not confirmed when voting ended on ${questions}. `;
  return (
    <StepNotice
      notice={{
        tone: 'warning',
        text: (
          <>
            {text}
            <TextLink to={paperPath(meetingId)}>Show {batches === 1 ? 'it' : 'them'}</TextLink>
          </>
        ),
      }}
    />
  );
}
