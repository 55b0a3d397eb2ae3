import type { Result } from '../../api/types';
import { ElectionReport } from './election/election-report';
import { shownElection } from './election/shown-election';
import { GroupsTally } from './groups-tally';
import { NumbersTally } from './numbers-tally';
import { OptionsTally } from './options-tally';
import classes from './tally.module.css';
import { TextAnswers } from './text-answers';
import { TotalsTable } from './totals';

interface ResultTallyProps {
  meetingId: string;
  result: Result;
}

/** The counts of a round, in the form that its question asks for. */
export function ResultTally({ meetingId, result }: ResultTallyProps) {
  const { numbers } = result;
  if (numbers) {
    return (
      <>
        <NumbersTally result={{ ...result, numbers }} />
        <div className={classes.totals}>
          <TotalsTable totals={result} />
        </div>
      </>
    );
  }
  if (result.questionType === 'OPEN_TEXT') {
    return (
      <>
        <TextAnswers key={result.roundId} meetingId={meetingId} result={result} />
        <div className={classes.totals}>
          <TotalsTable totals={result} />
        </div>
      </>
    );
  }
  const election = shownElection(result);
  if (election) {
    return (
      <>
        <ElectionReport election={election} weightKind={result.weightKind} />
        <div className={classes.totals}>
          <TotalsTable totals={result} />
        </div>
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
