import type { Result } from '../../../api/types';
import { withWholePercents } from '../../../shared/format';
import { decisionSentence, quorumSentence } from '../../../shared/result/chair-sentences';
import { isSurvey, SURVEY_WORDS } from '../../../shared/result/figures';
import { presentSentence } from '../../../shared/result/result-words';
import classes from './reasons.module.css';

interface ReasonsProps {
  result: Pick<Result, 'questionType' | 'decision' | 'arithmetic' | 'presence'>;
}

/** The reason of the decision. A survey decides nothing. */
export function Reasons({ result }: ReasonsProps) {
  if (isSurvey(result)) {
    return <p className={classes.sentence}>{SURVEY_WORDS}</p>;
  }
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
