import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { useUnsavedWork } from '../unsaved-work';
import { ConfirmDialog } from './confirm-dialog';
import type { LossQuestion } from './loss-question';

interface DiscardGuardProps {
  /** Whether there are unsaved changes at this moment. If omitted, there are as long as the guard is mounted. */
  isDirty?: () => boolean;
  isAsking: boolean;
  onAsk: (isAsking: boolean) => void;
  onDiscard: () => void;
  /** The texts of the question, if the loss is not that of a form's changes. */
  question?: LossQuestion;
}

const ABOUT_A_FORM: LossQuestion = {
  title: 'Discard your changes?',
  text: 'What you have entered has not been saved.',
  confirmLabel: 'Discard changes',
  cancelLabel: 'Keep editing',
};

const always = () => true;

/**
 * Asks before unsaved changes are lost, also before a navigation. Mount it before anything can be lost: the router
 * registers a guard some moments after it was rendered, and "back" right after typing may be faster.
 */
export function DiscardGuard(props: DiscardGuardProps) {
  const { isDirty = always, isAsking, onAsk, onDiscard, question = ABOUT_A_FORM } = props;
  useUnsavedWork(isDirty === always);
  const isDiscarded = useRef(false);

  // A page that changes its own address (after saving, say) does not leave the form.
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

  // The question may be withdrawn because nothing can be lost any more. The navigation that it was about must not stay
  // blocked: a later one would then be blocked without a question. After every render, because `isDirty` is no state.
  useEffect(() => {
    if (isBlocked && !isAsking && !isDiscarded.current && !isDirty()) {
      blocker.reset?.();
    }
  });

  useEffect(() => {
    // For a reload or a closed tab, the browser asks in its own words.
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
