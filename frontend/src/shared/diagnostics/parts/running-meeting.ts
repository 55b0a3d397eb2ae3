import type { Question, Result } from '../../../api/types';
import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import { several } from '../run/several';
import type { SignedInVoter, TestVoter } from '../run/test-world';
import { bodyOf } from '../run/unexpected';

/** Each sign-in hashes a password. */
const SIGN_INS_AT_ONCE = 4;

export const OPTIONS = ['Yes', 'No', 'Abstain'];

/** A test meeting that has been started. */
export interface RunningMeeting {
  id: string;
  questions: Question[];
  organizer: Caller;
}

export interface RunningMeetingWithVoters extends RunningMeeting {
  voters: SignedInVoter[];
}

/** Starts a meeting with YES_NO questions of these texts, for these voters alone. */
export async function startMeeting(run: Run, voters: TestVoter[], texts: string[]): Promise<RunningMeeting> {
  const organizer = await run.world.organizer();
  const questions = texts.map((questionText) => ({
    questionText,
    questionType: 'YES_NO' as const,
    options: OPTIONS,
  }));
  const meeting = await run.world.addMeeting(voters, questions);
  bodyOf(await organizer.post(`/client/meetings/${meeting.id}/start`), 200);
  return { id: meeting.id, questions: meeting.questions, organizer };
}

/** Starts such a meeting with this many new voters who have signed in. */
export async function startMeetingWithVoters(
  run: Run,
  number: number,
  texts: string[],
  weightOf?: (index: number) => number,
): Promise<RunningMeetingWithVoters> {
  const added = await run.world.addVoters(number, weightOf);
  const meeting = await startMeeting(run, added, texts);
  const voters = await several(added, SIGN_INS_AT_ONCE, async (voter) => ({
    voter,
    caller: await run.world.signInVoter(voter),
  }));
  return { ...meeting, voters };
}

/** Counts a round that has ended, and returns its result. */
export async function resultOf(meeting: RunningMeeting, roundId: string): Promise<Result> {
  return bodyOf<Result>(
    await meeting.organizer.post(`/client/meetings/${meeting.id}/rounds/${roundId}/count`),
    200,
  );
}
