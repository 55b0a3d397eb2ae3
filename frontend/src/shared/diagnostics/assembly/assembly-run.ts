import type { Question, Result } from '../../../api/types';
import type { Versioned } from '../../live/live-connection';
import type { LiveState, PresentationState } from '../../live/live-events';
import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import { several } from '../run/several';
import type { SignedInVoter, TestMeeting, TestVoter } from '../run/test-world';
import { bodyOf, Unexpected } from '../run/unexpected';
import { type AgendaItem, wordsOf } from './agenda';
import { castVote } from './cast-vote';
import { clearQuestion, openQuestion } from './organizing';
import {
  countDifferences,
  orderDifferences,
  presentationDifferences,
  shownDifferences,
} from './snapshot-differences';
import {
  type MeetingWatch,
  type PresentationWatch,
  type StreamWatch,
  watchMeeting,
  watchPresentation,
} from './stream-watch';
import { outcomeByWeight, type SentVote, tallyDifferences } from './tally';

/** A browser opens at most six connections to one server, and three of them are streams. */
const AT_ONCE = 3;
/** The number of votes before one of the voters loses the connection. */
const VOTES_BEFORE_BREAK = 3;

/** A question while it is voted on. */
interface Scene {
  question: Question;
  item: AgendaItem;
  roundId: string;
  /** The voter whose phone holds a stream. */
  lead: SignedInVoter;
  /** The votes that the server accepted, by the voter's id. */
  sent: Map<string, SentVote>;
}

export interface HallReport {
  /** The differences from the expected course, a sentence each. */
  problems: string[];
  gaps: string[];
  /** The milliseconds from the organizer's request to the event, on each screen. */
  delays: number[];
  votes: number;
}

/** A meeting with an organizer's screen, the presentation and the phones of a few voters, one of them on a stream. */
export class AssemblyRun {
  readonly #run: Run;
  readonly #meeting: TestMeeting;
  readonly #agenda: AgendaItem[];
  readonly #organizer: Caller;
  readonly #voters: SignedInVoter[];
  readonly #control: MeetingWatch;
  readonly #presentation: PresentationWatch;
  readonly #phones: MeetingWatch[] = [];
  readonly #problems: string[] = [];
  readonly #delays: number[] = [];
  #votes = 0;
  #played = 0;

  /** Signs the voters in and opens the streams of the organizer and of the presentation. */
  static async open(
    run: Run,
    meeting: TestMeeting,
    agenda: AgendaItem[],
    voters: TestVoter[],
  ): Promise<AssemblyRun> {
    const signedIn = await several(voters, AT_ONCE, async (voter) => ({
      voter,
      caller: await run.world.signInVoter(voter),
    }));
    const organizer = await run.world.organizer();
    const control = await watchMeeting("the organizer's screen", meeting.id, organizer, run.signal);
    const presentation = watchPresentation('the presentation', meeting.id, organizer, run.signal);
    return new AssemblyRun(run, meeting, agenda, organizer, signedIn, control, presentation);
  }

  constructor(
    run: Run,
    meeting: TestMeeting,
    agenda: AgendaItem[],
    organizer: Caller,
    signedIn: SignedInVoter[],
    control: MeetingWatch,
    presentation: PresentationWatch,
  ) {
    this.#run = run;
    this.#meeting = meeting;
    this.#agenda = agenda;
    this.#organizer = organizer;
    this.#voters = signedIn;
    this.#control = control;
    this.#presentation = presentation;
  }

  close(): void {
    for (const watch of [this.#control, this.#presentation, ...this.#phones]) {
      watch.close();
    }
  }

  report(): HallReport {
    const watches = [this.#control, this.#presentation, ...this.#phones];
    const steady = [this.#control, this.#presentation].flatMap(({ who, received, gaps }) => [
      // After a gap, the order cannot be compared: the screen did not receive all events.
      ...(gaps.length === 0
        ? orderDifferences(
            who,
            received.map(({ type }) => type),
            this.#played,
          )
        : []),
      ...countDifferences(who, received, this.#voters.length),
    ]);
    return {
      problems: [...this.#problems, ...watches.flatMap(({ unreadable }) => unreadable), ...steady],
      gaps: watches.flatMap(({ gaps }) => gaps),
      delays: this.#delays,
      votes: this.#votes,
    };
  }

  async start(): Promise<void> {
    for (const watch of [this.#control, this.#presentation]) {
      await watch.until('the current state of the meeting', 0, ({ type }) => type === 'connected');
    }
    await this.#changeStatus('start', 'ACTIVE');
  }

  end(): Promise<void> {
    return this.#changeStatus('end', 'COMPLETED');
  }

  async #changeStatus(step: 'start' | 'end', status: LiveState['status']): Promise<void> {
    const since = performance.now();
    bodyOf(await this.#organizer.post(`/client/meetings/${this.#meeting.id}/${step}`), 200);
    const isSo = (state: { status: string }) => state.status === status;
    await Promise.all([
      this.#reaches(this.#control, `that the meeting is ${status}`, since, isSo),
      this.#reaches(this.#presentation, `that the meeting is ${status}`, since, isSo),
    ]);
  }

  /** Opens the question at this position of the agenda, lets everybody vote, ends it, compares and declares. */
  async play(index: number): Promise<void> {
    const question = this.#meeting.questions[index];
    const item = this.#agenda[index];
    const lead = this.#voters[index % this.#voters.length];
    if (!question || !item || !lead) {
      throw new Unexpected('The agenda is shorter than it was made');
    }
    const phone = await this.#connect(lead);
    const scene = await this.#openOn(phone, { question, item, lead });
    const [first, rest] = this.#turns(index, lead);
    await this.#vote(scene, first);
    await this.#expectEachVoted(scene);
    phone.close();
    const again = await this.#reconnect(scene);
    const since = performance.now();
    await this.#vote(scene, rest);
    await this.#expectCounted(again, scene, since, performance.now());
    await this.#clear(again, scene);
    await this.#compare(scene);
    await this.#declare(again, scene);
    again.close();
    this.#played += 1;
  }

  async #connect({ caller, voter }: SignedInVoter): Promise<MeetingWatch> {
    const phone = await watchMeeting(
      `the phone of ${voter.name}`,
      this.#meeting.id,
      caller,
      this.#run.signal,
    );
    this.#phones.push(phone);
    return phone;
  }

  async #openOn(phone: MeetingWatch, wanted: Pick<Scene, 'question' | 'item' | 'lead'>): Promise<Scene> {
    const start = await phone.until(
      'the current state of the meeting',
      0,
      ({ type }) => type === 'connected',
    );
    this.#expect(
      start.state.currentQuestion === null,
      `${phone.who} showed a question before one was opened.`,
    );
    await this.#control.until('that a voter is connected', 0, ({ state }) => state.participantCount > 0);
    const since = performance.now();
    const { roundId } = await openQuestion(this.#organizer, this.#meeting.id, wanted.question.id);
    const what = `that “${wanted.question.questionText}” was opened`;
    const isHere = ({ currentQuestion }: LiveState) => currentQuestion?.roundId === roundId;
    const [control, presentation, hand] = await Promise.all([
      this.#reaches(this.#control, what, since, isHere),
      this.#reaches(
        this.#presentation,
        what,
        since,
        (state) => isOnPresentation(state, wanted.question) && state.currentQuestion?.isOpen === true,
      ),
      this.#reaches(phone, what, since, isHere),
    ]);
    this.#expectShown(wanted.question, control, presentation, hand, phone.who);
    return { ...wanted, roundId, sent: new Map() };
  }

  #expectShown(
    question: Question,
    control: LiveState,
    presentation: PresentationState,
    hand: LiveState,
    whose: string,
  ): void {
    this.#problems.push(
      ...shownDifferences(this.#control.who, control.currentQuestion, question),
      ...presentationDifferences(this.#presentation.who, presentation.currentQuestion, question),
      ...shownDifferences(whose, hand.currentQuestion, question),
    );
    this.#expect(
      hand.currentQuestion?.hasVoted === false,
      `${whose} showed its voter as having voted too early.`,
    );
    for (const [who, state] of [
      [this.#control.who, control],
      [this.#presentation.who, presentation],
      [whose, hand],
    ] as const) {
      this.#expect(
        state.registerSize === this.#voters.length,
        `${who} showed ${state.registerSize} eligible voters instead of ${this.#voters.length}.`,
      );
    }
  }

  /** The voters before the break and after it. On every second question one voter does not vote at all. */
  #turns(index: number, lead: SignedInVoter): [SignedInVoter[], SignedInVoter[]] {
    const others = this.#voters.filter((participant) => participant !== lead);
    const voting = index % 2 === 1 ? others.slice(0, -1) : others;
    const cut = VOTES_BEFORE_BREAK - 1;
    return [[lead, ...voting.slice(0, cut)], voting.slice(cut)];
  }

  async #vote(scene: Scene, signedIn: SignedInVoter[]): Promise<void> {
    const ballot = { meetingId: this.#meeting.id, questionId: scene.question.id, roundId: scene.roundId };
    await several(signedIn, AT_ONCE, async ({ voter, caller }) => {
      const answers = scene.item.answersOf(
        this.#voters.findIndex((participant) => participant.voter === voter),
      );
      const words = wordsOf(scene.item, answers);
      await castVote(this.#run.world, caller, ballot, answers, words);
      scene.sent.set(voter.id, { answers: words, weight: voter.weight });
      this.#votes += 1;
    });
  }

  /** Checks that every phone knows whether its own voter has voted. */
  async #expectEachVoted(scene: Scene): Promise<void> {
    await several(this.#voters, AT_ONCE, async ({ voter, caller }) => {
      const state = bodyOf<LiveState>(await caller.get(`/sse/meetings/${this.#meeting.id}/state`), 200);
      this.#expectVoted(`The phone of ${voter.name}`, state, scene, voter);
    });
  }

  #expectVoted(
    who: string,
    { currentQuestion }: LiveState,
    { sent, roundId }: Scene,
    voter: TestVoter,
  ): void {
    const has = sent.has(voter.id) ? 'has' : 'has not';
    this.#expect(
      currentQuestion?.roundId === roundId && currentQuestion.hasVoted === sent.has(voter.id),
      `${who} did not show that its voter ${has} voted.`,
    );
  }

  async #reconnect(scene: Scene): Promise<MeetingWatch> {
    const since = performance.now();
    const phone = await this.#connect(scene.lead);
    const { state } = await phone.until(
      'the current state of the meeting',
      0,
      ({ type }) => type === 'connected',
    );
    this.#problems.push(...shownDifferences(phone.who, state.currentQuestion, scene.question));
    this.#expectVoted(
      `After a new connection the phone of ${scene.lead.voter.name}`,
      state,
      scene,
      scene.lead.voter,
    );
    await this.#expectCounted(phone, scene, 0, since);
    return phone;
  }

  /** A count may arrive before the answer to the last vote. It is late only if it arrives after that answer. */
  async #expectCounted(
    phone: MeetingWatch,
    { sent, question, roundId }: Scene,
    since: number,
    votedAt: number,
  ): Promise<void> {
    const what = `of all ${sent.size} votes on “${question.questionText}”`;
    const isAll = ({ currentQuestion, voteCount }: LiveState) =>
      currentQuestion?.roundId === roundId && voteCount >= sent.size;
    const isAllOnPresentation = (state: PresentationState) =>
      isOnPresentation(state, question) && state.voteCount >= sent.size;
    const shown = await Promise.all([
      this.#reaches(this.#control, what, since, isAll, votedAt),
      this.#reaches(phone, what, since, isAll, votedAt),
      this.#reaches(this.#presentation, what, since, isAllOnPresentation, votedAt),
    ]);
    for (const { voteCount } of shown) {
      this.#expect(
        voteCount === sent.size,
        `A screen counted ${voteCount} votes on “${question.questionText}” instead of ${sent.size}.`,
      );
    }
  }

  async #clear(phone: MeetingWatch, { question }: Scene): Promise<void> {
    const what = `that voting on “${question.questionText}” has ended`;
    const since = performance.now();
    await clearQuestion(this.#organizer, this.#meeting.id);
    const isEmpty = ({ currentQuestion }: { currentQuestion: unknown }) => currentQuestion === null;
    await Promise.all([
      this.#reaches(this.#control, what, since, isEmpty),
      this.#reaches(this.#presentation, what, since, isEmpty),
      this.#reaches(phone, what, since, isEmpty),
    ]);
  }

  async #compare({ roundId, item, sent, question }: Scene): Promise<void> {
    const votes = [...sent.values()];
    const answer = await this.#organizer.post(`/client/meetings/${this.#meeting.id}/rounds/${roundId}/count`);
    const result = bodyOf<Result>(answer, 200);
    const register = this.#voters.map(({ voter }) => voter);
    this.#problems.push(...tallyDifferences(result, register, votes));
    if (item.question.questionType === 'YES_NO' && item.question.decisionRule) {
      const outcome = outcomeByWeight(votes);
      this.#expect(
        result.decision.outcome === outcome,
        `“${question.questionText}” was ${result.decision.outcome} instead of ${outcome}.`,
      );
    }
  }

  async #declare(phone: MeetingWatch, { roundId, question }: Scene): Promise<void> {
    const since = performance.now();
    bodyOf(await this.#organizer.post(`/client/meetings/${this.#meeting.id}/rounds/${roundId}/declare`), 200);
    const what = `that the result of “${question.questionText}” was declared`;
    await Promise.all(
      [this.#control, this.#presentation, phone].map(async (watch) => {
        const { at } = await watch.until(what, since, ({ type }) => type === 'result_declared');
        this.#delays.push(at - since);
      }),
    );
  }

  /** Waits until a screen shows the change that a request made at `since`, and records the delay. */
  async #reaches<State extends Versioned>(
    watch: StreamWatch<State>,
    what: string,
    since: number,
    isSo: (state: State) => boolean,
    from = since,
  ): Promise<State> {
    const { state, at } = await watch.until(what, since, (received) => isSo(received.state));
    this.#delays.push(Math.max(0, at - from));
    return state;
  }

  #expect(isSo: boolean, otherwise: string): void {
    if (!isSo) {
      this.#problems.push(otherwise.charAt(0).toUpperCase() + otherwise.slice(1));
    }
  }
}

function isOnPresentation({ currentQuestion }: PresentationState, { questionText }: Question): boolean {
  return currentQuestion?.questionText === questionText;
}
