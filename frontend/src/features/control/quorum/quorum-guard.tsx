import { StepGuard } from '../steps/step-guard';
import { type OpeningObstacle, WITHOUT_QUORUM } from './opening-obstacle';

interface QuorumGuardProps {
  /** Null once enough are present. */
  obstacle: OpeningObstacle | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a question is opened without its quorum. */
export function QuorumGuard({ obstacle, onConfirm, onCancel }: QuorumGuardProps) {
  return (
    <StepGuard
      title={obstacle ? obstacle.words : 'The quorum is met now.'}
      text={obstacle ? WITHOUT_QUORUM : 'You can open voting.'}
      cancelLabel="Wait"
      confirmLabel={obstacle ? 'Start anyway' : 'Start Question'}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
