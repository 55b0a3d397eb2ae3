import { useState } from 'react';
import type { Question, Round } from '../../../api/types';
import type { LiveQuestion } from '../../../shared/live/live-events';
import { initialQuestionId } from '../agenda/agenda-state';

/** The question in the panel, and the question in the preview, if the panel does not show it already. */
export interface QuestionSelection {
  /** The position of the panel's question in the agenda. */
  index: number;
  question: Question | undefined;
  previewed: Question | undefined;
  preview: (questionId: string | null) => void;
  /** Moves the panel to the question that is on the screen, and closes its preview. */
  followCurrent: (questionId: string) => void;
}

/**
 * Selects the questions to show. Without a current question, the panel keeps the last one. A meeting that is not running
 * has no panel, so every question can be previewed.
 */
export function useQuestionSelection(
  questions: Question[],
  rounds: Round[],
  current: LiveQuestion | null,
  hasPanel: boolean,
): QuestionSelection {
  const [lastId, setLastId] = useState(() => initialQuestionId(questions, rounds));
  const [previewedId, setPreviewedId] = useState<string | null>(null);

  const panelId = current?.id ?? lastId;
  const index = Math.max(
    0,
    questions.findIndex(({ id }) => id === panelId),
  );
  const question = questions[index];

  return {
    index,
    question,
    previewed: questions.find(({ id }) => id === previewedId && !(hasPanel && id === question?.id)),
    preview: setPreviewedId,
    followCurrent: (questionId) => {
      setLastId(questionId);
      setPreviewedId((previewed) => (previewed === questionId ? null : previewed));
    },
  };
}
