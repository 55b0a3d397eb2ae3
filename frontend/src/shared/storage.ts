import {
  listOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  type Shaped,
  shaped,
  text,
} from './shape';

/** The meeting that a person was invited to by link before signing in. Deleted with the tab. */
const pendingMeetingShape = object({
  meetingId: text,
  linkToken: text,
  meetingTitle: text,
});

const answeredQuestionShape = object({
  id: text,
  /** Missing in a note of an earlier version. */
  roundId: optional(nullable(text)),
  text: text,
  type: text,
  userAnswers: listOf(text),
  answeredAt: text,
});

/** A ballot without a response of the server; it survives a reload. */
const undeliveredBallotShape = object({
  userId: text,
  questionId: text,
  roundId: nullable(text),
  text: text,
  type: oneOf('SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'RATING', 'TEXT', 'PERCENTAGE', 'ELECTION'),
  orderIndex: number,
  answers: listOf(text),
  /** The answers in words, where they are sent in another notation. */
  shown: optional(listOf(text)),
  sealed: optional(object({ envelope: nullable(text), receipt: nullable(text) })),
});

/** The choices on a ballot that is not submitted yet; they survive a reload of the tab. */
const ballotDraftShape = object({
  userId: text,
  questionId: text,
  roundId: nullable(text),
  text: text,
  answers: listOf(text),
  shown: optional(listOf(text)),
});

export type PendingMeeting = Shaped<typeof pendingMeetingShape>;
export type AnsweredQuestion = Shaped<typeof answeredQuestionShape>;
type StoredBallot = Shaped<typeof undeliveredBallotShape>;
export type UndeliveredBallot = Omit<StoredBallot, 'sealed' | 'shown'> &
  Partial<Pick<StoredBallot, 'sealed' | 'shown'>>;
type StoredDraft = Shaped<typeof ballotDraftShape>;
export type BallotDraft = Omit<StoredDraft, 'shown'> & Partial<Pick<StoredDraft, 'shown'>>;

/** Returns null also for data of another version of the app, and if the browser refuses storage. */
export function readNote<T>(storage: () => Storage, key: string, shape: Shape<T>): T | null {
  try {
    const stored = storage().getItem(key);
    return stored === null ? null : shaped(shape, JSON.parse(stored));
  } catch {
    return null;
  }
}

export function writeNote(storage: () => Storage, key: string, value: unknown): void {
  try {
    if (value === null) {
      storage().removeItem(key);
    } else {
      storage().setItem(key, JSON.stringify(value));
    }
  } catch {
    // These are notes only: the server has the authoritative data.
  }
}

export const tab = (): Storage => window.sessionStorage;
export const device = (): Storage => window.localStorage;

const PENDING_MEETING = 'pendingMeeting';
const votedKey = (meetingId: string) => `votedQuestions_${meetingId}`;
const answeredKey = (meetingId: string) => `answeredQuestions_${meetingId}`;
export const undeliveredKey = (meetingId: string) => `undeliveredBallot_${meetingId}`;
/** The ballots of a holder of proxies. The name begins like that of an own ballot, whose rules apply to them too. */
export const heldKey = (meetingId: string) => undeliveredKey(`held_${meetingId}`);
export const draftKey = (meetingId: string) => `ballotDraft_${meetingId}`;
const rehearsedKey = (meetingId: string) => `rehearsed_${meetingId}`;
/** The owner of these notes. */
const NOTES_OWNER = 'voterNotesOf';
const VOTER_NOTES =
  /^(votedQuestions|answeredQuestions|undeliveredBallot|ballotDraft|rehearsed|receipt|late)_|^voterNotesOf$/;
/** An undelivered ballot of somebody who is not signed in: the time, the person, and the key that it had. */
const ASIDE = /^aside_(\d+)_([^_]+)_(.+)/;
const ASIDE_MS = 3 * 86_400_000;
const ASIDE_LIMIT = 20;

export const pendingMeetingNote = {
  read: () => readNote(tab, PENDING_MEETING, pendingMeetingShape),
  save: (meeting: PendingMeeting) => writeNote(tab, PENDING_MEETING, meeting),
  remove: () => writeNote(tab, PENDING_MEETING, null),
};

/** This device's notes of a voter's answers in a meeting. The server's data take precedence. */
export const voteNotes = {
  voted: (meetingId: string) => readNote(device, votedKey(meetingId), listOf(text)) ?? [],

  answered: (meetingId: string) =>
    readNote(device, answeredKey(meetingId), listOf(answeredQuestionShape)) ?? [],

  add: (meetingId: string, answer: AnsweredQuestion) => {
    const voted = voteNotes.voted(meetingId).filter((id) => id !== answer.id);
    const answered = voteNotes.answered(meetingId).filter(({ id }) => id !== answer.id);
    writeNote(device, votedKey(meetingId), [...voted, answer.id]);
    writeNote(device, answeredKey(meetingId), [...answered, answer]);
  },

  clearAnswered: (meetingId: string) => writeNote(device, answeredKey(meetingId), null),

  clear: (meetingId: string) => {
    writeNote(device, votedKey(meetingId), null);
    writeNote(device, answeredKey(meetingId), null);
  },

  /** Calls `onChange` when another tab of this browser learned of a vote. */
  watch: (meetingId: string, onChange: () => void): (() => void) => {
    const handleStorage = ({ key }: StorageEvent) => {
      if (key === null || key === votedKey(meetingId)) {
        onChange();
      }
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  },
};

export const undeliveredBallotNote = {
  /** Only a ballot of this voter: phones are shared. */
  read: (meetingId: string, userId: string): UndeliveredBallot | null => {
    const ballot = readNote(device, undeliveredKey(meetingId), undeliveredBallotShape);
    return ballot?.userId === userId ? ballot : null;
  },
  save: (meetingId: string, ballot: UndeliveredBallot) =>
    writeNote(device, undeliveredKey(meetingId), ballot),
  /** Another tab may have stored another ballot meanwhile: that one is kept. */
  remove: (
    meetingId: string,
    { questionId, roundId, answers, sealed }: Omit<UndeliveredBallot, 'userId'>,
  ) => {
    const noted = readNote(device, undeliveredKey(meetingId), undeliveredBallotShape);
    if (
      noted?.questionId === questionId &&
      noted.roundId === roundId &&
      JSON.stringify([noted.answers, noted.sealed]) === JSON.stringify([answers, sealed])
    ) {
      writeNote(device, undeliveredKey(meetingId), null);
    }
  },
  /** Whether ballots by proxy of this voter are kept. Only the page of their meeting sends them. */
  isHeld: (meetingId: string, userId: string): boolean => ownerOf(heldKey(meetingId)) === userId,
  /** Whether there is a ballot of this voter, also one by proxy, or one of those alone. */
  isKept: (userId: string, prefix = undeliveredKey('')): boolean =>
    keysOf(device).some((key) => key.startsWith(prefix) && ownerOf(key) === userId),
  /** Whether there are ballots by proxy of any person. */
  isAnyHeld: (): boolean => keysOf(device).some((key) => key.includes(heldKey(''))),
  /** Whether there is a ballot of any person, also one by proxy. */
  isAnyKept: (): boolean => keysOf(device).some((key) => key.includes(undeliveredKey(''))),
};

function ownerOf(key: string): string | undefined {
  return readNote(device, key, object({ userId: text }))?.userId;
}

export const ballotDraftNote = {
  read: (meetingId: string, userId: string): BallotDraft | null => {
    const draft = readNote(tab, draftKey(meetingId), ballotDraftShape);
    return draft?.userId === userId ? draft : null;
  },
  save: (meetingId: string, draft: BallotDraft) => writeNote(tab, draftKey(meetingId), draft),
  remove: (meetingId: string) => writeNote(tab, draftKey(meetingId), null),
};

/** The rehearsal that this voter has answered: a reloaded page does not ask again. */
export const rehearsalNote = {
  read: (meetingId: string) => readNote(tab, rehearsedKey(meetingId), text),
  save: (meetingId: string, rehearsalId: string) => writeNote(tab, rehearsedKey(meetingId), rehearsalId),
};

export function keysOf(storage: () => Storage): string[] {
  try {
    return Object.keys(storage());
  } catch {
    return [];
  }
}

/** Deletes a voter's notes: the next person on this device must not see them. */
export function forgetVoter(): void {
  for (const storage of [device, tab]) {
    for (const key of keysOf(storage)) {
      if (VOTER_NOTES.test(key)) {
        writeNote(storage, key, null);
      }
    }
  }
}

/**
 * After a sign-in, deletes the notes of other people, even if they did not sign out. Their undelivered ballots are set
 * aside, and given back when they sign in again.
 */
export function keepNotesOf({ id, role }: { id: string; role: string }): void {
  const owner = readNote(device, NOTES_OWNER, text);
  if (owner !== null && owner !== id) {
    const keys = keysOf(device).filter((key) => key.startsWith(undeliveredKey('')));
    const ballots = keys.map((key) => [`${ownerOf(key)}_${key}`, readNote(device, key, object({}))] as const);
    // First, so that a full storage has space.
    forgetVoter();
    for (const [name, ballot] of ballots) {
      writeNote(device, `aside_${Date.now()}_${name}`, ballot);
    }
  }
  if (role === 'END_USER') {
    writeNote(device, NOTES_OWNER, id);
  }
  giveBack(id);
}

/** Gives a voter's ballots back. Those of others are deleted when they are old, or too many. */
function giveBack(id: string): void {
  const aside = keysOf(device).filter((key) => ASIDE.test(key));
  for (const [place, key] of aside.sort().reverse().entries()) {
    const [, at, owner, name] = ASIDE.exec(key) ?? [];
    if (owner === id) {
      const ballot = readNote(device, key, object({}));
      // First, so that a full storage has space.
      writeNote(device, key, null);
      writeNote(device, name ?? '', ballot);
    } else if (place >= ASIDE_LIMIT || Number(at) < Date.now() - ASIDE_MS) {
      writeNote(device, key, null);
    }
  }
}
