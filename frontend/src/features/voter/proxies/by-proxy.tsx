import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { User, VoterMeeting } from '../../../api/types';
import type { BallotQuestion } from '../../../shared/ballot/ballot';
import type { LiveState } from '../../../shared/live/live-events';
import { isKeyUnconfirmed } from '../../../shared/live/unconfirmed-key';
import type { Live } from '../../../shared/live/use-live-connection';
import { toast } from '../../../shared/ui/toast';
import { Notice } from '../notice';
import { keyOf, openQuestion } from '../open-question';
import { loadSealing } from '../secret/load-sealing';
import { UnconfirmedKey } from '../secret/unconfirmed-key';
import { useOwnShown } from '../use-own-shown';
import type { HeldBallot } from './held-delivery';
import { HeldOutcomes } from './held-outcomes';
import { heldPlanNote } from './held-plan-note';
import { HolderBallot } from './holder-ballot';
import { answersByPerson, SELF, type Share, summary, type Voter, votes } from './people-groups';
import { ProxiesPanel } from './proxies-panel';
import { type HeldState, useHeldDelivery } from './use-held-delivery';
import { type HeldVote, type HeldVotes, useHeldVotes } from './use-held-votes';
import { useLongestWait } from './use-longest-wait';

export interface ByProxyProps {
  meetingId: string;
  user: User;
  meeting: VoterMeeting;
  live: Pick<Live<LiveState>, 'state' | 'status'>;
  /** Whether the voter can cast the own vote now. */
  canVote: boolean;
  /** Whether the own ballot is being sent. Until it is decided, `children` show it. */
  isSendingOwn: boolean;
  /** The round in which the own ballot is on the screen: no other ballot may replace it. */
  ownShownIn: string | null;
  onOwnShown: (round: string | null) => void;
  /** Notes that the server has stored the own vote in the round. */
  markStored: (round: string) => void;
  /** Notes that the own vote in the round is among the ballots of the holder. */
  noteHeld: (roundId: string) => void;
  /** What the voter sees without proxies. */
  children: ReactNode;
}

/** A voter's screen in a meeting with proxies: the ballot of a holder, and the proxies of this voter. */
export function ByProxy(props: ByProxyProps) {
  const { meetingId, meeting, live, canVote, isSendingOwn, children } = props;
  const question = openQuestion(live.state);
  const { state, submit, isSealing } = useHolder(props);
  const held = useHeldVotes(meetingId, live);
  // What the holder sent in another round says nothing about the votes that can be cast now.
  const sent = state !== null && (state.isSending || state.sent.roundId === question?.roundId) ? state : null;
  const isSending = sent?.isSending === true;
  const open = isSending ? [] : castable(held, sent);
  const wanted = open.length > 0 ? 'holder' : 'own';
  const shown = useShownBallot(props, held, isSendingOwn ? 'own' : isSending ? 'none' : wanted);

  const notes = isSendingOwn ? null : (
    <>
      {sent === null ? <RestingNotes held={held.votes} /> : null}
      {held.hasFailed && held.isExpected && !isSending ? <Unknown held={held} /> : null}
    </>
  );
  // What arrives later must not push the options of a ballot away under the finger.
  const areNotesBelow = shown === 'own' && canVote;

  return (
    <>
      {state === null ? null : <HeldOutcomes state={state} open={question} />}
      {areNotesBelow ? null : notes}
      {question !== null && shown === 'holder' && isKeyUnconfirmed(question) && !isSealing ? (
        <UnconfirmedKey />
      ) : question !== null && shown === 'holder' ? (
        <HolderBallot
          key={question.roundId}
          question={question}
          voters={votersOf(open, canVote)}
          drafted={heldPlanNote.read(meetingId, props.user.id, question.roundId)}
          isBusy={isSealing}
          onChange={(plan) => heldPlanNote.save(meetingId, props.user.id, question.roundId, plan)}
          onSubmit={(shares) => void submit(question, shares)}
        />
      ) : null}
      {shown === 'own' && sent === null && !isSendingOwn ? (
        <ProxiesPanel meetingId={meetingId} meeting={meeting} question={question} />
      ) : null}
      {shown === 'own' ? children : null}
      {areNotesBelow ? notes : null}
      {shown === 'own' && open.length > 0 && !isSendingOwn ? (
        <Notice tone="info" title={`You also hold ${votes(open.length)}`}>
          <Button variant="default" size="md" onClick={() => props.onOwnShown(null)}>
            Vote for yourself and {open.length === 1 ? '1 other' : `${open.length} others`}
          </Button>
        </Notice>
      ) : null}
      {held.isLoading && held.isExpected && !isSending && !isSendingOwn ? (
        <p role="status">Loading the votes you hold…</p>
      ) : null}
    </>
  );
}

/** The delivery of a holder's ballots, and the function that submits them. */
function useHolder({ meetingId, user, markStored, noteHeld }: ByProxyProps) {
  const userId = user.id;
  const { state, begin } = useHeldDelivery({ meetingId, userId, markStored, noteHeld });
  const [isSealing, setIsSealing] = useState(false);

  async function submit(asked: BallotQuestion, shares: Share[]) {
    const isSecret = asked.secrecy === 'secret';
    setIsSealing(true);
    const deliver = begin();
    try {
      const ballots = await ballotsOf(asked, shares, userId);
      deliver({
        userId,
        questionId: asked.id,
        roundId: asked.roundId ?? '',
        orderIndex: asked.orderIndex,
        isSecret,
        // After the submission, the answers of a secret ballot are shown nowhere, and not kept.
        summary: isSecret ? votes(ballots.length) : summary(asked, shares),
        ballots,
        outcomes: [],
      });
      heldPlanNote.remove(meetingId);
    } catch {
      toast.error('Your ballots could not be sealed. Check your connection and try again.');
    } finally {
      setIsSealing(false);
    }
  }

  return { state, submit, isSealing };
}

type ShownBallot = 'none' | 'own' | 'holder';

/**
 * The ballot to show. The ballot of a holder includes the own vote, so the own ballot waits until it is known whether the
 * voter holds votes, if that is likely. Once the own ballot is shown, it stays until the voter votes or asks for the other.
 */
function useShownBallot(props: ByProxyProps, held: HeldVotes, wanted: ShownBallot): ShownBallot {
  const { live, canVote, isSendingOwn, ownShownIn, onOwnShown } = props;
  const round = keyOf(openQuestion(live.state));
  // The ballot that is being sent may be of a round before.
  const canShowOwn = canVote && round !== null && !isSendingOwn;
  const isOwnShown = canShowOwn && ownShownIn === round;
  const isWaiting = wanted === 'own' && canShowOwn && !isOwnShown && held.isLoading && held.isExpected;
  const shown = isWaiting ? 'none' : wanted === 'holder' && isOwnShown ? 'own' : wanted;

  useOwnShown(canShowOwn && shown === 'own' ? round : null, onOwnShown);
  useLongestWait(isWaiting ? round : null, onOwnShown);
  return shown;
}

/** The open votes that the holder has not cast. A refused one counts as open if the server says so afterwards. */
function castable({ votes: held, at }: HeldVotes, sent: HeldState | null): HeldVote[] {
  return held.filter(({ principal, state }) => {
    const outcome = sent?.sent.outcomes.find((one) => one.for === principal.id);
    const isOpenAgain = outcome !== undefined && outcome.code !== null && sent !== null && at > sent.at;
    return state === 'OPEN' && (outcome === undefined || isOpenAgain);
  });
}

function votersOf(held: HeldVote[], canVote: boolean): Voter[] {
  const self: Voter[] = canVote ? [{ id: SELF, name: 'You', weight: 1, note: null }] : [];
  return [...self, ...held.map(({ principal, weight, note }) => ({ ...principal, weight, note }))];
}

/** It is not known whether the voter holds votes. */
function Unknown({ held }: { held: HeldVotes }) {
  return (
    <Notice tone="refused" title="The votes you hold could not be loaded">
      <p>If others have given you their votes, you can cast them once they are loaded.</p>
      <Button variant="default" size="md" loading={held.isRetrying} onClick={held.retry}>
        Try again
      </Button>
    </Notice>
  );
}

/** The principals whose proxy rests: they are there, or have voted themselves. */
function RestingNotes({ held }: { held: HeldVote[] }) {
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
      const { sealed } = await sealing.sealBallot(question, answers, id === SELF ? userId : id);
      const { envelope, receipt } = sealed ?? { envelope: null, receipt: null };
      return { ...ballot, envelope, receipt, answers: envelope === null ? answers : [] };
    }),
  );
}
