import type { Result } from '../../api/types';
import { withWholePercents } from '../format';
import { OutcomeBadge } from './outcome-badge';
import classes from './verdict.module.css';

/** What was decided and why, in the server's own sentences. */
export function Verdict({ result }: { result: Pick<Result, 'decision' | 'arithmetic'> }) {
  const { decision, arithmetic } = result;
  const quorum = arithmetic.quorum?.sentence;
  return (
    <div className={classes.root}>
      <OutcomeBadge outcome={decision.outcome} />
      <p className={classes.sentence}>{withWholePercents(arithmetic.sentence)}.</p>
      {/* Where the quorum was missed, that is the whole reason, and said already. */}
      {quorum && quorum !== arithmetic.sentence ? (
        <p className={classes.quorum}>{withWholePercents(quorum)}.</p>
      ) : null}
    </div>
  );
}
