import { Averages } from './averages';
import type { NumbersResult } from './distribution';
import { DistributionColumns } from './distribution-columns';
import { MeanHeadline } from './mean-headline';
import classes from './tally.module.css';
import { ValuesTable } from './values-table';
import type { CountedKinds } from './weight-names';

const FEW_VALUES = 12;

/** The mean, the distribution of the answers on their axis, and a table of every value. */
export function NumbersTally({ result }: { result: NumbersResult & CountedKinds }) {
  const { weightKind } = result;
  const { distribution } = result.numbers;
  const isPercentage = result.questionType === 'PERCENTAGE';
  return (
    <>
      <MeanHeadline result={result} />
      <DistributionColumns result={result} />
      <Averages numbers={result.numbers} isPercentage={isPercentage} weightKind={weightKind} />
      {distribution.length > FEW_VALUES ? (
        <details className={classes.all}>
          <summary>All values</summary>
          <ValuesTable distribution={distribution} isPercentage={isPercentage} weightKind={weightKind} />
        </details>
      ) : (
        <ValuesTable distribution={distribution} isPercentage={isPercentage} weightKind={weightKind} />
      )}
    </>
  );
}
