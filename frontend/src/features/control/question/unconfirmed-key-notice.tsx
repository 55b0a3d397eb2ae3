import type { LiveQuestion } from '../../../shared/live/live-events';
import { isKeyUnconfirmed } from '../../../shared/live/unconfirmed-key';
import { StepNotice } from '../steps/step-notice';

/** Warns that nobody can vote on the open question, because the server cannot confirm the key of its urn. */
export function UnconfirmedKeyNotice({ current }: { current: LiveQuestion | null }) {
  if (current === null || !isKeyUnconfirmed(current)) {
    return null;
  }
  return (
    <StepNotice
      notice={{
        tone: 'warning',
        text: 'Nobody can vote on this question: the server could not confirm the key of this secret vote. Tell the operator of the server: the key in the database was changed, or its file is missing. Until the key is confirmed, voters see no ballot. If that takes too long, end voting and hold a re-vote.',
      }}
    />
  );
}
