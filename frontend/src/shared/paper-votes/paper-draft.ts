import { randomUuid } from '../../api/random-uuid';
import { flag, listOf, number, object, type Shape, shaped, text } from '../shape';

/** A person of a batch that is being entered. */
export interface DraftPerson {
  endUserId: string;
  name: string;
  username: string;
  weight: number;
  /** Empty where votes are not named. */
  answers: string[];
}

/** How many ballots have these answers, as typed. */
export interface DraftCount {
  answers: string[];
  number: string;
}

/** A batch that is being entered. */
export interface PaperDraft {
  /** The id of the batch. A repeat with it is the same batch. */
  id: string;
  roundId: string;
  /** The question. */
  text: string;
  people: DraftPerson[];
  /** Only where votes are not named. */
  counts: DraftCount[];
  /** It is being sent, and does not change until the server has answered. */
  isSending: boolean;
}

/** Where a device keeps its batch. */
export interface DraftPlace {
  key: string;
  storage: () => Storage;
}

const shape: Shape<PaperDraft> = object({
  id: text,
  roundId: text,
  text: text,
  people: listOf(
    object({ endUserId: text, name: text, username: text, weight: number, answers: listOf(text) }),
  ),
  counts: listOf(object({ answers: listOf(text), number: text })),
  isSending: flag,
});

export function emptyDraft(round: { roundId: string; text: string }): PaperDraft {
  const { roundId, text: question } = round;
  return { id: randomUuid(), roundId, text: question, people: [], counts: [], isSending: false };
}

export const paperDraftNote = {
  read: ({ key, storage }: DraftPlace): PaperDraft | null => {
    try {
      const stored = storage().getItem(key);
      return stored === null ? null : shaped(shape, JSON.parse(stored));
    } catch {
      return null;
    }
  },

  save: ({ key, storage }: DraftPlace, draft: PaperDraft | null): void => {
    try {
      if (draft === null) {
        storage().removeItem(key);
      } else {
        storage().setItem(key, JSON.stringify(draft));
      }
    } catch {
      // A device without storage keeps the batch in memory.
    }
  },
};
