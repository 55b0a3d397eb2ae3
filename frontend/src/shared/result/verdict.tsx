import type { Result } from '../../api/types';
import { withWholePercents } from '../format';
import { decisionSentence } from './chair-sentences';
import { electionWaits } from './election/election-waits';
import { isSurvey, SURVEY_WORDS } from './figures';
import { OutcomeBadge } from './outcome-badge';
import { presentSentence, quorumBesideDecision } from './result-words';
import classes from './verdict.module.css';
import type { CountedKinds } from './weight-names';

interface VerdictProps {
  result: Pick<Result, 'decisionRule' | 'decision' | 'arithmetic' | 'presence' | 'castingVote' | 'election'> &
    CountedKinds;
  /** Something beside it says why the decision is open, so only the state of the decision and the quorum are left. */
  isToldBeside?: boolean;
}

/** The decision and its reason. A survey has neither. */
export function Verdict({ result, isToldBeside = false }: VerdictProps) {
  if (isSurvey(result)) {
    return <p className={classes.sentence}>{SURVEY_WORDS}</p>;
  }
  const quorum = quorumBesideDecision(result);
  const present = presentSentence(result);
  return (
    <div className={classes.root}>
      <OutcomeBadge outcome={result.decision.outcome} isWaiting={electionWaits(result)} />
      {isToldBeside ? null : (
        <p className={classes.sentence}>{withWholePercents(decisionSentence(result))}</p>
      )}
      {quorum ? <p className={classes.quorum}>{quorum}</p> : null}
      {present ? <p className={classes.quorum}>{present}</p> : null}
    </div>
  );
}
