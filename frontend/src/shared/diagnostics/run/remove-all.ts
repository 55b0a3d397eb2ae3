import { type Answer, sentenceOf } from './answer';
import type { Caller } from './caller';
import { several } from './several';
import { Unexpected } from './unexpected';

/** Test data by their ids. */
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
/** A server that is busy, or away for a moment, is asked again: else test data would stay. */
const MAX_ATTEMPTS = 3;
const RETRY_AFTER_MS = 1_000;

/**
 * Deletes test data in the order of the specification: votes, questions, meetings (those that run are ended first),
 * end users, clients. It goes on where something cannot be deleted, because what comes later often takes it along: a
 * question that has votes goes with its meeting. `own` is the person at the screen, `organizer` whoever administers the
 * organization of the data. Answers a sentence for each row that is still there.
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
  // Votes and questions go with their meeting, everything with its client.
  await removeEach(made.voteIds, true, (id) => organizer.delete(`/votes/${id}`));
  await removeEach(made.questionIds, true, (id) => organizer.delete(`/client/questions/${id}`));
  await removeEach(made.meetingIds, isClientGoing, (id) => removeMeeting(organizer, id));
  await removeEach(made.endUserIds, isClientGoing, (id) => organizer.delete(`/client/end-users/${id}`));
  await removeEach(made.clientIds, false, (id) => own.delete(`/clients/${id}`));
  return kept;
}

/** A meeting that runs cannot be deleted. */
async function removeMeeting(organizer: Caller, id: string): Promise<Answer> {
  const answer = await organizer.delete(`/client/meetings/${id}`);
  if (answer.status !== 409) {
    return answer;
  }
  await organizer.post(`/client/meetings/${id}/end`);
  return organizer.delete(`/client/meetings/${id}`);
}

/** Null when it is gone; what was gone already is as good as deleted. */
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
