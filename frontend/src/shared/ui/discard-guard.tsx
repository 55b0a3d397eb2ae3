import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { useUnsavedWork } from '../unsaved-work';
import { ConfirmDialog } from './confirm-dialog';

interface DiscardGuardProps {
  /** Whether something would be lost at this moment. Left out, something is as long as the guard is there. */
  isDirty?: () => boolean;
  isAsking: boolean;
  onAsk: (isAsking: boolean) => void;
  onDiscard: () => void;
  /** Where something else than a form would be lost: how it is asked. */
  question?: { title: string; text: ReactNode; confirmLabel: string; cancelLabel: string };
}

const ABOUT_A_FORM = {
  title: 'Discard your changes?',
  text: 'What you have entered has not been saved.',
  confirmLabel: 'Discard changes',
  cancelLabel: 'Keep editing',
};

const always = () => true;

/**
 * Asks before something is lost, also when somebody leads away from the screen. Better there before anything can be
 * lost: the router hears of a guard some moments after it was drawn, and a "back" right after typing may be faster.
 */
export function DiscardGuard(props: DiscardGuardProps) {
  const { isDirty = always, isAsking, onAsk, onDiscard, question = ABOUT_A_FORM } = props;
  useUnsavedWork(isDirty === always);
  const isDiscarded = useRef(false);

  // What a page writes into its own address (after saving, say) leads nobody away from the form.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isDirty() && (historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname),
  );
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isBlocked) {
      onAsk(true);
    }
  }, [isBlocked, onAsk]);

  useEffect(() => {
    // A reload, or the tab being closed: the browser asks in its own words.
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isDirty()) {
        event.preventDefault();
      }
    };
    window.addEventListener('beforeunload', handleUnload);
    return () => window.removeEventListener('beforeunload', handleUnload);
  }, [isDirty]);

  return (
    <ConfirmDialog
      opened={isAsking}
      title={question.title}
      confirmLabel={question.confirmLabel}
      cancelLabel={question.cancelLabel}
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
      {question.text}
    </ConfirmDialog>
  );
}
