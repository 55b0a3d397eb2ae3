import type { Result } from '../../../api/types';
import { formatTime } from '../../../shared/format';
import { Averages } from '../../../shared/result/averages';
import { ElectionReport } from '../../../shared/result/election/election-report';
import { shownElection } from '../../../shared/result/election/shown-election';
import { isSurvey } from '../../../shared/result/figures';
import { presentSentence, quorumBesideDecision } from '../../../shared/result/result-words';
import { waysSentence } from '../../../shared/result/ways';
import classes from './details-body.module.css';
import { FindReceipt } from './find-receipt';
import { OptionFigures } from './option-figures';
import { RecordLine } from './record-line';
import { ResultTotals } from './result-totals';
import { SecondTotals } from './second-totals';

/** The quorum, all figures, and the record of a result. */
export function DetailsBody({ result }: { result: Result }) {
  const { numbers, number, secrecy, declared, record } = result;
  const ways = waysSentence(result);
  const election = shownElection(result);
  return (
    <>
      {attendanceSentences(result).map((sentence) => (
        <p key={sentence} className={classes.line}>
          {sentence}
        </p>
      ))}
      {numbers ? (
        <Averages
          numbers={numbers}
          isPercentage={result.questionType === 'PERCENTAGE'}
          weightKind={result.weightKind}
          isList
        />
      ) : null}
      {election ? (
        <ElectionReport election={election} weightKind={result.weightKind} />
      ) : result.options.length > 0 ? (
        <OptionFigures result={result} />
      ) : null}
      <ResultTotals result={result} />
      {result.secondWeight ? <SecondTotals second={result.secondWeight} options={result.options} /> : null}
      {ways === null ? null : <p className={classes.line}>{ways}</p>}
      {secrecy === 'secret' ? <FindReceipt roundId={result.roundId} /> : null}
      <p className={classes.quiet}>
        {number > 1 ? `Re-vote, round ${number}. ` : ''}
        {secrecy === 'named' ? 'Named vote. ' : secrecy === 'secret' ? 'Secret vote. ' : ''}
        {declared ? `Declared at ${formatTime(declared.at)}.` : ''}
      </p>
      {record ? <RecordLine record={record} className={classes.quiet} /> : null}
    </>
  );
}

/** The quorum, and the meaning of "present". A survey needs none. */
function attendanceSentences(result: Result): string[] {
  const sentences = isSurvey(result) ? [] : [quorumBesideDecision(result), presentSentence(result)];
  return sentences.filter((sentence) => sentence !== null);
}
