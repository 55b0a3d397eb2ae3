import type {
  Account,
  AuditEntry,
  Client,
  ClientReport,
  EndUser,
  Meeting,
  Question,
  RegisterEntry,
  Round,
  WeightKind,
} from '../api/types';

/** A sample of each resource. Tests change the fields that they need. */
export function sampleClient(changes: Partial<Client> = {}): Client {
  return {
    id: 'c0000000-0000-7000-8000-000000000001',
    name: 'Riverside Housing Cooperative',
    clientCode: 'riverside',
    contactEmail: 'anna@riverside.test',
    status: 'ACTIVE',
    subscriptionPlan: 'PRO',
    createdAt: '2026-11-02T10:00:00Z',
    users: [],
    _count: { users: 1, endUsers: 184, meetings: 6 },
    isTest: false,
    ...changes,
  };
}

export function sampleEndUser(changes: Partial<EndUser> = {}): EndUser {
  return {
    id: 'e0000000-0000-7000-8000-000000000001',
    username: 'vera',
    name: 'Vera Lind',
    email: 'vera.lind@riverside.test',
    address: null,
    weight: 2.5,
    weights: [],
    groups: [],
    isActive: true,
    lastLoginAt: null,
    createdAt: '2026-11-02T10:00:00Z',
    isTest: false,
    isErased: false,
    ...changes,
  };
}

export function sampleWeightKind(changes: Partial<WeightKind> = {}): WeightKind {
  return {
    id: 'a0000000-0000-7000-8000-000000000001',
    name: 'Floor area',
    unit: 'm²',
    decimals: 2,
    total: '12345.5',
    createdAt: '2026-11-02T10:00:00Z',
    ...changes,
  };
}

export function sampleMeeting(changes: Partial<Meeting> = {}): Meeting {
  return {
    id: 'd0000000-0000-7000-8000-000000000001',
    clientId: 'c0000000-0000-7000-8000-000000000001',
    title: 'Annual general meeting',
    description: 'Accounts and elections',
    status: 'SCHEDULED',
    scheduledStartTime: '2026-11-21T17:00:00Z',
    scheduledEndTime: '2026-11-21T20:00:00Z',
    startTime: '2026-11-21T17:00:00Z',
    endTime: '2026-11-21T20:00:00Z',
    startedAt: null,
    endedAt: null,
    maxParticipants: null,
    isRecurring: false,
    recurringPattern: null,
    hasParticipantList: true,
    quorum: null,
    countsSurveysAtEnd: true,
    isSecondCall: false,
    checkIn: 'OFF',
    selfCheckIn: false,
    closingHash: null,
    groupIds: [],
    weightKindId: null,
    participantCount: 184,
    questionCount: 7,
    step: 1,
    isTest: false,
    client: {
      id: 'c0000000-0000-7000-8000-000000000001',
      name: 'Riverside Housing Cooperative',
      clientCode: 'riverside',
    },
    createdAt: '2026-11-02T10:00:00Z',
    ...changes,
  };
}

export function sampleQuestion(changes: Partial<Question> = {}): Question {
  return {
    id: 'f0000000-0000-7000-8000-000000000001',
    meetingId: 'd0000000-0000-7000-8000-000000000001',
    questionText: 'Do you approve the accounts?',
    questionType: 'YES_NO',
    isRequired: true,
    options: '["Yes","No"]',
    optionsList: [
      { id: 'f1', text: 'Yes', position: 1, role: 'yes' },
      { id: 'f2', text: 'No', position: 2, role: 'no' },
    ],
    orderIndex: 1,
    ratingMax: null,
    maxChoices: null,
    decisionRule: null,
    quorum: null,
    secrecy: 'unshown',
    isNamed: false,
    countsHeads: false,
    groupIds: [],
    weightKindId: null,
    secondWeightKindId: null,
    createdAt: '2026-11-02T10:00:00Z',
    ...changes,
  };
}

/** A page of a register. */
export function registerPage(data: RegisterEntry[], total = data.length) {
  return { data, meta: { page: 1, pageSize: 50, total } };
}

/** A round of the first question that has ended. */
export function sampleRound(change: Partial<Round> = {}): Round {
  return {
    id: 'r1',
    questionId: 'q1',
    number: 1,
    status: 'COUNTED',
    questionText: 'Is the agenda adopted?',
    questionType: 'YES_NO',
    openedAt: '2026-11-21T13:00:00Z',
    endedAt: '2026-11-21T13:05:00Z',
    registerSize: 180,
    registerWeight: 200.5,
    voteCount: 171,
    waitingBatches: 0,
    reason: null,
    countedAt: null,
    declaredAt: null,
    declaredBy: null,
    weightKind: null,
    secondWeightKind: null,
    ...change,
  };
}

export function sampleAccount(changes: Partial<Account> = {}): Account {
  return {
    id: 'a0000000-0000-7000-8000-000000000002',
    role: 'CLIENT',
    email: 'anna@riverside.test',
    firstName: 'Anna',
    lastName: 'Berg',
    lastLoginAt: null,
    createdAt: '2026-11-02T10:00:00Z',
    client: {
      id: 'c0000000-0000-7000-8000-000000000001',
      name: 'Riverside Housing Cooperative',
      clientCode: 'riverside',
      status: 'ACTIVE',
    },
    ...changes,
  };
}

export function sampleReport(changes: Partial<ClientReport> = {}): ClientReport {
  return {
    id: 'c0000000-0000-7000-8000-000000000001',
    name: 'Riverside Housing Cooperative',
    clientCode: 'riverside',
    status: 'ACTIVE',
    plan: 'PRO',
    endUsers: { total: 1840, active: 1765 },
    totalWeight: 201.5,
    meetings: { total: 12, active: 1, completed: 9 },
    questions: 64,
    rounds: 58,
    votesCast: 7410,
    lastActivityAt: null,
    ...changes,
  };
}

export function sampleAuditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 4711,
    at: '2026-11-22T10:04:31.250017Z',
    kind: 'end_user_changed',
    by: {
      role: 'CLIENT',
      id: 'a0000000-0000-7000-8000-000000000002',
      name: 'Anna Berg',
      address: '192.0.2.7',
    },
    subject: {
      kind: 'end_user',
      id: 'e0000000-0000-7000-8000-000000000002',
      name: 'Ben Otto (ben)',
      meeting: null,
    },
    changes: [{ field: 'weight', before: '1.0000', after: '2.5000' }],
    link: { number: 812, hash: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b' },
    ...changes,
  };
}
