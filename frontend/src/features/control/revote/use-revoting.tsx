import { type ReactNode, useState } from 'react';
import type { Question } from '../../../api/types';
import type { OpenRound } from '../question/open-round-warning';
import type { OpeningObstacle } from '../quorum/opening-obstacle';
import type { stepOrders } from '../steps/step-commands';
import type { Steps } from '../steps/use-steps';
import { RevoteDialog } from './revote-dialog';
import { RevoteWarnings } from './revote-warnings';

interface RevotingOptions {
  questions: Question[];
  /** The state that the organizer sees. */
  step: number;
  steps: Steps;
  orders: ReturnType<typeof stepOrders>;
  openRound: OpenRound | null;
  isDeclared: (question: Question) => boolean;
  isVoid: (question: Question) => boolean;
  obstacleTo: (question: Question) => OpeningObstacle | null;
  onDone: () => void;
}

interface RevotingControl {
  ask: (questionId: string) => void;
  dialog: ReactNode;
}

/** Opens a re-vote of a question, after asking for the reason. */
export function useRevoting(options: RevotingOptions): RevotingControl {
  const { questions, step, steps, orders, openRound, isDeclared, isVoid, obstacleTo, onDone } = options;
  /** `step` is null after a refusal: the organizer has then read the current state, and decides on that. */
  const [asked, setAsked] = useState<{ questionId: string; step: number | null } | null>(null);
  const question = questions.find(({ id }) => id === asked?.questionId) ?? null;

  function ask(questionId: string) {
    steps.forgetRefusal();
    setAsked({ questionId, step });
  }

  function handleClose() {
    steps.forgetRefusal();
    setAsked(null);
  }

  async function handleSubmit(reason: string) {
    if (!question || !asked) {
      return;
    }
    const outcome = await steps.run(orders.revote(question, reason), asked.step ?? step);
    if (outcome === 'risk' || outcome === 'moved') {
      // The dialog about the risk has the reason in its step.
      setAsked(null);
    } else if (outcome === 'done') {
      setAsked(null);
      onDone();
    } else if (outcome === 'refused') {
      setAsked({ ...asked, step: null });
    }
  }

  return {
    ask,
    dialog: (
      <RevoteDialog
        question={question}
        isDeclared={question !== null && isDeclared(question)}
        isVoid={question !== null && isVoid(question)}
        warnings={question ? <RevoteWarnings obstacle={obstacleTo(question)} openRound={openRound} /> : null}
        isBusy={steps.underWay === 'revote'}
        refusal={steps.refusal?.kind === 'revote' ? steps.refusal : null}
        onSubmit={(reason) => void handleSubmit(reason)}
        onClose={handleClose}
      />
    ),
  };
}
