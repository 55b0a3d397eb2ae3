import type { Result } from '../../api/types';
import { Averages } from '../../shared/result/averages';
import { OptionsTally } from '../../shared/result/options-tally';
import { TextAnswers } from '../../shared/result/text-answers';
import { TotalsTable } from '../../shared/result/totals';
import { ValuesTable } from '../../shared/result/values-table';
import { DistributionChart } from './charts/distribution-chart';
import { OptionsChart } from './charts/options-chart';
import classes from './round-card.module.css';

interface RoundFiguresProps {
  meetingId: string;
  result: Result;
}

/** The counts of a round: a chart, and next to it the table with all figures. */
export function RoundFigures({ meetingId, result }: RoundFiguresProps) {
  if (result.numbers) {
    const isPercentage = result.questionType === 'PERCENTAGE';
    return (
      <>
        <Averages numbers={result.numbers} isPercentage={isPercentage} />
        <div className={classes.columns}>
          <DistributionChart numbers={result.numbers} isPercentage={isPercentage} />
          <div className={classes.tables}>
            <ValuesTable distribution={result.numbers.distribution} isPercentage={isPercentage} />
            <TotalsTable totals={result} />
          </div>
        </div>
      </>
    );
  }
  if (result.questionType === 'OPEN_TEXT') {
    return (
      <div className={classes.columns}>
        <TextAnswers meetingId={meetingId} result={result} />
        <TotalsTable totals={result} />
      </div>
    );
  }
  return (
    <div className={classes.columns}>
      <OptionsChart result={result} />
      <OptionsTally result={result} hasBars={false} />
    </div>
  );
}
