import type { Result } from '../../../api/types';
import type { ElectionResult } from '../../../shared/elections/election-types';
import { countOf } from '../../../shared/format';
import { DistributionColumns } from '../../../shared/result/distribution-columns';
import { nobodyWords, shownElection } from '../../../shared/result/election/shown-election';
import { MeanHeadline } from '../../../shared/result/mean-headline';
import { OptionBars } from './option-bars';
import classes from './result-numbers.module.css';

/** The counts of a declared round at a glance, in the form that its question asks for. */
export function ResultFigures({ result }: { result: Result }) {
  const { numbers } = result;
  const election = shownElection(result);
  if (election) {
    return <ElectedNames election={election} />;
  }
  if (result.options.length > 0) {
    return <OptionBars result={result} />;
  }
  return numbers ? (
    <div className={classes.root}>
      <MeanHeadline result={{ ...result, numbers }} />
      <DistributionColumns result={{ ...result, numbers }} />
    </div>
  ) : (
    <p className={classes.count}>{countOf(result.votesCast.heads, 'answer')}</p>
  );
}

/** The elected in their order. The count that led to them is under the details. */
function ElectedNames({ election }: { election: ElectionResult }) {
  const { elected, candidates } = election;
  return elected.length > 0 ? (
    <ol aria-label="Elected, in the order of election">
      {elected.map(({ candidate }) => {
        const person = candidates.find(({ number }) => number === candidate);
        return (
          <li key={candidate} dir="auto">
            <strong>{person?.name}</strong>
            {person?.line ? ` ${person.line}` : ''}
          </li>
        );
      })}
    </ol>
  ) : (
    <p>{nobodyWords(election)}</p>
  );
}
