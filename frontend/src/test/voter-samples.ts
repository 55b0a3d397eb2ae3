import type { VoterMeeting, VoterQuestion } from '../api/types';
import { liveQuestion, MEETING_ID } from './live-samples';

export function voterQuestion(change: Partial<VoterQuestion> = {}): VoterQuestion {
  const { id, text, type, options, orderIndex } = liveQuestion();
  return {
    id,
    text,
    type,
    options,
    orderIndex,
    ratingMax: null,
    maxChoices: null,
    election: null,
    isActive: true,
    roundId: 'r1',
    closesAt: null,
    isInRegister: true,
    groups: [],
    hasVoted: false,
    userVote: null,
    votedAt: null,
    secrecy: 'unshown',
    isNamed: false,
    receipt: null,
    isVoid: false,
    votedByProxy: false,
    castOn: null,
    ...change,
  };
}

export function voterMeeting(change: Partial<VoterMeeting> = {}): VoterMeeting {
  return {
    id: MEETING_ID,
    title: 'Annual General Meeting',
    description: null,
    status: 'ACTIVE',
    startTime: '2026-11-21T13:00:00Z',
    endTime: '2026-11-21T16:00:00Z',
    organization: 'Riverside Housing Cooperative',
    canResetVote: false,
    hasProxies: false,
    questions: [],
    ...change,
  };
}
