import { canSeal, fromBase64, receiptCode, seal, toBase64 } from '../../sealing/sealing';
import type { Ballot, VoteBody } from './cast-vote';
import type { Sealing } from './organizing';

/** Where a vote of a perhaps secret question is cast. */
export interface SealableBallot extends Ballot {
  sealing: Sealing;
}

/** The body of a vote, and what the server has to respond. */
export interface Paper {
  body: VoteBody;
  /** Without the answers of a sealed ballot. */
  expected: { answers: string[]; receipt: string | null };
}

/** The answers of a voter, and how the server tells them. */
interface Answers {
  answers: string[];
  words: string[];
}

/** The vote of a voter on one of these options, sealed as on a phone if the question is secret. */
export async function paperOf(
  { roundId, sealing }: SealableBallot,
  voterId: string,
  options: string[],
  { answers, words }: Answers,
): Promise<Paper> {
  if (!sealing || !canSeal()) {
    return { body: { answers }, expected: { answers: sealing ? [] : words, receipt: null } };
  }
  const envelope = await seal(
    { options: answers.map((answer) => options.indexOf(answer) + 1) },
    { roundId, voterId, publicKey: fromBase64(sealing.publicKey), size: sealing.size },
  );
  return {
    body: { envelope: toBase64(envelope) },
    expected: { answers: [], receipt: await receiptCode(envelope) },
  };
}
