import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { User, VoterMeeting } from '../../../api/types';
import type { BallotQuestion } from '../../../shared/ballot/ballot';
import type { LiveState } from '../../../shared/live/live-events';
import { toast } from '../../../shared/ui/toast';
import { Notice } from '../notice';
import { openQuestion } from '../open-question';
import { loadSealing } from '../secret/load-sealing';
import type { HeldBallot } from './held-delivery';
import { HeldOutcomes } from './held-outcomes';
import { HolderBallot } from './holder-ballot';
import { answersByPerson, SELF, type Share, summary, type Voter, votes } from './people-groups';
import { ProxiesPanel } from './proxies-panel';
import { proxyQueries } from './proxy-queries';
import { useHeldDelivery } from './use-held-delivery';

export interface ByProxyProps {
  meetingId: string;
  user: User;
  meeting: VoterMeeting;
  /** Null until it is known. */
  state: LiveState | null;
  /** Whether the voter can cast the own vote now. */
  canVote: boolean;
  /** What the voter sees without proxies. */
  children: ReactNode;
}

/** A voter's screen in a meeting with proxies: the ballot of a holder, and the proxies of this voter. */
export function ByProxy(props: ByProxyProps) {
  const { meetingId, meeting, canVote, children } = props;
  const userId = props.user.id;
  const question: BallotQuestion | null = openQuestion(props.state);
  const { state, deliver } = useHeldDelivery(meetingId, userId);
  const held = useHeld(meetingId, question);
  const [isSealing, setIsSealing] = useState(false);
  const open = held.filter((vote) => vote.state === 'OPEN');
  const isOfThis = state !== null && state.sent.roundId === question?.roundId;

  async function handleSubmit(asked: BallotQuestion, shares: Share[]) {
    setIsSealing(true);
    try {
      const ballots = await ballotsOf(asked, shares, userId);
      deliver({
        userId,
        questionId: asked.id,
        roundId: asked.roundId ?? '',
        summary: summary(asked, shares),
        ballots,
        outcomes: [],
      });
    } catch {
      toast.error('Your ballots could not be sealed. Check your connection and try again.');
    } finally {
      setIsSealing(false);
    }
  }

  if (state !== null && (isOfThis || state.isSending)) {
    return (
      <>
        <HeldOutcomes state={state} />
        {state.isSending ? null : children}
      </>
    );
  }
  if (question !== null && open.length > 0) {
    const voters: Voter[] = open.map(({ principal, weight, note }) => ({ ...principal, weight, note }));
    const self: Voter[] = canVote ? [{ id: SELF, name: 'You', weight: 1, note: null }] : [];
    return (
      <>
        <RestingNotes held={held} />
        <HolderBallot
          key={question.roundId}
          question={question}
          voters={[...self, ...voters]}
          isBusy={isSealing}
          onSubmit={(shares) => void handleSubmit(question, shares)}
        />
      </>
    );
  }
  return (
    <>
      <RestingNotes held={held} />
      <ProxiesPanel meetingId={meetingId} meeting={meeting} question={question} />
      {children}
    </>
  );
}

/** The votes of others on the open question. */
function useHeld(meetingId: string, question: BallotQuestion | null) {
  const { data } = useQuery({
    ...proxyQueries.held(meetingId, question?.id ?? '', question?.roundId ?? null),
    enabled: question !== null,
  });
  return question !== null && data !== undefined && data.roundId === question.roundId ? data.votes : [];
}

type Held = ReturnType<typeof useHeld>;

/** The principals whose proxy rests: they are there, or have voted themselves. */
function RestingNotes({ held }: { held: Held }) {
  const resting = held.filter(({ state }) => state === 'VOTED_BY_PRINCIPAL' || state === 'RESTING');
  const cast = held.filter(({ state }) => state === 'CAST_BY_HOLDER').length;
  return (
    <>
      {resting.length > 0 ? (
        <Notice tone="info" title={`${votes(resting.length)} you do not cast: your proxy rests`}>
          <p>{resting.map(({ principal, state }) => `${principal.name} ${REASON[state]}`).join(', ')}</p>
        </Notice>
      ) : null}
      {cast > 0 ? <Notice tone="stored" title={`You have cast ${votes(cast)} by proxy`} /> : null}
    </>
  );
}

const REASON: Record<string, string> = { VOTED_BY_PRINCIPAL: 'has voted', RESTING: 'is present' };

/** The ballots as they are sent. In a secret question each is sealed for its own person. */
async function ballotsOf(question: BallotQuestion, shares: Share[], userId: string): Promise<HeldBallot[]> {
  const names = new Map(
    shares.flatMap(({ voters }) => voters.map(({ id, name }): [string, string] => [id, name])),
  );
  const sealing = question.secrecy === 'secret' ? await loadSealing() : null;
  return Promise.all(
    [...answersByPerson(question, shares)].map(async ([id, answers]) => {
      const ballot = { for: id, name: names.get(id) ?? '', answers, envelope: null };
      if (sealing === null) {
        return ballot;
      }
      const sealed = await sealing.sealBallot(question, answers, id === SELF ? userId : id);
      const envelope = sealed.sealed?.envelope ?? null;
      return { ...ballot, envelope, answers: envelope === null ? answers : [] };
    }),
  );
}
