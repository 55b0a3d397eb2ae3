import { type Answer, sentenceOf } from './answer';
import type { Caller } from './caller';
import { several } from './several';
import { Unexpected } from './unexpected';

/** The ids of test data. */
export interface Leftovers {
  voteIds: string[];
  questionIds: string[];
  meetingIds: string[];
  endUserIds: string[];
  clientIds: string[];
}

export function noLeftovers(): Leftovers {
  return { voteIds: [], questionIds: [], meetingIds: [], endUserIds: [], clientIds: [] };
}

const AT_ONCE = 4;
/** A server that is busy, or briefly unreachable, is asked again. Otherwise test data would remain. */
const MAX_ATTEMPTS = 3;
const RETRY_AFTER_MS = 1_000;

/**
 * Deletes test data in the order of the specification: votes, questions, meetings (running ones are ended first), end
 * users, clients. It goes on if something cannot be deleted, because a later deletion often includes it: a question
 * with votes is deleted with its meeting. `own` is the person at the screen, `organizer` the administrator of the
 * client that owns the data. Returns a sentence for each row that remains.
 */
export async function removeAll(
  made: Leftovers,
  own: Caller,
  organizer: Caller,
  pause: (milliseconds: number) => Promise<void> = wait,
): Promise<string[]> {
  const isClientGoing = made.clientIds.length > 0;
  const kept: string[] = [];
  const removeEach = (ids: string[], goesOtherwise: boolean, remove: (id: string) => Promise<Answer>) =>
    several(ids, AT_ONCE, async (id) => {
      const reason = await reasonWhyKept(() => remove(id), pause);
      if (reason !== null && !goesOtherwise) {
        kept.push(reason);
      }
    });
  // A meeting includes its votes and questions; a client includes everything.
  await removeEach(made.voteIds, true, (id) => organizer.delete(`/votes/${id}`));
  await removeEach(made.questionIds, true, (id) => organizer.delete(`/client/questions/${id}`));
  await removeEach(made.meetingIds, isClientGoing, (id) => removeMeeting(organizer, id));
  await removeEach(made.endUserIds, isClientGoing, (id) => organizer.delete(`/client/end-users/${id}`));
  await removeEach(made.clientIds, false, (id) => own.delete(`/clients/${id}`));
  return kept;
}

/** A running meeting must be ended before it can be deleted. */
async function removeMeeting(organizer: Caller, id: string): Promise<Answer> {
  const answer = await organizer.delete(`/client/meetings/${id}`);
  if (answer.status !== 409) {
    return answer;
  }
  await organizer.post(`/client/meetings/${id}/end`);
  return organizer.delete(`/client/meetings/${id}`);
}

/** Returns the reason why the row remains. Null if it is deleted, now or earlier. */
async function reasonWhyKept(
  remove: () => Promise<Answer>,
  pause: (milliseconds: number) => Promise<void>,
): Promise<string | null> {
  let reason = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      const answer = await remove();
      if (answer.status < 300 || answer.status === 404) {
        return null;
      }
      reason = `${answer.call} answered ${answer.status}${sentenceOf(answer)}`;
      if (answer.status < 500) {
        return reason;
      }
    } catch (error) {
      if (!(error instanceof Unexpected)) {
        throw error;
      }
      reason = error.message;
    }
    if (attempt < MAX_ATTEMPTS) {
      await pause(RETRY_AFTER_MS);
    }
  }
  return reason;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
