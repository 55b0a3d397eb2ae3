import type { QuorumState } from '../api/types';
import type { LiveQuestion, LiveState, PresentationState } from '../shared/live/live-events';

export const MEETING_ID = 'b0000000-0000-7000-8000-000000000001';

export function liveQuestion(change: Partial<LiveQuestion> = {}): LiveQuestion {
  return {
    id: 'q1',
    text: 'Shall the accounts be approved?',
    type: 'SINGLE_CHOICE',
    questionType: 'YES_NO',
    options: ['Yes', 'No'],
    abstention: undefined,
    election: null,
    ratingMax: null,
    maxChoices: null,
    secrecy: 'unshown',
    isNamed: false,
    countsHeads: false,
    groups: undefined,
    sealing: null,
    isVoid: false,
    orderIndex: 1,
    isActive: true,
    hasVoted: false,
    roundId: 'r1',
    openedAt: '2026-11-21T13:00:00Z',
    closesAt: null,
    declaredRoundId: null,
    ...change,
  };
}

export function liveState(change: Partial<LiveState> = {}): LiveState {
  return {
    instance: 'a',
    version: 10,
    isDelayed: false,
    serverTime: undefined,
    meetingId: MEETING_ID,
    title: 'Annual General Meeting',
    status: 'ACTIVE',
    step: 1,
    currentQuestion: null,
    voteCount: 0,
    registerSize: 0,
    participantCount: 0,
    quorum: null,
    checkIn: null,
    rehearsal: null,
    ...change,
  };
}

export function presentationState(change: Partial<PresentationState> = {}): PresentationState {
  return {
    instance: 'a',
    version: 10,
    isDelayed: false,
    serverTime: undefined,
    title: 'Annual General Meeting',
    description: 'Accounts and elections',
    organization: 'Riverside Housing Cooperative',
    clientCode: 'riverside',
    status: 'ACTIVE',
    scheduledStartTime: '2026-11-21T13:00:00Z',
    scheduledEndTime: '2026-11-21T16:00:00Z',
    currentQuestion: null,
    questionCount: 5,
    voteCount: 0,
    registerSize: 0,
    participantCount: 0,
    quorum: null,
    checkIn: null,
    ...change,
  };
}

/** 64 of 180 are present, and 90 are needed. */
export function quorumState(change: Partial<QuorumState> = {}): QuorumState {
  return {
    quorum: { comparison: 'at_least', numerator: 1, denominator: 2, unit: 'heads', attendance: 'present' },
    atOpening: 'warn',
    present: { heads: 64, weight: 71.25 },
    represented: { heads: 0, weight: 0 },
    eligible: { heads: 180, weight: 201.5 },
    attending: 64,
    needed: 90,
    percent: 35.56,
    isMet: false,
    ...change,
  };
}

/** Adds the server's time, as in the answer to a single request. */
export function timed<State extends object>(state: State): State & { serverTime: string } {
  return { ...state, serverTime: new Date().toISOString() };
}
