import { IconAlertTriangle, IconCheck, IconHourglass, IconX } from '@tabler/icons-react';
import type { Result } from '../../api/types';
import { withWholePercents } from '../format';
import { decisionSentence, quorumSentenceOf } from '../result/chair-sentences';
import { type Outcome, outcomeLabel } from '../result/figures';
import classes from './presentation-decision.module.css';

const SIGNS: Record<Exclude<Outcome, 'undecided'>, typeof IconCheck> = {
  accepted: IconCheck,
  elected: IconCheck,
  rejected: IconX,
  not_elected: IconX,
  quorum_missed: IconAlertTriangle,
  casting_vote_open: IconHourglass,
};

const LONG_FROM = 200;
const DENSE_FROM = 500;

/** The decision, legible from the back row, and its reason. */
export function PresentationVerdict({ result }: { result: Result }) {
  const { outcome } = result.decision;
  if (outcome === 'undecided') {
    return null;
  }
  const sentence = decisionSentence(result);
  // A missed quorum is the whole reason, and is already shown.
  const quorumText = quorumSentenceOf(result);
  const ofQuorum = quorumText !== sentence ? quorumText : null;
  const Sign = SIGNS[outcome];
  return (
    <div className={classes.root} data-outcome={outcome} data-length={lengthOf(sentence)}>
      <Sign className={classes.sign} stroke={2.5} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.verdict}>{outcomeLabel(outcome)}</p>
        <p className={classes.sentence} dir="auto">
          {withWholePercents(sentence)}
        </p>
        {ofQuorum ? <p className={classes.quorum}>{ofQuorum}</p> : null}
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
