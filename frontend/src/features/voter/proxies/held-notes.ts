import {
  flag,
  listOf,
  nullable,
  number,
  object,
  optional,
  type Shape,
  shaped,
  text,
} from '../../../shared/shape';
import { heldKey as key } from '../../../shared/storage';
import type { HeldBallots } from './held-delivery';

const shape: Shape<HeldBallots> = object({
  userId: text,
  questionId: text,
  roundId: text,
  orderIndex: optional(number),
  isSecret: optional(flag),
  summary: text,
  ballots: listOf(object({ for: text, name: text, answers: listOf(text), envelope: nullable(text) })),
  outcomes: listOf(
    object({ for: text, name: text, receipt: nullable(text), code: nullable(text), error: nullable(text) }),
  ),
});

/** The ballots of a holder without an outcome; they survive a reload. */
export const heldBallotsNote = {
  read: (meetingId: string, userId: string): HeldBallots | null => {
    try {
      const stored = window.localStorage.getItem(key(meetingId));
      const note = stored === null ? null : shaped(shape, JSON.parse(stored));
      return note?.userId === userId ? note : null;
    } catch {
      return null;
    }
  },

  save: (meetingId: string, ballots: HeldBallots | null) => {
    try {
      if (ballots === null) {
        window.localStorage.removeItem(key(meetingId));
      } else {
        window.localStorage.setItem(key(meetingId), JSON.stringify(ballots));
      }
    } catch {
      // Without storage the ballots are sent as long as the page is open.
    }
  },
};
