import type { Meeting, Question, Result, VoterMeetingSummary, VoterResult } from '../../../api/types';
import type { Answer } from '../run/answer';
import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import { hold, refused, same } from '../run/expect';
import { several } from '../run/several';
import type { SignedInVoter, TestMeeting } from '../run/test-world';
import { bodyOf, Unexpected } from '../run/unexpected';
import { type AgendaItem, CHOICE, YES_OR_NO } from './agenda';
import { type Ballot, castVote, handIn } from './cast-vote';
import { beginRevote, clearQuestion, openQuestion } from './organizing';
import { outcomeByWeight, type SentVote, tallyDifferences } from './tally';

/**
 * By weight, the first voter outweighs the second; by heads, they are even. A tally in the wrong unit would decide
 * otherwise.
 */
const WEIGHTS = [2.5, 1, 0.5];
const AT_ONCE = 3;

/**
 * A meeting of three voters that goes through its lifecycle step by step. Each step throws if the outcome is not the
 * expected one.
 */
export class Lifecycle {
  readonly #run: Run;
  readonly #organizer: Caller;
  readonly #meeting: TestMeeting;
  readonly #question: Question;
  readonly #path: string;
  readonly #voters: SignedInVoter[];
  #roundId = '';
  #sent: SentVote[] = [];

  static async make(run: Run): Promise<Lifecycle> {
    const voters = await run.world.addVoters(WEIGHTS.length, (index) => WEIGHTS[index] ?? 1);
    const meeting = await run.world.addMeeting(voters, [YES_OR_NO.question, CHOICE.question]);
    const signedIn = await several(voters, AT_ONCE, async (voter) => ({
      voter,
      caller: await run.world.signInVoter(voter),
    }));
    return new Lifecycle(run, await run.world.organizer(), meeting, signedIn);
  }

  constructor(run: Run, organizer: Caller, meeting: TestMeeting, signedIn: SignedInVoter[]) {
    const [question] = meeting.questions;
    if (!question) {
      throw new Unexpected('The meeting has no question');
    }
    this.#run = run;
    this.#organizer = organizer;
    this.#meeting = meeting;
    this.#question = question;
    this.#path = `/client/meetings/${meeting.id}`;
    this.#voters = signedIn;
  }

  async expectInvisible(): Promise<Answer> {
    const { caller } = this.#voter(0);
    hold(!(await this.#isListed(caller)), 'A voter sees a draft in the list of meetings');
    return refused(await caller.get(`/voting/meetings/${this.#meeting.id}`), 404, 'meeting_not_open_yet');
  }

  async tryToOpenTooEarly(): Promise<Answer[]> {
    const opening = { questionId: this.#question.id };
    return [
      refused(
        await this.#organizer.put(`${this.#path}/current-question`, opening),
        409,
        'meeting_not_active',
      ),
      refused(await this.#organizer.post(`${this.#path}/end`), 409, 'meeting_not_active'),
    ];
  }

  async schedule(): Promise<Answer> {
    const answer = await this.#organizer.put(this.#path, { status: 'SCHEDULED' });
    bodyOf(answer, 200);
    await this.#expectStatus('SCHEDULED');
    const isListed = await several(this.#voters, AT_ONCE, ({ caller }) => this.#isListed(caller));
    hold(
      isListed.every(Boolean),
      'An invited voter does not see the scheduled meeting in the list of meetings',
    );
    return answer;
  }

  async start(): Promise<Answer> {
    const answer = await this.#organizer.post(`${this.#path}/start`);
    bodyOf(answer, 200);
    const { startedAt } = await this.#expectStatus('ACTIVE');
    hold(startedAt !== null, 'The running meeting has no start time');
    return answer;
  }

  async tryToDelete(): Promise<Answer> {
    const answer = refused(await this.#organizer.delete(this.#path), 409, 'meeting_active');
    await this.#expectStatus('ACTIVE');
    return answer;
  }

  async open(): Promise<Answer> {
    const { step: before } = await this.#read();
    const { roundId } = await openQuestion(this.#organizer, this.#meeting.id, this.#question.id);
    this.#roundId = roundId;
    const { step: after } = await this.#read();
    hold(after > before, `The question was opened, and the step went from ${before} to ${after}`);
    const late = await this.#organizer.put(`${this.#path}/current-question?step=${before}`, {
      questionId: null,
    });
    refused(late, 409, 'stale_step');
    same('The step after a refused one', (await this.#read()).step, after);
    return late;
  }

  async vote(): Promise<Answer[]> {
    this.#sent = await this.#voteOf(this.#voters, YES_OR_NO);
    const path = `${this.#path}/rounds/${this.#roundId}/result`;
    return [
      refused(await this.#organizer.get(path), 409, 'round_still_open'),
      refused(
        await this.#organizer.post(`${this.#path}/rounds/${this.#roundId}/declare`),
        409,
        'round_still_open',
      ),
    ];
  }

  async clear(): Promise<Answer> {
    await clearQuestion(this.#organizer, this.#meeting.id);
    const { caller } = this.#voter(0);
    return this.#expectVoteRefused(caller);
  }

  async compare(): Promise<void> {
    await this.#expectTally(this.#roundId, this.#sent);
  }

  async declare(): Promise<Answer[]> {
    const declaring = await this.#organizer.post(`${this.#path}/rounds/${this.#roundId}/declare`);
    same('The status of the declared result', bodyOf<Result>(declaring, 200).status, 'DECLARED');
    const opening = { questionId: this.#question.id };
    const reopening = await this.#organizer.put(`${this.#path}/current-question`, opening);
    refused(reopening, 409, 'result_declared');
    await several(this.#voters, AT_ONCE, (participant) => this.#expectDeclaredTo(participant));
    return [declaring, reopening];
  }

  async revote(): Promise<Answer> {
    const first = this.#roundId;
    const firstVotes = this.#sent;
    const unreasoned = await this.#organizer.post(`${this.#path}/rounds`, { questionId: this.#question.id });
    refused(unreasoned, 422, 'invalid_input', ['reason']);
    const again = await beginRevote(
      this.#organizer,
      this.#meeting.id,
      this.#question.id,
      'Test of a re-vote',
    );
    hold(again.roundId !== first, 'The re-vote has the round of the first vote');
    this.#roundId = again.roundId;
    // One voter fewer, and the opposite answers, so that this vote cannot be confused with the first one.
    this.#sent = await this.#voteOf(this.#voters.slice(1), { ...YES_OR_NO, answersOf: () => ['No'] });
    await clearQuestion(this.#organizer, this.#meeting.id);
    const result = await this.#expectTally(this.#roundId, this.#sent);
    same('The number of the second round', result.number, 2);
    await this.#expectTally(first, firstVotes);
    return unreasoned;
  }

  async end(): Promise<Answer[]> {
    const other = this.#meeting.questions[1];
    await openQuestion(this.#organizer, this.#meeting.id, other?.id ?? this.#question.id);
    const ending = await this.#organizer.post(`${this.#path}/end`);
    bodyOf(ending, 200);
    const { endedAt } = await this.#expectStatus('COMPLETED');
    hold(endedAt !== null, 'The ended meeting has no end time');
    const { caller } = this.#voter(0);
    const voting = `/voting/meetings/${this.#meeting.id}/questions/${other?.id}/vote`;
    const vote = await caller.post(voting, { answers: ['Ada'] });
    this.#noteIfTaken(vote);
    const opening = await this.#organizer.put(`${this.#path}/current-question`, { questionId: other?.id });
    return [ending, refused(vote, 409, 'round_not_open'), refused(opening, 409, 'meeting_not_active')];
  }

  #voter(index: number): SignedInVoter {
    const participant = this.#voters[index];
    if (!participant) {
      throw new Unexpected('The meeting has too few voters');
    }
    return participant;
  }

  async #read(): Promise<Meeting> {
    return bodyOf<Meeting>(await this.#organizer.get(this.#path), 200);
  }

  async #expectStatus(status: Meeting['status']): Promise<Meeting> {
    const meeting = await this.#read();
    same('The status of the meeting', meeting.status, status);
    return meeting;
  }

  async #isListed(voter: Caller): Promise<boolean> {
    const answer = await voter.get('/voting/meetings');
    const { meetings } = bodyOf<{ meetings: VoterMeetingSummary[] }>(answer, 200);
    return meetings.some(({ id }) => id === this.#meeting.id);
  }

  get #ballot(): Ballot {
    return { meetingId: this.#meeting.id, questionId: this.#question.id, roundId: this.#roundId };
  }

  #voteOf(signedIn: SignedInVoter[], item: AgendaItem): Promise<SentVote[]> {
    return several(signedIn, AT_ONCE, async ({ voter, caller }, index) => {
      const answers = item.answersOf(index);
      await castVote(this.#run.world, caller, this.#ballot, answers);
      return { answers, weight: voter.weight };
    });
  }

  /** Other answers than before: the server answers an identical ballot with the existing vote. */
  async #expectVoteRefused(caller: Caller): Promise<Answer> {
    const answer = await handIn(caller, this.#ballot, ['Abstain']);
    this.#noteIfTaken(answer);
    hold(
      answer.status === 409,
      `A vote on a question that was cleared was answered with ${answer.status} instead of 409`,
      answer,
    );
    return answer;
  }

  #noteIfTaken({ status, body }: Answer): void {
    const id = (body as { vote?: { id?: string } } | undefined)?.vote?.id;
    if (status === 201 && id) {
      this.#run.world.noteVote(id);
    }
  }

  async #expectTally(roundId: string, sent: SentVote[]): Promise<Result> {
    const answer = await this.#organizer.post(`${this.#path}/rounds/${roundId}/count`);
    const result = bodyOf<Result>(answer, 200);
    const register = this.#voters.map(({ voter }) => voter);
    const differences = tallyDifferences(result, register, sent);
    hold(differences.length === 0, differences.join(' '), answer);
    same('The decision', result.decision.outcome, outcomeByWeight(sent));
    return result;
  }

  async #expectDeclaredTo({ voter, caller }: SignedInVoter): Promise<void> {
    const answer = await caller.get(`/voting/meetings/${this.#meeting.id}/results`);
    const results = bodyOf<VoterResult[]>(answer, 200);
    const shown = results.find(({ result }) => result?.roundId === this.#roundId);
    hold(shown !== undefined, `The declared result is not shown to ${voter.name}`, answer);
    const index = this.#voters.findIndex((participant) => participant.voter === voter);
    same(`The vote that is shown to ${voter.name}`, shown?.ownVote, YES_OR_NO.answersOf(index));
  }
}
