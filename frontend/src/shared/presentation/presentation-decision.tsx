import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { Result } from '../../api/types';
import { withWholePercents } from '../format';
import { type Outcome, outcomeLabel } from '../result/figures';
import classes from './presentation-decision.module.css';

const SIGNS: Record<Exclude<Outcome, 'undecided'>, typeof IconCheck> = {
  accepted: IconCheck,
  elected: IconCheck,
  rejected: IconX,
  not_elected: IconX,
  quorum_missed: IconAlertTriangle,
};

const LONG_FROM = 200;
const DENSE_FROM = 500;

/** What was decided, to be read from the back row, and why, in the server's own sentences. */
export function WallVerdict({ result }: { result: Result }) {
  const { outcome } = result.decision;
  if (outcome === 'undecided') {
    return null;
  }
  const { sentence, quorum } = result.arithmetic;
  // Where the quorum was missed, its sentence is the whole reason, and said already.
  const quorumSentence = quorum && quorum.sentence !== sentence ? quorum.sentence : null;
  const Sign = SIGNS[outcome];
  return (
    <div className={classes.root} data-outcome={outcome} data-length={lengthOf(sentence)}>
      <Sign className={classes.sign} stroke={2.5} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.verdict}>{outcomeLabel(outcome)}</p>
        <p className={classes.sentence} dir="auto">
          {withWholePercents(sentence)}.
        </p>
        {quorumSentence ? <p className={classes.quorum}>{withWholePercents(quorumSentence)}.</p> : null}
      </div>
    </div>
  );
}

function lengthOf(sentence: string): 'short' | 'long' | 'dense' {
  if (sentence.length > DENSE_FROM) {
    return 'dense';
  }
  return sentence.length > LONG_FROM ? 'long' : 'short';
}
