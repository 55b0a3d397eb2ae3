import type { LogEntry, MeetingResults, Remark, Result } from '../api/types';

/** A question accepted by heads, counted and not declared. Tests change the fields that they need. */
export function sampleResult(changes: Partial<Result> = {}): Result {
  return {
    roundId: 'r1',
    questionId: 'q1',
    position: 1,
    number: 1,
    reason: null,
    status: 'COUNTED',
    questionText: 'Do you approve the budget?',
    questionType: 'YES_NO',
    ratingMax: null,
    maxChoices: null,
    secrecy: 'unshown',
    isNamed: false,
    decisionRule: {
      kind: 'majority',
      conditions: [
        { units: 'heads', base: 'yes_plus_no', comparison: 'more_than', numerator: 1, denominator: 2 },
      ],
      onTie: 'rejected',
    },
    quorum: null,
    openedAt: '2026-11-21T18:04:05.120Z',
    endedAt: '2026-11-21T18:09:41Z',
    declared: null,
    register: { heads: 180, weight: 201.5 },
    connectedAtOpening: { heads: 170, weight: 190 },
    presence: 'CONNECTED_OR_VOTED',
    present: { heads: 172, weight: 193 },
    votesCast: { heads: 164, weight: 183.25 },
    notVoted: { heads: 16, weight: 18.25 },
    invalid: { heads: 0, weight: 0 },
    options: [
      {
        id: 'yes',
        text: 'Yes',
        role: 'yes',
        heads: 120,
        headsPercent: 73.17,
        weight: 140.5,
        weightPercent: 76.67,
      },
      {
        id: 'no',
        text: 'No',
        role: 'no',
        heads: 44,
        headsPercent: 26.83,
        weight: 42.75,
        weightPercent: 23.33,
      },
    ],
    numbers: null,
    differentTexts: null,
    decision: { outcome: 'accepted', elected: [], tie: null },
    arithmetic: {
      checks: [
        {
          base: 'yes_plus_no',
          comparison: 'more_than',
          numerator: 1,
          denominator: 2,
          unit: 'heads',
          option: null,
          part: 120,
          whole: 164,
          percent: 73.17,
          needed: { amount: 83, isEnough: true, isRoundedUp: false },
          isMet: true,
          isTie: false,
        },
      ],
      quorum: null,
      sentence:
        'Accepted: 120 of 164 votes by heads are yes, 73.17 %; more than 1/2, that is at least 83, were needed',
    },
    log: [sampleLogEntry()],
    ...changes,
  };
}

export function sampleLogEntry(changes: Partial<LogEntry> = {}): LogEntry {
  return {
    at: '2026-11-21T18:04:05.120Z',
    by: 'Maria Keller',
    kind: 'OPENED',
    person: null,
    reason: null,
    ...changes,
  };
}

export function sampleRemark(changes: Partial<Remark> = {}): Remark {
  return {
    id: 'remark1',
    at: '2026-11-21T18:12:00Z',
    by: 'Maria Keller',
    kind: 'REMARK',
    text: 'The treasurer left the room.',
    ...changes,
  };
}

export function sampleMeetingResults(changes: Partial<MeetingResults> = {}): MeetingResults {
  return {
    damaged: [],
    uncounted: [],
    elections: [],
    meeting: {
      id: 'd0000000-0000-7000-8000-000000000001',
      organization: 'Riverside Housing Cooperative',
      title: 'Annual general meeting',
      status: 'COMPLETED',
      scheduledStart: '2026-11-21T17:00:00Z',
      scheduledEnd: '2026-11-21T20:00:00Z',
      quorum: null,
    },
    rounds: [sampleResult()],
    attendance: [],
    remarks: [],
    closings: [],
    amendments: [],
    closingDamage: [],
    ...changes,
  };
}

/** A result that counts by one kind of weight and has the sums by another one. */
export function weighted(changes: Partial<Result> = {}): Result {
  return sampleResult({
    weightKind: { id: 'w1', name: 'Floor area', unit: 'm²', decimals: 2 },
    secondWeight: {
      kind: { id: 'w2', name: 'Capital', unit: 'EUR', decimals: 0 },
      register: { heads: 180, weight: 100_000 },
      present: { heads: 172, weight: 70_000 },
      votesCast: { heads: 164, weight: 62_000 },
      options: [
        { id: 'yes', heads: 120, weight: 50_000 },
        { id: 'no', heads: 44, weight: 12_000 },
      ],
    },
    ...changes,
  });
}
