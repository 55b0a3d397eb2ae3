import type { ReactNode } from 'react';
import type { Question } from '../../../api/types';
import { toast } from '../../../shared/ui/toast';
import { useCountByHeads } from '../mutations';
import type { StepOptions, StepOrder } from '../steps/step-commands';
import type { Steps } from '../steps/use-steps';
import { RiskDialog } from './risk-dialog';

interface RiskOptions {
  questions: Question[];
  steps: Steps;
  run: (order: StepOrder, seenStep: number, options?: StepOptions) => void;
}

/** The dialog about a step that would put the secrecy of a vote at risk. */
export function useRisk({ questions, steps, run }: RiskOptions): ReactNode {
  const countByHeads = useCountByHeads();
  const { risk } = steps;
  const question = questions.find(({ id }) => id === risk?.order.questionId);

  function handleCountByHeads({ id }: Question) {
    if (risk) {
      countByHeads.mutate(id, {
        onSuccess: () => run(risk.order, risk.step),
        onError: (error) => toast.failure(error, 'Failed to change the question'),
      });
    }
  }

  const canCountByHeads = risk !== null && isOpening(risk.order) && question && !question.countsHeads;
  return (
    <RiskDialog
      risk={risk}
      isBusy={steps.underWay !== null || countByHeads.isPending}
      onCountByHeads={canCountByHeads ? () => handleCountByHeads(question) : null}
      onAccept={() => risk && run(risk.order, risk.step, { acceptRisk: true })}
      onCancel={steps.forgetRisk}
    />
  );
}

function isOpening({ kind }: StepOrder): boolean {
  return kind === 'start' || kind === 'revote';
}
