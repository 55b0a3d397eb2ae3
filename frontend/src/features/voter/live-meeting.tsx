import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../api/api-error';
import type { User, VoterResult } from '../../api/types';
import { type Ballot, type BallotQuestion, roundKey } from '../../shared/ballot/ballot';
import { ConnectionStatus } from '../../shared/live/connection-status';
import { isKeyUnconfirmed } from '../../shared/live/unconfirmed-key';
import { paths } from '../../shared/paths';
import { undeliveredBallotNote, voteNotes } from '../../shared/storage';
import type { Delivery } from './ballot/ballot-delivery';
import { BallotForm } from './ballot/ballot-form';
import { Outcome } from './ballot/cast-outcome';
import { DelayedBallot } from './ballot/delayed-ballot';
import { givenAnswers } from './ballot/given-answers';
import { ByProxyLoading } from './by-proxy-loading';
import { ConnectionNotice } from './connection-notice';
import { Idle } from './idle';
import { later } from './later';
import { keyOf, openQuestion, type QuestionRound } from './open-question';
import type { ByProxyProps } from './proxies/by-proxy';
import type { RehearsalProps } from './rehearsal/rehearsal';
import { SpokenResult } from './results/shown-results';
import { TestNotes } from './test-notes';
import type { FetchedMeeting } from './use-fetched-votes';
import { useOwnShown } from './use-own-shown';
import { useVoting } from './use-voting';
import { VoterShell } from './voter-shell';

function Unloaded({ children }: { children: ReactNode }) {
  return children;
}

/** Loaded with the first rehearsal. Until then, a phone shows what it shows without one. */
const Rehearsal = later<RehearsalProps>(
  () => import('./rehearsal/rehearsal').then((loaded) => loaded.Rehearsal),
  Unloaded,
);

/** Shown only if the database was manipulated. */
const DamagedResults = later(() =>
  import('./results/damaged-results').then((loaded) => loaded.DamagedResults),
);

/** Shown only if the key in the database was manipulated, or its file is missing. */
const UnconfirmedKey = later(() =>
  import('./secret/unconfirmed-key').then((loaded) => loaded.UnconfirmedKey),
);

/** Few meetings have check-in. */
const CheckIn = later(() => import('./check-in/check-in-card').then((loaded) => loaded.CheckInCard));

const ByProxy = later<ByProxyProps>(
  () => import('./proxies/by-proxy').then((loaded) => loaded.ByProxy),
  ByProxyLoading,
);

interface LiveMeetingProps {
  meetingId: string;
  user: User;
  /** Empty only if the page was opened with a kept ballot, until the server answers. */
  fetched: FetchedMeeting;
  renderRefused: (error: ApiError) => ReactNode;
}

/** A running meeting as one voter sees it. */
export function LiveMeeting({ meetingId, user, fetched, renderRefused }: LiveMeetingProps) {
  const { live, delivery, paper, drafted, voted, isNextOpen, missed, latest, ...voting } = useVoting(
    meetingId,
    user,
    fetched,
  );
  const { meeting } = fetched;
  const own = useState<string | null>(null);

  if (live.refusal) {
    return renderRefused(live.refusal);
  }

  const isSending = delivery.state === 'sending';

  // Opening a question ends a rehearsal. In any case, the vote takes precedence.
  const rehearsal = live.state?.currentQuestion?.isActive ? null : (live.state?.rehearsal ?? null);
  const idle = (
    <Idle
      status={live.state?.status ?? meeting?.status ?? 'ACTIVE'}
      hasRun={voting.hasRun || (meeting?.questions.length ?? 0) > 0}
      isRehearsing={rehearsal !== null}
      isKnown={live.state !== null}
      outsideOf={voting.outsideOf}
      voided={live.state?.currentQuestion?.isVoid ? live.state.currentQuestion : null}
      votedBefore={isShownInOutcome(delivery, voted) ? null : voted}
      answers={givenAnswers(meeting?.questions ?? [], voteNotes.answered(meetingId))}
      results={voting.results}
      latest={latest}
      meeting={meeting}
      onReset={meeting?.canResetVote && voted ? () => voting.reset(voted.id) : undefined}
      isResetting={voting.isResetting}
    />
  );

  const isDelayed = isSending && delivery.isDelayed;
  const body = isDelayed ? (
    <DelayedBallot
      ballot={delivery.ballot}
      isKept={undeliveredBallotNote.read(meetingId, user.id) !== null}
      isNextOpen={isNextOpen}
      onSetAside={voting.setAside}
    />
  ) : paper ? (
    <OwnBallot key={keyOf(paper)} {...{ paper, delivery, drafted }} {...voting} />
  ) : (
    <RehearsalOrIdle meetingId={meetingId} rehearsalId={rehearsal?.id ?? null}>
      {idle}
    </RehearsalOrIdle>
  );

  return (
    <VoterShell
      title={live.state?.title ?? meeting?.title ?? 'Live Voting Session'}
      subtitle={[meeting?.organization ?? user.clientName ?? '', `Live Voting Session · ${shortName(user)}`]}
      back={{ to: paths.voting, label: 'Back' }}
      aside={<ConnectionStatus status={live.status} />}
    >
      <VisuallyHidden role="status">{spoken(paper, latest, rehearsal !== null)}</VisuallyHidden>
      <ConnectionNotice status={live.status} hasState={live.state !== null} />
      {voting.damagedCount > 0 ? <DamagedResults count={voting.damagedCount} /> : null}
      {live.state?.checkIn ? <CheckIn meetingId={meetingId} state={live.state} meeting={meeting} /> : null}
      {meeting ? <TestNotes user={user} meeting={meeting} /> : null}
      {isDelayed ? null : (
        <Outcome
          delivery={isOver(delivery, latest, paper) ? NOTHING : delivery}
          missed={missed}
          isPaperOpen={paper !== null}
          isAsideStored={isAsideStored(delivery, meeting)}
        />
      )}
      <OrByProxy {...{ meetingId, user, meeting, isSending, live, own, paper }} {...voting}>
        {body}
      </OrByProxy>
    </VoterShell>
  );
}

type Voting = ReturnType<typeof useVoting>;

interface OwnBallotProps extends Pick<Voting, 'delivery' | 'drafted' | 'draft' | 'submit' | 'isSealing'> {
  paper: BallotQuestion;
}

function OwnBallot({ paper, delivery, drafted, draft, submit, isSealing }: OwnBallotProps) {
  const isSubmitting = delivery.state === 'sending' || isSealing;
  if (!isSubmitting && isKeyUnconfirmed({ ...paper, isActive: true })) {
    return <UnconfirmedKey />;
  }
  return (
    <BallotForm
      question={paper}
      initialAnswers={answersToMend(delivery, paper) ?? drafted}
      isSubmitting={isSubmitting}
      onChange={(answers) => draft(paper, answers)}
      onSubmit={(answers) => submit(paper, answers)}
    />
  );
}

interface OrByProxyProps
  extends Omit<ByProxyProps, 'meeting' | 'canVote' | 'isSendingOwn' | 'ownShownIn' | 'onOwnShown'> {
  meeting: ByProxyProps['meeting'] | undefined;
  isSending: boolean;
  /** The ballot that the voter can cast now. */
  paper: BallotQuestion | null;
  /** The round in which the own ballot is on the screen, and the function that notes it. */
  own: [string | null, (round: string | null) => void];
}

function OrByProxy({ meeting, isSending, paper, own, ...props }: OrByProxyProps) {
  const [ownShownIn, onOwnShown] = own;
  const canVote = paper !== null;
  const isPlain = !meeting?.hasProxies;
  // The own ballot stays if it turns out later that the meeting has proxies.
  useOwnShown(isPlain && canVote && !isSending ? keyOf(openQuestion(props.live.state)) : null, onOwnShown);
  return isPlain ? (
    props.children
  ) : (
    <ByProxy {...{ meeting, canVote, isSendingOwn: isSending, ownShownIn, onOwnShown }} {...props} />
  );
}

interface RehearsalOrIdleProps {
  meetingId: string;
  rehearsalId: string | null;
  children: ReactNode;
}

function RehearsalOrIdle({ meetingId, rehearsalId, children }: RehearsalOrIdleProps) {
  return rehearsalId === null ? (
    children
  ) : (
    <Rehearsal key={rehearsalId} meetingId={meetingId} rehearsalId={rehearsalId}>
      {children}
    </Rehearsal>
  );
}

/** The announcement for screen readers: an opened question, a declared result, or a rehearsal. */
function spoken(paper: BallotQuestion | null, latest: VoterResult | null, isRehearsing: boolean): ReactNode {
  if (paper) {
    return `Question: ${paper.text}`;
  }
  if (latest) {
    return <SpokenResult result={latest.result} />;
  }
  return isRehearsing ? 'A rehearsal has begun.' : '';
}

const NOTHING: Delivery = { state: 'idle' };

/** Whether a stored vote is shown by the result of its round, or was taken back: its ballot is open again. */
function isOver(delivery: Delivery, latest: VoterResult | null, paper: BallotQuestion | null): boolean {
  if (delivery.state !== 'stored') {
    return false;
  }
  return paper === null ? delivery.ballot.roundId === latest?.result.roundId : isOn(delivery.ballot, paper);
}

/** The part before the @ sign, or the username without an email address. */
function shortName(user: User): string {
  return user.email?.split('@')[0] ?? user.username ?? user.name;
}

/** The answers of an invalid ballot, for a correction. */
function answersToMend(delivery: Delivery, paper: BallotQuestion): string[] | null {
  if (delivery.state !== 'refused' || delivery.refusal !== 'invalid_ballot') {
    return null;
  }
  return isOn(delivery.ballot, paper) ? delivery.ballot.answers : null;
}

/** Whether the outcome of the ballot already shows the counted vote on the open question. */
function isShownInOutcome(delivery: Delivery, open: QuestionRound | null): boolean {
  const hasVote = delivery.state === 'stored' || (delivery.state === 'refused' && delivery.counted !== null);
  return hasVote && isOn(delivery.ballot, open);
}

function isOn({ questionId, roundId }: Ballot, question: QuestionRound | null): boolean {
  return roundKey(questionId, roundId) === keyOf(question);
}

function isAsideStored(delivery: Delivery, meeting: FetchedMeeting['meeting']): boolean {
  if (delivery.state !== 'setAside') {
    return false;
  }
  const { questionId, roundId } = delivery.ballot;
  const question = meeting?.questions.find((one) => one.id === questionId && one.roundId === roundId);
  return question?.hasVoted === true;
}
