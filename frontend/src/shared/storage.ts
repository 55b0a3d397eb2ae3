import * as z from 'zod/mini';

/** The meeting that a person was invited to by link before signing in. Ends with the tab. */
const pendingMeetingSchema = z.object({
  meetingId: z.string(),
  linkToken: z.string(),
  meetingTitle: z.string(),
});

const answeredQuestionSchema = z.object({
  id: z.string(),
  text: z.string(),
  type: z.string(),
  userAnswers: z.array(z.string()),
  answeredAt: z.string(),
});

/** A ballot that the server has not answered yet; it outlives a reload. */
const undeliveredBallotSchema = z.object({
  userId: z.string(),
  questionId: z.string(),
  roundId: z.nullable(z.string()),
  text: z.string(),
  type: z.enum(['SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'RATING', 'TEXT', 'PERCENTAGE']),
  orderIndex: z.number(),
  answers: z.array(z.string()),
});

export type PendingMeeting = z.infer<typeof pendingMeetingSchema>;
export type AnsweredQuestion = z.infer<typeof answeredQuestionSchema>;
export type UndeliveredBallot = z.infer<typeof undeliveredBallotSchema>;

interface Parser<T> {
  safeParse: (value: unknown) => { data?: T | undefined };
}

/** Null also for what another version of the app wrote, and where the browser refuses storage. */
function read<T>(storage: () => Storage, key: string, schema: Parser<T>): T | null {
  try {
    const text = storage().getItem(key);
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    if (value === null) {
      storage().removeItem(key);
    } else {
      storage().setItem(key, JSON.stringify(value));
    }
  } catch {
    // Notes only: the server knows what counts.
  }
}

const tab = (): Storage => window.sessionStorage;
const device = (): Storage => window.localStorage;

const PENDING_MEETING = 'pendingMeeting';
const votedKey = (meetingId: string) => `votedQuestions_${meetingId}`;
const answeredKey = (meetingId: string) => `answeredQuestions_${meetingId}`;
const undeliveredKey = (meetingId: string) => `undeliveredBallot_${meetingId}`;

export const pendingMeetingNote = {
  read: () => read(tab, PENDING_MEETING, pendingMeetingSchema),
  save: (meeting: PendingMeeting) => write(tab, PENDING_MEETING, meeting),
  remove: () => write(tab, PENDING_MEETING, null),
};

/** What this device remembers of a voter's answers in a meeting. The server's word goes before it. */
export const voteNotes = {
  voted: (meetingId: string) => read(device, votedKey(meetingId), z.array(z.string())) ?? [],

  answered: (meetingId: string) =>
    read(device, answeredKey(meetingId), z.array(answeredQuestionSchema)) ?? [],

  add: (meetingId: string, answer: AnsweredQuestion) => {
    const voted = voteNotes.voted(meetingId).filter((id) => id !== answer.id);
    const answered = voteNotes.answered(meetingId).filter(({ id }) => id !== answer.id);
    write(device, votedKey(meetingId), [...voted, answer.id]);
    write(device, answeredKey(meetingId), [...answered, answer]);
  },

  clearAnswered: (meetingId: string) => write(device, answeredKey(meetingId), null),

  clear: (meetingId: string) => {
    write(device, votedKey(meetingId), null);
    write(device, answeredKey(meetingId), null);
  },
};

export const undeliveredBallotNote = {
  /** Of this voter only: phones are shared. */
  read: (meetingId: string, userId: string): UndeliveredBallot | null => {
    const ballot = read(device, undeliveredKey(meetingId), undeliveredBallotSchema);
    return ballot?.userId === userId ? ballot : null;
  },
  save: (meetingId: string, ballot: UndeliveredBallot) => write(device, undeliveredKey(meetingId), ballot),
  remove: (meetingId: string) => write(device, undeliveredKey(meetingId), null),
};

/** The next person on this device has no business with the last one's answers. */
export function forgetVoter(): void {
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (/^(votedQuestions|answeredQuestions)_/.test(key)) {
        window.localStorage.removeItem(key);
      }
    }
  } catch {
    // Nothing was kept where nothing can be read.
  }
}
