import type { Result } from '../../../api/types';
import { withWholePercents } from '../../../shared/format';
import { decisionSentence, quorumSentence } from '../../../shared/result/chair-sentences';
import { presentSentence } from '../../../shared/result/result-words';
import classes from './reasons.module.css';

/** The reason of the decision. */
export function Reasons({ result }: { result: Pick<Result, 'decision' | 'arithmetic' | 'presence'> }) {
  const { quorum: measured } = result.arithmetic;
  const sentence = decisionSentence(result);
  const quorum = measured ? quorumSentence(measured) : null;
  const present = presentSentence(result);
  return (
    <>
      <p className={classes.sentence}>{withWholePercents(sentence)}</p>
      {/* A missed quorum is the whole reason, and is already shown. */}
      {quorum && quorum !== sentence ? <p className={classes.sentence}>{quorum}</p> : null}
      {present ? <p className={classes.sentence}>{present}</p> : null}
    </>
  );
}
