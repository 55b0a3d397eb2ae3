import type { components } from '../../../api/schema';
import type { Answer } from '../run/answer';
import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import { several } from '../run/several';
import type { SignedInVoter, TestVoter } from '../run/test-world';
import { Unexpected } from '../run/unexpected';
import { type AgendaItem, wordsOf } from './agenda';
import { sendVote } from './cast-vote';
import type { Mishaps } from './failures';
import { type Pace, paceOf } from './measurements';
import { type Paper, paperOf, type SealableBallot } from './paper';
import type { SentVote } from './tally';

type VoteAnswer = components['schemas']['VoteAnswer'];

/** The number of connections that a browser opens to one server. */
const CONNECTIONS = 6;
/** The number of connections left while two screens hold a stream. */
const CONNECTIONS_BESIDE_STREAMS = 4;
/** A phone submits a vote again if there was no response, or a server error. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 500;
/** Every fifth voter taps twice. */
const DOUBLE_EVERY = 5;

/** The outcome of a vote in which all voters submit as fast as possible. */
export interface Voted {
  pace: Pace;
  sent: SentVote[];
  /** The time of the response to the last vote, by `performance.now()`. */
  lastAt: number;
  times: number[];
  elapsedMs: number;
}

/** The voters of a simulated assembly. All of them do the same at once. The failure of one does not stop the others. */
export class SimulatedVoters {
  readonly #run: Run;
  readonly #mishaps: Mishaps;
  readonly #differences: string[];

  constructor(run: Run, mishaps: Mishaps, differences: string[]) {
    this.#run = run;
    this.#mishaps = mishaps;
    this.#differences = differences;
  }

  /** Returns the voters who signed in, in the order of the list. */
  async signIn(voters: TestVoter[], onEach: () => void): Promise<{ members: SignedInVoter[]; pace: Pace }> {
    const { clientCode } = await this.#run.world.organization();
    const times: number[] = [];
    const start = performance.now();
    const members = await several(voters, CONNECTIONS, async (voter) => {
      const body = { clientCode, username: voter.username, password: voter.password };
      const answer = await this.#attempt(() => this.#run.own.as(null).post('/auth/end-user/login', body));
      onEach();
      if (answer?.status !== 200) {
        this.#mishaps.note('Signing in', answer);
        return null;
      }
      times.push(answer.ms);
      return { voter, caller: this.#run.own.as({ token: (answer.body as { token: string }).token }) };
    });
    const pace = paceOf(times, voters.length - times.length, performance.now() - start);
    return { members: members.filter((member) => member !== null), pace };
  }

  /** Each voter finds the meeting in the list and opens it. */
  async load(members: SignedInVoter[], meetingId: string, onEach: () => void): Promise<Pace> {
    const times: number[] = [];
    const start = performance.now();
    await several(members, CONNECTIONS, async ({ caller }) => {
      const list = await this.#attempt(() => caller.get('/voting/meetings'));
      const meeting = await this.#attempt(() => caller.get(`/voting/meetings/${meetingId}`));
      onEach();
      const refused = [list, meeting].find((answer) => answer?.status !== 200);
      if (refused !== undefined) {
        this.#mishaps.note('Opening the meeting', refused);
        return;
      }
      times.push((list?.ms ?? 0) + (meeting?.ms ?? 0));
    });
    return paceOf(times, members.length - times.length, performance.now() - start);
  }

  async vote(
    members: SignedInVoter[],
    ballot: SealableBallot,
    item: AgendaItem,
    onEach: () => void,
  ): Promise<Voted> {
    const sent: SentVote[] = [];
    const times: number[] = [];
    const start = performance.now();
    let lastAt = start;
    await several(members, CONNECTIONS_BESIDE_STREAMS, async ({ voter, caller }, index) => {
      const answers = item.answersOf(index);
      const words = wordsOf(item, answers);
      const paper = await paperOf(ballot, voter.id, [item.question.options ?? []].flat(), { answers, words });
      const from = performance.now();
      const isTaken = await this.#handInUntilTaken(caller, ballot, paper, index % DOUBLE_EVERY === 0);
      onEach();
      if (isTaken) {
        lastAt = performance.now();
        times.push(lastAt - from);
        sent.push({ answers: words, weight: countedWeight(item, voter) });
      }
    });
    const elapsedMs = lastAt - start;
    return { pace: paceOf(times, members.length - times.length, elapsedMs), sent, lastAt, times, elapsedMs };
  }

  async #handInUntilTaken(
    caller: Caller,
    ballot: SealableBallot,
    paper: Paper,
    isDouble: boolean,
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const handed = await Promise.all(
        Array.from({ length: isDouble && attempt === 1 ? 2 : 1 }, () =>
          this.#attempt(() => sendVote(caller, ballot, paper.body)),
        ),
      );
      const ids = handed.flatMap((answer) => this.#takenId(answer, paper));
      if (new Set(ids).size > 1) {
        this.#differences.push('A vote that was sent twice at the same time was stored as two votes.');
      }
      if (ids.length > 0) {
        return true;
      }
      if (handed.every((answer) => answer !== null && answer.status < 500)) {
        return false;
      }
      await this.#run.pause(RETRY_MS);
    }
    return false;
  }

  /** The id of the accepted vote; empty if the server did not accept it. */
  #takenId(answer: Answer | null, { body, expected }: Paper): string[] {
    if (answer?.status !== 201) {
      this.#mishaps.note('Voting', answer);
      return [];
    }
    const { vote } = answer.body as VoteAnswer;
    this.#run.world.noteVote(vote.id);
    if (JSON.stringify(vote.answers) !== JSON.stringify(expected.answers)) {
      const wanted = expected.answers.join(', ');
      this.#differences.push(`A vote for ${wanted} was stored as ${vote.answers.join(', ')}.`);
    }
    if ('envelope' in body && vote.receipt !== expected.receipt) {
      this.#differences.push(
        `A sealed ballot got the receipt ${vote.receipt} instead of ${expected.receipt}.`,
      );
    }
    return [vote.id];
  }

  /** Returns null if there was no response. Stopping the test still ends the attempt. */
  async #attempt(call: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Unexpected) {
        return null;
      }
      throw error;
    }
  }
}

/** The weight with which the vote of this person counts. */
export function countedWeight({ question }: AgendaItem, { weight }: { weight: number }): number {
  return question.countsHeads ? 1 : weight;
}
