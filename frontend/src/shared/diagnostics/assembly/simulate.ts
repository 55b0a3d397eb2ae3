import type { Question, Result } from '../../../api/types';
import { measuredRoute } from '../parts/slowness';
import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import type { Finding } from '../run/finding';
import { timingOf } from '../run/statistics';
import type { SignedInVoter, TestMeeting, TestVoter } from '../run/test-world';
import { bodyOf, Unexpected } from '../run/unexpected';
import { type AgendaItem, CHOICE, ELECTION, RATING, SECRET, YES_OR_NO } from './agenda';
import { Mishaps } from './failures';
import { type AssemblyFigures, forecastFor, paceOf } from './measurements';
import { clearQuestion, openQuestion, sealingOf } from './organizing';
import { countedWeight, SimulatedVoters, type Voted } from './simulated-voters';
import { type MeetingWatch, type PresentationWatch, watchMeeting, watchPresentation } from './stream-watch';
import { tallyDifferences } from './tally';
import { judged } from './verdict';

export interface AssemblyPlan {
  /** The number of simulated voters. */
  voters: number;
  /** The number of people who may vote in the real meeting. */
  register: number;
}

const AGENDA = [YES_OR_NO, CHOICE, RATING, SECRET, ELECTION];
/** Each voter is created, signs in, opens the meeting, and votes on each question. */
const STEPS_OF_A_VOTER = 3 + AGENDA.length;
/** Different weights reveal a tally that confuses heads and weight. */
const WEIGHTS = [1, 1.5, 0.75, 2, 1.25];

/**
 * Simulates an assembly with this many test voters on this server. Judges whether an assembly of the size of the
 * register can be held on it. The `details` of the finding are `AssemblyFigures`.
 */
export async function simulateAssembly(run: Run, plan: AssemblyPlan): Promise<Finding> {
  const simulation = new Simulation(run, plan);
  try {
    return judged(await simulation.play());
  } finally {
    simulation.close();
  }
}

interface Screens {
  phone: MeetingWatch;
  presentation: PresentationWatch;
}

class Simulation {
  readonly #run: Run;
  readonly #plan: AssemblyPlan;
  readonly #mishaps = new Mishaps();
  readonly #differences: string[] = [];
  readonly #eventDelays: number[] = [];
  readonly #countDelays: number[] = [];
  readonly #voters: SimulatedVoters;
  readonly #screens: { close: () => void }[] = [];
  #done = 0;

  constructor(run: Run, plan: AssemblyPlan) {
    this.#run = run;
    this.#plan = plan;
    this.#voters = new SimulatedVoters(run, this.#mishaps, this.#differences);
  }

  close(): void {
    for (const screen of this.#screens) {
      screen.close();
    }
  }

  async play(): Promise<AssemblyFigures> {
    const { voters: number, register } = this.#plan;
    this.#reportProgress('Measuring the connection to the server and its database');
    const route = await measuredRoute(this.#run.own);
    const voters = await this.#makeVoters(number);
    const meeting = await this.#run.world.addMeeting(
      voters,
      AGENDA.map(({ question }) => question),
    );
    const organizer = await this.#run.world.organizer();
    bodyOf(await organizer.post(`/client/meetings/${meeting.id}/start`), 200);
    const { members, pace: signIn } = await this.#voters.signIn(
      voters,
      this.#each(`Signing in ${number} voters`),
    );
    const load = await this.#voters.load(members, meeting.id, this.#each('All voters open the meeting'));
    const rounds = members.length > 0 ? await this.#voteOnAll(meeting, organizer, voters, members) : [];
    const vote = paceOf(
      rounds.flatMap(({ times }) => times),
      rounds.reduce((sum, { pace }) => sum + pace.failed, 0),
      rounds.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    );
    return {
      voters: number,
      register,
      signIn,
      load,
      vote,
      event: timingOf(this.#eventDelays),
      count: timingOf(this.#countDelays),
      roundTripMs: route.healthMs,
      databaseMs: route.databaseMs,
      votesSent: rounds.reduce((sum, { sent }) => sum + sent.length, 0),
      votesCounted: rounds.reduce((sum, { counted }) => sum + counted, 0),
      differences: [...new Set(this.#differences)],
      serverErrors: this.#mishaps.serverErrors,
      failures: this.#mishaps.others,
      forecast: forecastFor(register, signIn, vote),
    };
  }

  async #makeVoters(number: number): Promise<TestVoter[]> {
    const doing = `Creating ${number} test voters`;
    this.#reportProgress(doing);
    return this.#run.world.addVoters(
      number,
      (index) => WEIGHTS[index % WEIGHTS.length] ?? 1,
      this.#each(doing),
    );
  }

  async #voteOnAll(
    meeting: TestMeeting,
    organizer: Caller,
    voters: TestVoter[],
    members: SignedInVoter[],
  ): Promise<(Voted & { counted: number })[]> {
    const screens = await this.#openScreens(meeting.id, members);
    const rounds: (Voted & { counted: number })[] = [];
    for (const [index, item] of AGENDA.entries()) {
      const question = meeting.questions[index];
      if (!question) {
        throw new Unexpected('The agenda is shorter than it was made');
      }
      const doing = `Question ${index + 1} of ${AGENDA.length}: all voters vote`;
      const round = await this.#voteOn(question, item, organizer, members, screens, doing);
      const result = await this.#resultOf(organizer, question.meetingId, round.roundId);
      const register = voters.map((voter) => ({ weight: countedWeight(item, voter) }));
      this.#differences.push(...tallyDifferences(result, register, round.sent));
      rounds.push({ ...round, counted: result.votesCast.heads });
    }
    return rounds;
  }

  async #openScreens(meetingId: string, members: SignedInVoter[]): Promise<Screens> {
    const [lead] = members;
    if (!lead) {
      throw new Unexpected('No voter could sign in');
    }
    const { signal } = this.#run;
    const phone = await watchMeeting("a voter's phone", meetingId, lead.caller, signal);
    this.#screens.push(phone);
    const presentation = watchPresentation('the presentation', meetingId, lead.caller, signal);
    this.#screens.push(presentation);
    for (const screen of [phone, presentation]) {
      await screen.until('the current state of the meeting', 0, ({ type }) => type === 'connected');
    }
    return { phone, presentation };
  }

  async #voteOn(
    question: Question,
    item: AgendaItem,
    organizer: Caller,
    members: SignedInVoter[],
    { phone, presentation }: Screens,
    doing: string,
  ): Promise<Voted & { roundId: string }> {
    const { meetingId, questionText } = question;
    const since = performance.now();
    const { roundId } = await openQuestion(organizer, meetingId, question.id);
    const opened = `that “${questionText}” was opened`;
    await this.#reach(this.#eventDelays, since, [
      phone.until(opened, since, ({ state }) => state.currentQuestion?.roundId === roundId),
      presentation.until(opened, since, ({ state }) => state.currentQuestion?.questionText === questionText),
    ]);
    const isSecret = item.question.secrecy === 'secret';
    const sealing = isSecret ? await sealingOf(organizer, meetingId) : null;
    const voted = await this.#voters.vote(
      members,
      { meetingId, questionId: question.id, roundId, sealing },
      item,
      this.#each(doing),
    );
    await this.#expectCount(voted, phone, presentation, since);
    const ending = performance.now();
    await clearQuestion(organizer, meetingId);
    const ended = `that voting on “${questionText}” has ended`;
    await this.#reach(this.#eventDelays, ending, [
      phone.until(ended, ending, ({ state }) => state.currentQuestion === null),
      presentation.until(ended, ending, ({ state }) => state.currentQuestion === null),
    ]);
    return { ...voted, roundId };
  }

  async #expectCount(
    { sent, lastAt }: Voted,
    phone: MeetingWatch,
    presentation: PresentationWatch,
    since: number,
  ): Promise<void> {
    const what = `of all ${sent.length} votes`;
    await this.#reach(this.#countDelays, lastAt, [
      phone.until(what, since, ({ state }) => state.voteCount >= sent.length),
      presentation.until(what, since, ({ state }) => state.voteCount >= sent.length),
    ]);
  }

  /** Waits until each screen has received an event. Records the delay, or that the event did not arrive. */
  async #reach(delays: number[], since: number, hearing: Promise<{ at: number }>[]): Promise<void> {
    for (const outcome of await Promise.allSettled(hearing)) {
      if (outcome.status === 'fulfilled') {
        delays.push(Math.max(0, outcome.value.at - since));
      } else if (outcome.reason instanceof Unexpected) {
        this.#differences.push(`${outcome.reason.message}.`);
      } else {
        throw outcome.reason;
      }
    }
  }

  async #resultOf(organizer: Caller, meetingId: string, roundId: string): Promise<Result> {
    const path = `/client/meetings/${meetingId}/rounds/${roundId}/count?acceptRisk=true`;
    return bodyOf<Result>(await organizer.post(path), 200);
  }

  #each(doing: string): () => void {
    return () => {
      this.#done += 1;
      this.#reportProgress(doing);
    };
  }

  #reportProgress(doing: string): void {
    this.#run.progress(this.#done, this.#plan.voters * STEPS_OF_A_VOTER, doing);
  }
}
