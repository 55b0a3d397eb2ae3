import { use, useCallback, useMemo, useRef, useState } from 'react';
import { PersonContext } from '../../api/person-context';
import { useUnsavedWork } from '../unsaved-work';
import { DiscardGuard } from './discard-guard';
import type { LossQuestion } from './loss-question';
import type { Panel } from './panel-context';

/**
 * Makes every way to leave a panel ask first, while its content reports that something would be lost. The content has the
 * context, with the place of a preview beside the panel.
 */
export function usePanelGuard(opened: boolean, onClose: () => void, beside: HTMLElement | null = null) {
  const [isContentDirty, setIsContentDirty] = useState(false);
  const [question, setQuestion] = useState<LossQuestion | undefined>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  const [hasDialog, reportDialog] = useState(false);
  const isDirty = opened && isContentDirty;
  if (isAsking && !isDirty) {
    // The form was saved meanwhile, so there is no question any more.
    setIsAsking(false);
  }

  useUnsavedWork(isDirty);

  // Updated immediately; the state is rendered a moment later.
  const isDirtyNow = useRef(false);
  const hasSomethingToLose = useCallback(() => isDirtyNow.current, []);
  const reportDirty = useCallback((isDirtyContent: boolean, about?: LossQuestion) => {
    isDirtyNow.current = isDirtyContent;
    setIsContentDirty(isDirtyContent);
    if (isDirtyContent) {
      // Otherwise the texts stay, because the dialog may still be closing.
      setQuestion(about);
    }
  }, []);

  const latest = useRef(onClose);
  latest.current = onClose;
  const requestClose = useCallback(() => {
    if (isDirtyNow.current) {
      // After the key press: the same Escape would close the question again.
      window.setTimeout(() => setIsAsking(true));
    } else {
      latest.current();
    }
  }, []);

  const context = useMemo<Panel>(
    () => ({ requestClose, reportDirty, reportDialog, beside }),
    [requestClose, reportDirty, beside],
  );

  // A new sign-in, the question or another dialog covers the panel: Escape is not meant for it.
  const isSigningIn = use(PersonContext) !== null;
  const isCovered = isSigningIn || isAsking || hasDialog;

  const guard = opened ? (
    <DiscardGuard
      isDirty={hasSomethingToLose}
      isAsking={isAsking}
      onAsk={setIsAsking}
      onDiscard={onClose}
      {...(question ? { question } : {})}
    />
  ) : null;
  return { isCovered, requestClose, context, guard };
}
