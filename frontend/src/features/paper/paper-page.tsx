import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Round } from '../../api/types';
import { useUser } from '../../api/use-session';
import { Desks } from '../../shared/desks/desks';
import { formatNumber } from '../../shared/format';
import { ConnectionStatus } from '../../shared/live/connection-status';
import type { LiveState } from '../../shared/live/live-events';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { organizerPaperApi } from '../../shared/paper-votes/paper-api';
import type { DraftPlace } from '../../shared/paper-votes/paper-draft';
import { openPaperQuestion } from '../../shared/paper-votes/paper-question';
import { PaperVotes } from '../../shared/paper-votes/paper-votes';
import { paths } from '../../shared/paths';
import { SECRECY_NAMES } from '../../shared/terms/secrecy';
import { Card } from '../../shared/ui/card';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHead } from '../../shared/ui/page-head';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import { roundQueries } from '../control/queries';
import { BatchesAfterEnd } from './batches-after-end';
import classes from './paper-page.module.css';

const NO_ROUNDS: Round[] = [];

const PURPOSES = ['VOTING_PLACE', 'TELLERS'] as const;

/** Votes on paper of a meeting, and the links for voting places and tellers. */
export function PaperPage() {
  const { meetingId = '' } = useParams();
  return <Paper key={meetingId} meetingId={meetingId} />;
}

function Paper({ meetingId }: { meetingId: string }) {
  const live = useLiveMeeting(meetingId);
  const user = useUser();
  return (
    <>
      <PageHead
        title="Votes on paper"
        description={live.state?.title ?? '…'}
        back={{ to: paths.meetingControl(meetingId), label: 'Back to Control' }}
        action={<ConnectionStatus status={live.status} />}
      />
      <TestMeetingNote title={live.state?.title} />
      {live.refusal ? (
        <ErrorState title="Meeting not found" hint="It may have been deleted." />
      ) : (
        <div className={classes.cards}>
          {user ? (
            <OpenQuestion key={user.id} meetingId={meetingId} account={user.id} state={live.state} />
          ) : null}
          <BatchesAfterEnd meetingId={meetingId} />
          <Card
            title="Voting places and tellers"
            description="People without a phone vote on the screen of a voting place, or on paper."
          >
            <Desks meetingId={meetingId} title="Desks" purposes={PURPOSES} />
          </Card>
        </div>
      )}
    </>
  );
}

interface OpenQuestionProps {
  meetingId: string;
  /** The id of the organizer's account. */
  account: string;
  state: LiveState | null;
}

function OpenQuestion({ meetingId, account, state }: OpenQuestionProps) {
  const [api] = useState(() => organizerPaperApi(meetingId));
  const [place] = useState(() => batchPlace(meetingId, account));
  const rounds = useQuery(roundQueries.ofMeeting(meetingId)).data ?? NO_ROUNDS;
  const question = openPaperQuestion(state?.currentQuestion, rounds);
  if (state === null) {
    return (
      <Card title="Open question">
        <p role="status">Loading the open question…</p>
      </Card>
    );
  }
  return (
    <Card
      title={question?.text ?? 'Open question'}
      {...(question ? { description: describe(SECRECY_NAMES[question.secrecy], state) } : {})}
    >
      <PaperVotes api={api} place={place} question={question} />
    </Card>
  );
}

/** "Named vote. 132 of 180 voted." */
function describe(secrecy: string, { voteCount, registerSize }: LiveState): string {
  return `${secrecy}. ${formatNumber(voteCount)} of ${formatNumber(registerSize)} voted.`;
}

/** An organizer's batch is kept in the tab, and only for this account: the computer may have other users. */
function batchPlace(meetingId: string, account: string): DraftPlace {
  return { key: `paperBatch_${meetingId}`, storage: () => window.sessionStorage, owner: account };
}
