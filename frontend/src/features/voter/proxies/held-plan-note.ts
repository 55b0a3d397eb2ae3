import { listOf, nullable, object, shaped, text } from '../../../shared/shape';
import { EMPTY_PLAN, type Plan } from './people-groups';

/** The name begins like that of the draft of an own ballot, so that it is deleted together with it. */
const key = (meetingId: string) => `ballotDraft_held_${meetingId}`;

const shape = object({
  userId: text,
  roundId: nullable(text),
  answers: listOf(text),
  groups: listOf(object({ answers: listOf(text), people: listOf(text) })),
});

/** The answers of a holder that are not submitted yet; they survive a reload of the tab. */
export const heldPlanNote = {
  /** Only of this voter in this round. */
  read: (meetingId: string, userId: string, roundId: string | null): Plan => {
    try {
      const note = shaped(shape, JSON.parse(window.sessionStorage.getItem(key(meetingId)) ?? 'null'));
      return note?.userId === userId && note.roundId === roundId
        ? {
            answers: note.answers,
            groups: note.groups.map(({ answers, people }) => ({ answers, people: new Set(people) })),
          }
        : EMPTY_PLAN;
    } catch {
      return EMPTY_PLAN;
    }
  },

  save: (meetingId: string, userId: string, roundId: string | null, { answers, groups }: Plan) => {
    const plain = groups.map((group) => ({ answers: group.answers, people: [...group.people] }));
    try {
      window.sessionStorage.setItem(
        key(meetingId),
        JSON.stringify({ userId, roundId, answers, groups: plain }),
      );
    } catch {
      // Without storage the answers are kept as long as the page is open.
    }
  },

  remove: (meetingId: string) => {
    try {
      window.sessionStorage.removeItem(key(meetingId));
    } catch {
      // Nothing was kept.
    }
  },
};
