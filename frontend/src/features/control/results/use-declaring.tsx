import { type ReactNode, useState } from 'react';
import type { MeetingStatus, Question, Result, Round } from '../../../api/types';
import type { LiveQuestion } from '../../../shared/live/live-events';
import type { stepOrders } from '../steps/step-commands';
import type { Steps } from '../steps/use-steps';
import { DeclareDialog, type Declaring } from './declare-dialog';

interface DeclaringOptions {
  status: MeetingStatus;
  current: LiveQuestion | null;
  /** The state that the organizer sees. */
  step: number;
  steps: Steps;
  orders: ReturnType<typeof stepOrders>;
}

interface DeclaringControl {
  ask: (question: Question, round: Round, result: Result, isLatest: boolean) => void;
  dialog: ReactNode;
}

/** Declares a result after the organizer has confirmed the text for the hall. */
export function useDeclaring({ status, current, step, steps, orders }: DeclaringOptions): DeclaringControl {
  const [declaring, setDeclaring] = useState<Declaring | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  function ask(question: Question, round: Round, result: Result, isLatest: boolean) {
    const isAtHand = status === 'ACTIVE' && (current === null || current.id === question.id);
    const onScreen = isLatest ? (isAtHand ? 'now' : 'later') : 'never';
    steps.forgetRefusal();
    setDeclaring({ question, round, result, step, onScreen });
    setIsAsking(true);
  }

  async function declare({ question, round, step: seenStep, onScreen }: Declaring) {
    const outcome = await steps.run(orders.declare(round, question), seenStep);
    if (outcome === 'failed' || outcome === 'busy') {
      throw new Error('The result is not declared: the dialog stays for another try.');
    }
    // Ending the question removed it from the presentation. Its result shows it again.
    if (outcome === 'done' && onScreen === 'now' && current === null) {
      await steps.run(orders.show(question), seenStep + 1);
    }
  }

  return {
    ask,
    dialog: (
      <DeclareDialog
        declaring={declaring}
        opened={isAsking}
        onConfirm={async () => declaring && declare(declaring)}
        onClose={() => setIsAsking(false)}
      />
    ),
  };
}
