import { useState } from 'react';
import { countOf } from '../format';
import { BusyButton } from '../ui/busy-button';

interface DiscardButtonProps {
  batch: { number: number; ballots: number };
  /** What the button says before it asks. */
  label: string;
  isDiscarding: boolean;
  onDiscard: () => void;
  /** In a list of batches, whose buttons must be told apart. */
  isListed?: boolean;
}

/** Discards a batch at the second click, which confirms the first one. */
export function DiscardButton({
  batch: { number, ballots },
  label,
  isDiscarding,
  onDiscard,
  isListed = false,
}: DiscardButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const question = `Yes, discard ${countOf(ballots, 'vote')}`;
  const names = isAsking ? `${question} of batch ${number}` : `${label} batch ${number}`;
  return (
    <BusyButton
      variant="default"
      isBusy={isDiscarding}
      busyLabel="Discarding…"
      {...(isListed ? { 'aria-label': names } : { size: 'lg' })}
      onBlur={() => setIsAsking(false)}
      onClick={(event) => {
        if (!isAsking) {
          setIsAsking(true);
        } else if (event.detail <= 1) {
          // The second click of a double click is an accident.
          onDiscard();
        }
      }}
    >
      {isAsking ? question : label}
    </BusyButton>
  );
}
