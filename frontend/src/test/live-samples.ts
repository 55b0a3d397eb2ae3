import type { LiveQuestion, LiveState, PresentationState } from '../shared/live/live-events';

export const MEETING_ID = 'b0000000-0000-7000-8000-000000000001';

export function liveQuestion(change: Partial<LiveQuestion> = {}): LiveQuestion {
  return {
    id: 'q1',
    text: 'Shall the accounts be approved?',
    type: 'SINGLE_CHOICE',
    questionType: 'YES_NO',
    options: ['Yes', 'No'],
    ratingMax: null,
    maxChoices: null,
    orderIndex: 1,
    isActive: true,
    hasVoted: false,
    roundId: 'r1',
    openedAt: '2026-11-21T13:00:00Z',
    ...change,
  };
}

export function liveState(change: Partial<LiveState> = {}): LiveState {
  return {
    version: 10,
    meetingId: MEETING_ID,
    title: 'Annual General Meeting',
    status: 'ACTIVE',
    currentQuestion: null,
    voteCount: 0,
    registerSize: 0,
    participantCount: 0,
    ...change,
  };
}

export function presentationState(change: Partial<PresentationState> = {}): PresentationState {
  return {
    version: 10,
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
    ...change,
  };
}
