import { useEffect, useEffectEvent, useRef } from 'react';
import { isReachable } from '../../shared/live/live-connection';
import type { LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { ballotDraftNote, voteNotes } from '../../shared/storage';
import type { FetchedVotes } from './use-fetched-votes';
import { afterVotes, useRecheck } from './use-recheck';

interface VotingRefreshOptions {
  meetingId: string;
  live: Live<LiveState>;
  votes: FetchedVotes;
  isFetched: boolean;
  /** The open question has this voter's vote. */
  isVotedNow: boolean;
}

/** Fetches the voter's data again after a vote in another tab, a vote that was taken back, and a lost connection. */
export function useVotingRefresh({ meetingId, live, votes, isFetched, isVotedNow }: VotingRefreshOptions) {
  const { refetchMeeting, recheckStep, recheckResults } = votes;
  const askAnew = useEffectEvent(() => {
    void refetchMeeting();
    void live.refresh();
  });
  useEffect(() => voteNotes.watch(meetingId, askAnew), [meetingId]);

  const recheckVotes = useRecheck(askAnew);
  const voteCount = live.state?.voteCount ?? 0;
  const lastCount = useRef(voteCount);
  const handleCount = useEffectEvent(() => {
    // Test votes only can be taken back. It may be this voter's, so the ballot is open again.
    if (voteCount < lastCount.current && isVotedNow && live.state !== null) {
      recheckVotes(afterVotes(live.state));
    }
    lastCount.current = voteCount;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs for each new count.
  useEffect(() => handleCount(), [voteCount]);

  const refreshAfterBreak = useEffectEvent(() => {
    if (live.state !== null && isFetched) {
      // A whole hall comes back at the same moment.
      recheckStep(live.state);
      recheckResults(live.state);
    }
  });
  const isConnected = isReachable(live.status);
  useEffect(() => {
    if (isConnected) {
      refreshAfterBreak();
    }
  }, [isConnected]);

  useEffect(() => {
    if (isVotedNow) {
      // The vote may come from another device or tab: the draft of this page is obsolete.
      ballotDraftNote.remove(meetingId);
    }
  }, [isVotedNow, meetingId]);
}
