import { Button, SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf, referenceOf } from '../../../api/api-error';
import type { Question, Result, Round, Secrecy } from '../../../api/types';
import { countOf, formatDateTime, formatNumber } from '../../../shared/format';
import { electionWaits } from '../../../shared/result/election/election-waits';
import { shownElection } from '../../../shared/result/election/shown-election';
import { ResultTally } from '../../../shared/result/result-tally';
import { RoundLog } from '../../../shared/result/round-log';
import { Verdict } from '../../../shared/result/verdict';
import { waysSentence } from '../../../shared/result/ways';
import { unitAfter, weightName } from '../../../shared/result/weight-names';
import { countLabel, invalidWords } from '../../../shared/terms/secrecy';
import { BusyButton } from '../../../shared/ui/busy-button';
import { ErrorState } from '../../../shared/ui/error-state';
import { meetingQueries } from '../../meetings/queries';
import { StepNotice } from '../steps/step-notice';
import { CastingVoteCard } from './casting-vote-card';
import { Declaration } from './declaration';
import type { RoundActions } from './round-actions';
import { RoundProgress } from './round-progress';
import classes from './round-results.module.css';
import { RoundSeats } from './round-seats';
import { TieCard } from './tie-card';
import { useRoundResult } from './use-round-result';

interface RoundResultsProps {
  meetingId: string;
  question: Question;
  /** The latest first. */
  rounds: Round[];
  isOpen: boolean;
  /** Without a frame of its own, as a part of a preview. */
  isBare?: boolean;
  /** The reason why the result was not declared. */
  refusal: string | null;
  actions: RoundActions;
}

/** The results of a question: its latest round, and earlier ones on request. */
export function RoundResults(props: RoundResultsProps) {
  const { meetingId, question, rounds, isOpen, isBare = false, refusal, actions } = props;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const latest = rounds[0];
  // The list may not contain a round that was opened a moment ago.
  const isListed = !isOpen || latest?.status === 'OPEN';
  const round = rounds.find(({ id }) => id === chosenId) ?? (isListed ? latest : undefined);

  return (
    <section className={isBare ? undefined : classes.root} aria-labelledby="results">
      <div className={classes.head}>
        <h2 id="results" className={classes.title}>
          Result of question {question.orderIndex}
        </h2>
        {rounds.length > 1 ? (
          <div className={classes.rounds}>
            <SegmentedControl
              aria-label="Round"
              value={round?.id ?? ''}
              onChange={setChosenId}
              data={rounds.map(({ id, number }) => ({ value: id, label: `Round ${number}` })).reverse()}
            />
          </div>
        ) : null}
      </div>
      <StepNotice notice={refusal === null ? null : { tone: 'warning', text: refusal }} />
      {round?.reason ? (
        <p className={classes.reason} dir="auto">
          Re-vote: {round.reason}
        </p>
      ) : null}
      {round ? (
        <RoundPanel
          meetingId={meetingId}
          question={question}
          round={round}
          isOpen={isOpen && round === latest}
          actions={round === latest ? actions : { ...actions, onRevote: null, onShow: null }}
        />
      ) : (
        <NoRound question={question} isOpen={isOpen} />
      )}
    </section>
  );
}

function NoRound({ question, isOpen }: { question: Question; isOpen: boolean }) {
  return isOpen ? (
    <OpenRound question={question} />
  ) : (
    <p className={classes.quiet}>This question has not been voted on yet.</p>
  );
}

/** An open round. Only the votes of a survey are counted by the end itself, unless its meeting counts them separately. */
function OpenRound({ question: { meetingId, decisionRule } }: { question: Question }) {
  const meeting = useQuery(meetingQueries.detail(meetingId)).data;
  const isCountedAtEnd = decisionRule === null && meeting?.countsSurveysAtEnd !== false;
  return (
    <>
      <RoundProgress status="OPEN" />
      <p className={classes.quiet}>
        {isCountedAtEnd
          ? 'The tally is shown when the question has ended.'
          : 'The tally is shown when the votes are counted.'}
      </p>
    </>
  );
}

/** An ended round whose votes are not shown, because voting may be reopened. */
function UncountedRound({ round, actions }: { round: Round; actions: RoundActions }) {
  const { voteCount, registerSize } = round;
  return (
    <>
      <RoundProgress status="ENDED" />
      <p className={classes.quiet}>
        {formatNumber(voteCount)} of {formatNumber(registerSize)} voted. The votes are not counted yet, so
        nobody sees how they were cast.
      </p>
      {actions.isVoid ? <VoidRound actions={actions} /> : null}
      <div className={classes.buttons}>
        {actions.isVoid || actions.countsInPanel === round.id ? null : (
          <BusyButton
            isBusy={actions.isCounting}
            busyLabel="Counting…"
            onClick={() => actions.onCount(round)}
          >
            {countLabel(actions.isSecret)}
          </BusyButton>
        )}
        {registerSize > voteCount ? (
          <Button variant="default" size="sm" onClick={() => actions.onShowMissing(round)}>
            {countOf(registerSize - voteCount, 'person', 'people')} did not vote
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** The key of the secret ballots is lost: only a re-vote gives a result. */
function VoidRound({ actions }: { actions: RoundActions }) {
  return (
    <>
      <StepNotice
        notice={{
          tone: 'warning',
          text: 'This vote is void: its key is lost, so the ballots cannot be opened. Hold the vote again.',
        }}
      />
      {actions.onRevote ? (
        <Button className={classes.missing} onClick={actions.onRevote}>
          Re-vote
        </Button>
      ) : null}
    </>
  );
}

interface RoundPanelProps {
  meetingId: string;
  question: Question;
  round: Round;
  isOpen: boolean;
  actions: RoundActions;
}

function RoundPanel({ meetingId, question, round, isOpen, actions }: RoundPanelProps) {
  const hasEnded = round.status !== 'OPEN';
  const isCounted = hasEnded && round.status !== 'ENDED';
  const result = useRoundResult(meetingId, isCounted ? round : null);

  if (!hasEnded && isOpen) {
    return <OpenRound question={question} />;
  }
  if (round.status === 'ENDED') {
    return <UncountedRound round={round} actions={actions} />;
  }
  if (!hasEnded || result.isPending) {
    return <LoadingResult />;
  }
  if (result.data === undefined) {
    return (
      <>
        <ErrorState
          title={messageOf(result.error, 'The tally could not be loaded')}
          hint="The votes are stored; only this view of them is missing."
          reference={referenceOf(result.error)}
          isRetrying={result.isFetching}
          onRetry={() => void result.refetch()}
        />
        {actions.onRevote ? (
          <Button className={classes.missing} variant="default" onClick={actions.onRevote}>
            Re-vote
          </Button>
        ) : null}
      </>
    );
  }
  const election = shownElection(result.data);
  return (
    <>
      <RoundProgress status={result.data.status} />
      {result.data.decision.outcome === 'casting_vote_open' && result.data.status === 'COUNTED' ? (
        <CastingVoteCard meetingId={meetingId} round={round} />
      ) : null}
      {election ? (
        <TieCard key={round.id} meetingId={meetingId} round={round} result={{ ...result.data, election }} />
      ) : null}
      <Declaration round={round} result={result.data} actions={actions} />
      <p className={classes.question} dir="auto">
        {result.data.questionText}
      </p>
      <p className={classes.turnout}>
        {turnout(result.data)} {waysSentence(result.data)}
      </p>
      <div className={classes.verdict}>
        <Verdict result={result.data} isToldBeside={electionWaits(result.data)} />
      </div>
      {result.data.questionType === 'OPEN_TEXT' ? (
        <div className={classes.curation}>
          <Button variant="default" size="sm" onClick={() => actions.onShowAnswers(round)}>
            Answers on the presentation
          </Button>
        </div>
      ) : null}
      {election && result.data.status === 'DECLARED' ? (
        <RoundSeats meetingId={meetingId} round={round} />
      ) : null}
      <ResultTally meetingId={meetingId} result={result.data} />
      <div className={classes.log}>
        <RoundLog log={result.data.log} weightKind={result.data.weightKind} isFull />
      </div>
      <Missing result={result.data} onShow={() => actions.onShowMissing(round)} />
    </>
  );
}

function Missing({ result, onShow }: { result: Result; onShow: () => void }) {
  const { heads } = result.notVoted;
  return heads > 0 ? (
    <Button className={classes.missing} variant="default" size="sm" onClick={onShow}>
      {countOf(heads, 'person', 'people')} did not vote
    </Button>
  ) : null;
}

const SECRECY_WORDS: Record<Secrecy, string> = {
  named: ' Named vote: the exports show how each person voted.',
  unshown: '',
  secret: ' Secret vote: only the totals are stored.',
};

function turnout(result: Result): string {
  const { endedAt, votesCast, register, secrecy, weightKind } = result;
  const invalid = invalidWords(result);
  return (
    `${formatNumber(votesCast.heads)} of ${formatNumber(register.heads)} voted, ` +
    `${weightName(weightKind)} ${formatNumber(votesCast.weight)} of ${formatNumber(register.weight)}${unitAfter(weightKind)}. ` +
    `Ended ${formatDateTime(endedAt)}.${invalid === null ? '' : ` ${invalid}`}${SECRECY_WORDS[secrecy]}`
  );
}

function LoadingResult() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the tally...</VisuallyHidden>
      <Skeleton height={44} mt="md" />
      <Skeleton height={20} width="60%" mt="md" />
      <Skeleton height={44} mt="md" />
      <Skeleton height={44} mt="xs" />
    </div>
  );
}
