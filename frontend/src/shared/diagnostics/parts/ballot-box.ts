import { type Ballot, handIn } from '../assembly/cast-vote';
import type { SentVote } from '../assembly/tally';
import type { Answer } from '../run/answer';
import type { Run } from '../run/diagnostic';
import { several } from '../run/several';
import type { SignedInVoter } from '../run/test-world';
import { bodyOf } from '../run/unexpected';

interface Handed {
  voter: SignedInVoter;
  ballot: Ballot;
  answers: string[];
}

const AT_ONCE = 4;

/** Records the votes that a test submits: the accepted ones, and those without a clear answer. */
export class BallotBox {
  readonly #run: Run;
  readonly #taken: (SentVote & { roundId: string })[] = [];
  readonly #unknown: Handed[] = [];

  constructor(run: Run) {
    this.#run = run;
  }

  takenIn(roundId: string): SentVote[] {
    return this.#taken.filter((vote) => vote.roundId === roundId);
  }

  async handIn(voter: SignedInVoter, ballot: Ballot, answers: string[]): Promise<Answer> {
    const handed = { voter, ballot, answers };
    const answer = await handIn(voter.caller, ballot, answers).catch((error: unknown) => {
      this.#unknown.push(handed);
      throw error;
    });
    if (answer.status === 201) {
      this.#take(handed, answer);
    } else if (answer.status >= 500) {
      this.#unknown.push(handed);
    }
    return answer;
  }

  /**
   * Submits each vote without a clear answer once more, as voters' phones do. The server then counts it exactly once.
   */
  async settle(): Promise<void> {
    await several(this.#unknown.splice(0), AT_ONCE, async (handed) => {
      const answer = await handIn(handed.voter.caller, handed.ballot, handed.answers);
      bodyOf(answer, 201);
      this.#take(handed, answer);
    });
  }

  #take({ voter, ballot, answers }: Handed, answer: Answer): void {
    const { vote } = (answer.body ?? {}) as { vote?: { id: string } };
    if (vote?.id) {
      this.#run.world.noteVote(vote.id);
    }
    this.#taken.push({ answers, weight: voter.voter.weight, roundId: ballot.roundId });
  }
}
