import { useRef } from 'react';
import type { Question } from '../../shared/diagnostics/run/diagnostic';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';

interface QuestionDialogProps {
  question: Question | null;
  onAnswer: (isYes: boolean) => void;
}

/** The question of a running test. */
export function QuestionDialog({ question, onAnswer }: QuestionDialogProps) {
  /** Stays readable while the dialog fades out. */
  const last = useRef(question);
  if (question !== null) {
    last.current = question;
  }
  return last.current ? (
    <ConfirmDialog
      opened={question !== null}
      title={last.current.title}
      confirmLabel={last.current.confirmLabel}
      cancelLabel={last.current.cancelLabel}
      isDangerous
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      {last.current.text}
    </ConfirmDialog>
  ) : null;
}
