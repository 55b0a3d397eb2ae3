import { ApiError } from '../../api/api-error';
import type { Question } from '../../api/types';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { useDeleteQuestion } from './mutations';

interface DeleteQuestionDialogProps {
  question: Question | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteQuestionDialog({ question, opened, onClose }: DeleteQuestionDialogProps) {
  const deleteQuestion = useDeleteQuestion();

  async function handleConfirm() {
    if (!question) {
      return;
    }
    try {
      await deleteQuestion.mutateAsync(question.id);
    } catch (error) {
      if (error instanceof ApiError && !error.isTemporary) {
        // The server has given the reason; another try would get the same answer.
        return;
      }
      throw error;
    }
    toast.success('Question deleted successfully');
  }

  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this question?"
      subject={question?.questionText}
      confirmLabel="Delete Question"
      isDangerous
      onConfirm={handleConfirm}
    >
      <p>Are you sure you want to delete this question? This action cannot be undone.</p>
    </ConfirmDialog>
  );
}
