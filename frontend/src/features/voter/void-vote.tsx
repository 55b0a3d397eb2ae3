import type { LiveQuestion } from '../../shared/live/live-events';
import { VOID_TITLE } from '../../shared/terms/secrecy';
import { Notice } from './notice';

/** A secret question whose last round nobody can count. */
export function VoidVote({ question }: { question: Pick<LiveQuestion, 'text'> }) {
  return (
    <Notice tone="refused" title={VOID_TITLE}>
      <p dir="auto">{question.text}</p>
      <p>
        The key of this secret vote is lost, so nobody can open the ballots. If the vote is held again, vote
        again.
      </p>
    </Notice>
  );
}
