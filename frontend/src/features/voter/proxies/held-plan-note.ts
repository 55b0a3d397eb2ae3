import { listOf, nullable, object, text } from '../../../shared/shape';
import { draftKey, readNote, tab, writeNote } from '../../../shared/storage';
import { EMPTY_PLAN, type Plan } from './people-groups';

/** The name begins like that of the draft of an own ballot, so that it is deleted together with it. */
const key = (meetingId: string) => draftKey(`held_${meetingId}`);

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
    const note = readNote(tab, key(meetingId), shape);
    if (note?.userId !== userId || note.roundId !== roundId) {
      return EMPTY_PLAN;
    }
    const groups = note.groups.map(({ answers, people }) => ({ answers, people: new Set(people) }));
    return { answers: note.answers, groups };
  },

  save: (meetingId: string, userId: string, roundId: string | null, { answers, groups }: Plan) => {
    const plain = groups.map((group) => ({ answers: group.answers, people: [...group.people] }));
    writeNote(tab, key(meetingId), { userId, roundId, answers, groups: plain });
  },

  remove: (meetingId: string) => writeNote(tab, key(meetingId), null),
};
