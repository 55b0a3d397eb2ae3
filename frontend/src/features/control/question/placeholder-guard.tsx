import { type OpeningObstacle, WITHOUT_QUORUM } from '../quorum/opening-obstacle';
import { StepGuard } from '../steps/step-guard';

interface PlaceholderGuardProps {
  /** "“Candidate 1” is a placeholder of the template." */
  words: string;
  /** Another reason not to open the question. */
  obstacle: OpeningObstacle | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a question is opened whose options still have the names of a template. */
export function PlaceholderGuard({ words, obstacle, onConfirm, onCancel }: PlaceholderGuardProps) {
  const quorum = obstacle ? ` ${obstacle.words} ${WITHOUT_QUORUM}` : '';
  return (
    <StepGuard
      title={words}
      text={`Replace the names under Manage Questions first: a question with votes cannot be changed.${quorum}`}
      cancelLabel="Do not start"
      confirmLabel="Start anyway"
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
