import { randomUuid } from '../../api/random-uuid';
import { flag, listOf, number, object, optional, type Shape, shaped, text } from '../shape';
import { readNote, writeNote } from '../storage';

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
  /** The account whose batch it is. Null where the key already belongs to one teller. */
  owner: string | null;
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

const ownerShape = object({ owner: optional(text) });

export function emptyDraft(round: { roundId: string; text: string }): PaperDraft {
  const { roundId, text: question } = round;
  return { id: randomUuid(), roundId, text: question, people: [], counts: [], isSending: false };
}

export const paperDraftNote = {
  /**
   * Only a batch of this account. The batch of another one is deleted, because it would be sent in the wrong name, and so is
   * one that cannot be read.
   */
  read: (place: DraftPlace): PaperDraft | null => {
    const stored = readNote(place.storage, place.key, object({}));
    const isOwn = (shaped(ownerShape, stored)?.owner ?? null) === place.owner;
    const draft = isOwn ? shaped(shape, stored) : null;
    if (draft === null) {
      paperDraftNote.remove(place);
    }
    return draft;
  },

  /** Returns whether the device keeps the batch with this id: its storage may be full. */
  save: (place: DraftPlace, draft: PaperDraft): boolean => {
    const { key, storage, owner } = place;
    writeNote(storage, key, owner === null ? draft : { ...draft, owner });
    return storedId(place) === draft.id;
  },

  /** Removes the batch; with an id only that one, because another tab may have begun the next. */
  remove: (place: DraftPlace, id?: string): void => {
    if (id === undefined || storedId(place) === id) {
      writeNote(place.storage, place.key, null);
    }
  },
};

function storedId({ key, storage }: DraftPlace): string | undefined {
  return readNote(storage, key, object({ id: text }))?.id;
}
