import type { Answer } from '../run/answer';
import type { Caller } from '../run/caller';
import { hold } from '../run/expect';
import type { TestWorld } from '../run/test-world';
import { bodyOf } from '../run/unexpected';

/** The place that a vote is cast in. */
export interface Ballot {
  meetingId: string;
  questionId: string;
  roundId: string;
}

interface VoteAnswer {
  vote: { id: string; answers: string[] };
}

/** The answers, or the envelope of a secret question. */
export type VoteBody = { answers: string[] } | { envelope: string };

export function handIn(voter: Caller, ballot: Ballot, answers: string[]): Promise<Answer> {
  return sendVote(voter, ballot, { answers });
}

export function sendVote(
  voter: Caller,
  { meetingId, questionId, roundId }: Ballot,
  body: VoteBody,
): Promise<Answer> {
  return voter.post(`/voting/meetings/${meetingId}/questions/${questionId}/vote`, { ...body, roundId });
}

/**
 * Records the accepted vote, so that it is deleted with the other test data. Throws `Unexpected` if the server stored
 * other answers.
 */
export function taken(world: TestWorld, answer: Answer, answers: string[]): string {
  const { vote } = bodyOf<VoteAnswer>(answer, 201);
  world.noteVote(vote.id);
  hold(
    JSON.stringify(vote.answers) === JSON.stringify(answers),
    `A vote for ${answers.join(', ')} was stored as ${vote.answers.join(', ')}`,
    answer,
  );
  return vote.id;
}

/** `words` are the answers as the server tells them. */
export async function castVote(
  world: TestWorld,
  voter: Caller,
  ballot: Ballot,
  answers: string[],
  words: string[] = answers,
): Promise<Answer> {
  const answer = await handIn(voter, ballot, answers);
  taken(world, answer, words);
  return answer;
}
