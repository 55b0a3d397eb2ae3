import type { Result, Secrecy } from '../../api/types';
import { formatDateTime, formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import { allGroups } from '../../shared/result/record-words';
import { atOpeningName, presenceWords, quorumWords, ruleWords } from '../../shared/result/result-words';
import { RoundLog } from '../../shared/result/round-log';
import { timestampWords } from '../../shared/result/timestamp-words';
import { Verdict } from '../../shared/result/verdict';
import { waysSentenceByWeight } from '../../shared/result/ways';
import { kindsOf, type NamedKind, weightAmount } from '../../shared/result/weight-names';
import { invalidWords, SECRECY_NAMES } from '../../shared/terms/secrecy';
import { SecrecyBadge } from '../../shared/terms/secrecy-badge';
import { StatusBadge } from '../../shared/ui/status-badge';
import { TextLink } from '../../shared/ui/text-link';
import { Checks } from './checks';
import classes from './round-card.module.css';
import { RoundFigures } from './round-figures';

interface RoundCardProps {
  meetingId: string;
  result: Result;
  /** The only round of its question needs no name. */
  isOnly: boolean;
  /** The question's text in the heading. A round with another text shows its own. */
  headline: string;
}

/** One round: the decision and its reason, the figures, and the log. */
export function RoundCard({ meetingId, result, isOnly, headline }: RoundCardProps) {
  const { declared, secrecy, questionText } = result;
  const heading = isOnly ? 'h3' : 'h4';
  return (
    <article className={classes.root} aria-label={roundName(result)}>
      {isOnly ? null : (
        <h3 className={classes.title} dir="auto">
          {roundName(result)}
        </h3>
      )}
      {questionText === headline ? null : (
        <p className={classes.wording} dir="auto">
          {questionText}
        </p>
      )}
      <p className={classes.state}>
        {declared ? (
          <StatusBadge tone="good">{`Declared ${formatDateTime(declared.at)} by ${declared.by}`}</StatusBadge>
        ) : (
          <StatusBadge tone="warning">Not declared yet</StatusBadge>
        )}
        {secrecy === 'unshown' ? null : <SecrecyBadge secrecy={secrecy} />}
        {result.groups && result.groups.length > 0 ? (
          <StatusBadge tone="neutral">{`For ${result.groups.join(', ')}`}</StatusBadge>
        ) : null}
      </p>
      <Verdict result={result} />
      <RoundFigures meetingId={meetingId} result={result} />
      <Checks result={result} heading={heading} />
      <Facts result={result} />
      <RoundLog log={result.log} weightKind={result.weightKind} heading={heading} />
    </article>
  );
}

/** The rules, the times and the people of a round. */
function Facts({ result }: { result: Result }) {
  const { secrecy, decisionRule, quorum, connectedAtOpening, present, represented, record, weightKind } =
    result;
  const invalid = invalidWords(result);
  return (
    <dl className={classes.facts}>
      <dt>Rule</dt>
      <dd>{decisionRule ? ruleWords(decisionRule, kindsOf(result)) : 'None. The votes decide nothing.'}</dd>
      <dt>Quorum</dt>
      <dd>{quorum ? quorumWords(quorum, weightKind) : 'None'}</dd>
      <dt>Voting</dt>
      <dd>
        Opened {formatDateTime(result.openedAt)}, ended {formatDateTime(result.endedAt)}.{' '}
        {atOpeningName(result.presence)}: {countWords(connectedAtOpening, weightKind)}.
      </dd>
      <dt>Present</dt>
      <dd>
        {countWords(present, weightKind)} ({presenceWords(result.presence)})
      </dd>
      {represented ? (
        <>
          <dt>Represented</dt>
          <dd>{countWords(represented, weightKind)} (not present, the holder of the proxy was)</dd>
        </>
      ) : null}
      {record ? (
        <>
          <dt>Record</dt>
          <dd className={classes.record}>
            {allGroups(record.hash)}, signed with the key {allGroups(record.key)}
            {record.isRecordedLater ? `, recorded later, ${formatDateTime(record.recordedAt)}` : ''}.{' '}
            {record.timestamp ? `${timestampWords(record.timestamp)}. ` : ''}
            <TextLink to={paths.verify(record.hash)}>Check this result</TextLink>
          </dd>
        </>
      ) : null}
      <dt>{SECRECY_NAMES[secrecy]}</dt>
      <dd>{SECRECY_WORDS[secrecy]}</dd>
      {result.countsHeads ? (
        <>
          <dt>Counted by heads</dt>
          <dd>Every vote counted one, whatever the weight.</dd>
        </>
      ) : null}
      <Ways result={result} />
      {invalid === null ? null : (
        <>
          <dt>Invalid</dt>
          <dd>{invalid}</dd>
        </>
      )}
    </dl>
  );
}

/** How many votes came which way, if not all came from devices of voters. */
function Ways({ result }: { result: Result }) {
  const ways = waysSentenceByWeight(result);
  return ways === null ? null : (
    <>
      <dt>How votes were cast</dt>
      <dd>{ways}</dd>
    </>
  );
}

const SECRECY_WORDS: Record<Secrecy, string> = {
  named: 'The exports show how each person voted.',
  unshown: 'Nobody is shown how a person voted.',
  secret: 'The ballots were sealed. Only the totals are stored.',
};

/** "172, weight 193" */
function countWords({ heads, weight }: Result['present'], weightKind: NamedKind): string {
  return `${formatNumber(heads)}, ${weightAmount(weight, weightKind)}`;
}

/** "Round 2 – re-vote: the microphone failed" */
function roundName({ number, reason }: Result): string {
  return reason === null ? `Round ${number}` : `Round ${number} – re-vote: ${reason}`;
}
