import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog';

interface DiscardGuardProps {
  isAsking: boolean;
  onAsk: (isAsking: boolean) => void;
  onDiscard: () => void;
}

/** There while something would be lost: asks before it is, also when somebody leads away from the screen. */
export function DiscardGuard({ isAsking, onAsk, onDiscard }: DiscardGuardProps) {
  const isDiscarded = useRef(false);

  // What a page writes into its own address (after saving, say) leads nobody away from the form.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname,
  );
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isBlocked) {
      onAsk(true);
    }
  }, [isBlocked, onAsk]);

  useEffect(() => {
    // A reload, or the tab being closed: the browser asks in its own words.
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', handleUnload);
    return () => window.removeEventListener('beforeunload', handleUnload);
  }, []);

  return (
    <ConfirmDialog
      opened={isAsking}
      title="Discard your changes?"
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      isDangerous
      onConfirm={() => {
        isDiscarded.current = true;
        onDiscard();
        blocker.proceed?.();
      }}
      onClose={() => {
        onAsk(false);
        if (!isDiscarded.current) {
          blocker.reset?.();
        }
      }}
    >
      What you have entered has not been saved.
    </ConfirmDialog>
  );
}
