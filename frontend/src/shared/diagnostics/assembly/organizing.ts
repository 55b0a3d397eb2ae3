import type { components } from '../../../api/schema';
import type { LiveState } from '../../../api/types';
import type { Answer } from '../run/answer';
import type { Caller } from '../run/caller';
import { hold } from '../run/expect';
import { bodyOf } from '../run/unexpected';

type CurrentQuestion = components['schemas']['CurrentQuestionAnswer'];
export type Sealing = components['schemas']['Sealing'] | null;

/** The state of the meeting after a step of the organizer. */
export interface Stepped {
  step: number;
  /** The round that is open now; empty if none is open. */
  roundId: string;
  answer: Answer;
}

function steppedOf(answer: Answer, status: number): Stepped {
  const { step, currentQuestion } = bodyOf<CurrentQuestion>(answer, status);
  return { step, roundId: (currentQuestion?.isActive && currentQuestion.roundId) || '', answer };
}

/** Opens a question to the voters. Of a secret question it accepts that few votes can be inferred. */
export async function openQuestion(
  organizer: Caller,
  meetingId: string,
  questionId: string,
): Promise<Stepped> {
  const path = `/client/meetings/${meetingId}/current-question?acceptRisk=true`;
  const answer = await organizer.put(path, { questionId });
  const stepped = steppedOf(answer, 200);
  hold(stepped.roundId !== '', 'The question was opened, but the answer shows it as closed', answer);
  return stepped;
}

/** The key for the ballots of the open question; null unless it is secret. */
export async function sealingOf(organizer: Caller, meetingId: string): Promise<Sealing> {
  const answer = await organizer.get(`/sse/meetings/${meetingId}/state`);
  return bodyOf<LiveState>(answer, 200).currentQuestion?.sealing ?? null;
}

/** Takes the question off the screens, which ends its round. */
export async function clearQuestion(organizer: Caller, meetingId: string): Promise<Stepped> {
  const path = `/client/meetings/${meetingId}/current-question`;
  const stepped = steppedOf(await organizer.put(path, { questionId: null }), 200);
  hold(
    stepped.roundId === '',
    'The screen was cleared, but the answer shows an open question',
    stepped.answer,
  );
  return stepped;
}

export async function beginRevote(
  organizer: Caller,
  meetingId: string,
  questionId: string,
  reason: string,
): Promise<Stepped> {
  const answer = await organizer.post(`/client/meetings/${meetingId}/rounds`, { questionId, reason });
  const stepped = steppedOf(answer, 201);
  hold(stepped.roundId !== '', 'The re-vote was begun, but the answer shows it as closed', answer);
  return stepped;
}
