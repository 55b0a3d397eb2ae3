import type { Result } from '../../api/types';
import { Averages } from '../../shared/result/averages';
import { DistributionColumns } from '../../shared/result/distribution-columns';
import { ElectionReport } from '../../shared/result/election/election-report';
import { shownElection } from '../../shared/result/election/shown-election';
import { GroupsTally } from '../../shared/result/groups-tally';
import { MeanHeadline } from '../../shared/result/mean-headline';
import { OptionsTally } from '../../shared/result/options-tally';
import { TextAnswers } from '../../shared/result/text-answers';
import { TotalsTable } from '../../shared/result/totals';
import { ValuesTable } from '../../shared/result/values-table';
import classes from './round-card.module.css';

interface RoundFiguresProps {
  meetingId: string;
  result: Result;
}

/** The counts of a round: bars or columns, and tables with all figures. */
export function RoundFigures({ meetingId, result }: RoundFiguresProps) {
  const { numbers } = result;
  if (numbers) {
    const isPercentage = result.questionType === 'PERCENTAGE';
    return (
      <>
        <MeanHeadline result={{ ...result, numbers }} />
        <div className={classes.columns}>
          <div>
            <DistributionColumns result={{ ...result, numbers }} />
            <Averages numbers={numbers} isPercentage={isPercentage} weightKind={result.weightKind} />
          </div>
          <div className={classes.tables}>
            <ValuesTable
              distribution={numbers.distribution}
              isPercentage={isPercentage}
              weightKind={result.weightKind}
            />
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
  const election = shownElection(result);
  if (election) {
    return (
      <>
        <ElectionReport election={election} weightKind={result.weightKind} />
        <TotalsTable totals={result} />
      </>
    );
  }
  return (
    <>
      <OptionsTally result={result} />
      <GroupsTally result={result} />
    </>
  );
}
