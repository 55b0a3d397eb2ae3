import type { Result } from '../../../api/types';
import { withWholePercents } from '../../../shared/format';
import { decisionSentence } from '../../../shared/result/chair-sentences';
import { isSurvey } from '../../../shared/result/figures';
import classes from './reasons.module.css';

/** The reason of the decision. A survey decides nothing. */
export function Reasons({ result }: { result: Result }) {
  return isSurvey(result) ? null : (
    <p className={classes.sentence}>{withWholePercents(decisionSentence(result))}</p>
  );
}
