import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/api-error';
import type { User, VoterMeeting } from '../../api/types';
import { ConnectionStatus } from '../../shared/live/connection-status';
import { paths } from '../../shared/paths';
import { voteNotes } from '../../shared/storage';
import { type BallotQuestion, roundKey } from './ballot';
import type { Delivery } from './ballot-delivery';
import { BallotForm } from './ballot-form';
import { ConnectionNotice } from './connection-notice';
import { DelayedBallot } from './delayed-ballot';
import { givenAnswers } from './given-answers';
import { Idle } from './idle';
import { Outcome } from './outcome';
import { useVoting } from './use-voting';
import { VoterShell } from './voter-shell';

interface LiveMeetingProps {
  meetingId: string;
  user: User;
  /** Missing only while a ballot waits for a server that does not answer at all. */
  meeting: VoterMeeting | undefined;
  renderRefused: (error: ApiError) => ReactNode;
}

/** A meeting as one voter sees it while it goes on. */
export function LiveMeeting({ meetingId, user, meeting, renderRefused }: LiveMeetingProps) {
  const { live, delivery, paper, voted, isNextOpen, missed, submit, reset, isResetting } = useVoting(
    meetingId,
    user,
  );

  if (live.refusal) {
    return renderRefused(live.refusal);
  }

  const status = live.state?.status ?? meeting?.status ?? 'ACTIVE';
  const isSending = delivery.state === 'sending';
  const toldOfPaper = meeting?.questions.find(({ id }) => id === paper?.id);
  const isOutsideRegister = !isSending && toldOfPaper?.isActive === true && !toldOfPaper.isInRegister;
  const openPaper = isOutsideRegister ? null : paper;
  const subtitle = [
    meeting?.organization ?? user.clientName ?? '',
    `Live Voting Session · ${shortName(user)}`,
  ];

  return (
    <VoterShell
      title={live.state?.title ?? meeting?.title ?? 'Live Voting Session'}
      subtitle={subtitle}
      back={{ to: paths.voting, label: 'Back' }}
      aside={<ConnectionStatus status={live.status} />}
    >
      <VisuallyHidden role="status">{openPaper ? `Question: ${openPaper.text}` : ''}</VisuallyHidden>
      <ConnectionNotice status={live.status} hasState={live.state !== null} />
      {isSending && delivery.isDelayed ? (
        <DelayedBallot ballot={delivery.ballot} isNextOpen={isNextOpen} />
      ) : (
        <>
          <Outcome delivery={delivery} missed={missed} isPaperOpen={openPaper !== null} />
          {openPaper ? (
            <BallotForm
              key={roundKey(openPaper.id, openPaper.roundId)}
              question={openPaper}
              initialAnswers={answersToMend(delivery, openPaper)}
              isSubmitting={isSending}
              onSubmit={(answers) => submit(openPaper, answers)}
            />
          ) : (
            <Idle
              status={status}
              isKnown={live.state !== null}
              isOutsideRegister={isOutsideRegister}
              votedBefore={delivery.state === 'stored' ? null : voted}
              answers={givenAnswers(meeting?.questions ?? [], voteNotes.answered(meetingId))}
              onReset={meeting?.canResetVote && voted ? () => reset(voted.id) : undefined}
              isResetting={isResetting}
            />
          )}
        </>
      )}
    </VoterShell>
  );
}

/** The part before the @ sign, or the name to sign in with where there is no e-mail address. */
function shortName(user: User): string {
  return user.email?.split('@')[0] ?? user.username ?? user.name;
}

/** What the server could not take as it was comes back to be changed. */
function answersToMend(delivery: Delivery, paper: BallotQuestion): string[] {
  if (delivery.state !== 'refused' || delivery.refusal !== 'invalid_ballot') {
    return [];
  }
  const { questionId, roundId, answers } = delivery.ballot;
  return roundKey(questionId, roundId) === roundKey(paper.id, paper.roundId) ? answers : [];
}
