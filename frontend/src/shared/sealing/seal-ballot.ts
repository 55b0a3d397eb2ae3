import { type Ballot, type BallotQuestion, toBallot } from '../ballot/ballot';
import { canSeal, fromBase64, receiptCode, type SealedAnswer, seal, toBase64 } from './sealing';

/**
 * The ballot with its envelope. It has no answers any more: the device repeats the envelope. Without WebCrypto it keeps
 * the answers, which the server seals on arrival.
 */
export async function sealBallot(
  question: BallotQuestion,
  answers: string[],
  voterId: string,
): Promise<Ballot> {
  const { sealing, roundId } = question;
  if (!canSeal()) {
    return { ...toBallot(question, answers), sealed: { envelope: null, receipt: null } };
  }
  if (sealing === null || roundId === null) {
    throw new Error('The question has no key.');
  }
  const envelope = await seal(sealedAnswer(question, answers), {
    roundId,
    voterId,
    publicKey: fromBase64(sealing.publicKey),
    size: sealing.size,
  });
  return {
    ...toBallot(question, []),
    sealed: { envelope: toBase64(envelope), receipt: await receiptCode(envelope) },
  };
}

function sealedAnswer({ type, options }: BallotQuestion, answers: string[]): SealedAnswer {
  const [only = ''] = answers;
  switch (type) {
    case 'TEXT':
      return { text: only };
    case 'ELECTION':
      return { text: answers.join(' ') };
    case 'RATING':
    case 'PERCENTAGE':
      return { number: only };
    default:
      return { options: answers.map((answer) => options.indexOf(answer) + 1) };
  }
}
