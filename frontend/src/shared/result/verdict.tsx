import type { Result } from '../../api/types';
import { withWholePercents } from '../format';
import { decisionSentence, quorumSentence } from './chair-sentences';
import { isSurvey, SURVEY_WORDS } from './figures';
import { OutcomeBadge } from './outcome-badge';
import { presentSentence } from './result-words';
import classes from './verdict.module.css';

interface VerdictProps {
  result: Pick<Result, 'decisionRule' | 'decision' | 'arithmetic' | 'presence'>;
}

/** The decision and its reason. A survey has neither. */
export function Verdict({ result }: VerdictProps) {
  if (isSurvey(result)) {
    return <p className={classes.sentence}>{SURVEY_WORDS}</p>;
  }
  const { decision, arithmetic } = result;
  const sentence = decisionSentence(result);
  const quorum = arithmetic.quorum ? quorumSentence(arithmetic.quorum) : null;
  const present = presentSentence(result);
  return (
    <div className={classes.root}>
      <OutcomeBadge outcome={decision.outcome} />
      <p className={classes.sentence}>{withWholePercents(sentence)}</p>
      {/* A missed quorum is the whole reason, and is already shown. */}
      {quorum && quorum !== sentence ? <p className={classes.quorum}>{quorum}</p> : null}
      {present ? <p className={classes.quorum}>{present}</p> : null}
    </div>
  );
}
