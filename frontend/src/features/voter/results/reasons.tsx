import type { Result } from '../../../api/types';
import { withWholePercents } from '../../../shared/format';
import { decisionSentence, quorumSentence } from '../../../shared/result/chair-sentences';
import classes from './reasons.module.css';

/** The reason of the decision. */
export function Reasons({ decision, arithmetic }: Pick<Result, 'decision' | 'arithmetic'>) {
  const sentence = decisionSentence({ decision, arithmetic });
  const quorum = arithmetic.quorum ? quorumSentence(arithmetic.quorum) : null;
  return (
    <>
      <p className={classes.sentence}>{withWholePercents(sentence)}</p>
      {/* A missed quorum is the whole reason, and already shown. */}
      {quorum && quorum !== sentence ? <p className={classes.sentence}>{quorum}</p> : null}
    </>
  );
}
