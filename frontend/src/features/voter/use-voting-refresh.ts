import { useEffect, useEffectEvent } from 'react';
import { isReachable } from '../../shared/live/live-connection';
import type { LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { ballotDraftNote, voteNotes } from '../../shared/storage';
import type { FetchedVotes } from './use-fetched-votes';

interface VotingRefreshOptions {
  meetingId: string;
  live: Live<LiveState>;
  votes: FetchedVotes;
  isFetched: boolean;
  /** The open question has this voter's vote. */
  isVotedNow: boolean;
}

/** Fetches the voter's data again after a vote in another tab and after a lost connection. */
export function useVotingRefresh({ meetingId, live, votes, isFetched, isVotedNow }: VotingRefreshOptions) {
  const { refetchMeeting, recheckStep, recheckResults } = votes;
  const askAnew = useEffectEvent(() => {
    void refetchMeeting();
    void live.refresh();
  });
  useEffect(() => voteNotes.watch(meetingId, askAnew), [meetingId]);

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
