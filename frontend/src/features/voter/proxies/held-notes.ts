import { flag, listOf, nullable, number, object, optional, type Shape, text } from '../../../shared/shape';
import { device, heldKey as key, readNote, writeNote } from '../../../shared/storage';
import type { HeldBallots } from './held-delivery';

const shape: Shape<HeldBallots> = object({
  userId: text,
  questionId: text,
  roundId: text,
  orderIndex: optional(number),
  isSecret: optional(flag),
  summary: text,
  ballots: listOf(
    object({
      for: text,
      name: text,
      answers: listOf(text),
      envelope: nullable(text),
      receipt: optional(nullable(text)),
    }),
  ),
  outcomes: listOf(
    object({ for: text, name: text, receipt: nullable(text), code: nullable(text), error: nullable(text) }),
  ),
});

/** The ballots of a holder without an outcome; they survive a reload. */
export const heldBallotsNote = {
  read: (meetingId: string, userId: string): HeldBallots | null => {
    const note = readNote(device, key(meetingId), shape);
    return note?.userId === userId ? note : null;
  },

  save: (meetingId: string, ballots: HeldBallots | null) => writeNote(device, key(meetingId), ballots),
};
