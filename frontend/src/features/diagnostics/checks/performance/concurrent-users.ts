import type { VoterMeeting, VoterMeetingSummary } from '../../../../api/types';
import type { Ballot } from '../../../../shared/diagnostics/assembly/cast-vote';
import { clearQuestion, openQuestion } from '../../../../shared/diagnostics/assembly/organizing';
import { tallyDifferences } from '../../../../shared/diagnostics/assembly/tally';
import { BallotBox } from '../../../../shared/diagnostics/parts/ballot-box';
import { problemIn, refusalIn } from '../../../../shared/diagnostics/parts/problems';
import {
  OPTIONS,
  type RunningMeeting,
  resultOf,
  startMeeting,
} from '../../../../shared/diagnostics/parts/running-meeting';
import type { Answer } from '../../../../shared/diagnostics/run/answer';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { type Timing, timingOf } from '../../../../shared/diagnostics/run/statistics';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import type { TestVoter } from '../../../../shared/diagnostics/run/test-world';

const USERS = 3;
const ACTIONS = 3;
/** The share of actions for amber, as in the specification. Green needs 95 %: of nine actions none may fail. */
const FAIR_SHARE = 0.8;
const WEIGHTS = [1, 2.5, 0.75];
const STEPS = 4;

/** The outcome of one action of one user. */
interface Action {
  user: number;
  action: string;
  /** The reason of a failure; null after a success. */
  problem: string | null;
  ms: number | null;
}

export const concurrentUsers: Diagnostic = {
  name: 'Concurrent User Test',
  about: `${USERS} test voters sign in at once and do ${ACTIONS} actions each; their votes must be counted exactly.`,
  run: actAtOnce,
};

async function actAtOnce(run: Run): Promise<Finding> {
  const steps = new Steps(run, STEPS);
  const voters = await steps.step('Creating test voters', () =>
    run.world.addVoters(USERS, (index) => WEIGHTS[index] ?? 1),
  );
  const { meeting, ballot } = await steps.step('Opening a question', async () => {
    const started = await startMeeting(run, voters, ['TEST_Does everyone vote at once?']);
    const questionId = started.questions[0]?.id ?? '';
    const { roundId } = await openQuestion(started.organizer, started.id, questionId);
    return { meeting: started, ballot: { meetingId: started.id, questionId, roundId } };
  });
  const box = new BallotBox(run);
  const actions = await steps.step(`${USERS} voters sign in and act at once`, () =>
    Promise.all(voters.map((voter, user) => actionsOf(run, voter, user, ballot, box))),
  );
  const differences = await steps.step('Comparing the tally', () => wrongTally(meeting, ballot, voters, box));
  return findingOf(actions.flat(), differences);
}

async function wrongTally(
  meeting: RunningMeeting,
  { roundId }: Ballot,
  voters: TestVoter[],
  box: BallotBox,
): Promise<string[]> {
  await box.settle();
  await clearQuestion(meeting.organizer, meeting.id);
  return tallyDifferences(await resultOf(meeting, roundId), voters, box.takenIn(roundId));
}

/** Without a sign-in, the following actions count as failed. */
async function actionsOf(
  run: Run,
  voter: TestVoter,
  user: number,
  ballot: Ballot,
  box: BallotBox,
): Promise<Action[]> {
  const number = user + 1;
  const answers = [OPTIONS[user] ?? 'Yes'];
  const start = performance.now();
  const signedIn = await run.world.signInVoter(voter).catch((error: unknown) => problemIn(error, run));
  const signIn = Math.round(performance.now() - start);
  if (typeof signedIn === 'string') {
    const problem = `could not sign in (${signedIn})`;
    return ['list the meetings', 'open the meeting', 'vote'].map((action) => ({
      user: number,
      action,
      problem,
      ms: null,
    }));
  }
  const acted = (action: string, call: Promise<Answer>, check: (answer: Answer) => string | null) =>
    call
      .then((answer) => ({ user: number, action, problem: check(answer), ms: answer.ms }))
      .catch((error: unknown) => ({ user: number, action, problem: problemIn(error, run), ms: null }));
  const actions = await Promise.all([
    acted('list the meetings', signedIn.get('/voting/meetings'), (answer) => isListed(answer, ballot)),
    acted('open the meeting', signedIn.get(`/voting/meetings/${ballot.meetingId}`), (answer) =>
      isOpen(answer, ballot),
    ),
    acted('vote', box.handIn({ voter, caller: signedIn }, ballot, answers), (answer) =>
      isStored(answer, answers),
    ),
  ]);
  return [{ user: number, action: 'sign in', problem: null, ms: signIn }, ...actions];
}

function isListed(answer: Answer, { meetingId }: Ballot): string | null {
  const { meetings = [] } = (answer.body ?? {}) as { meetings?: VoterMeetingSummary[] };
  const isThere = meetings.some(({ id, status }) => id === meetingId && status === 'ACTIVE');
  return refusalIn(answer, 200) ?? (isThere ? null : 'the running meeting is not in the list');
}

function isOpen(answer: Answer, { questionId, roundId }: Ballot): string | null {
  const { meeting } = (answer.body ?? {}) as { meeting?: VoterMeeting };
  const question = meeting?.questions.find(({ id }) => id === questionId);
  const isThere = question?.isActive && question.isInRegister && question.roundId === roundId;
  return refusalIn(answer, 200) ?? (isThere ? null : 'the open question is not there');
}

function isStored(answer: Answer, answers: string[]): string | null {
  const { vote } = (answer.body ?? {}) as { vote?: { answers: string[] } };
  const isSame = vote?.answers.join() === answers.join();
  return refusalIn(answer, 201) ?? (isSame ? null : `"${answers}" was stored as "${vote?.answers}"`);
}

function findingOf(all: Action[], differences: string[]): Finding {
  const actions = all.filter(({ action }) => action !== 'sign in');
  const failed = actions.filter(({ problem }) => problem !== null);
  const total = USERS * ACTIONS;
  const share = (total - failed.length) / total;
  const percent = Math.round(share * 1000) / 10;
  const details = {
    users: USERS,
    actionsPerUser: ACTIONS,
    succeeded: total - failed.length,
    successRatePercent: percent,
    signIns: timesOf(all.filter(({ action }) => action === 'sign in')),
    actions: timesOf(actions),
    failed,
    tallyDifferences: differences,
  };
  if (differences.length > 0) {
    return failure(
      `The tally does not match the votes sent: ${differences[0]} Do not vote on this installation.`,
      details,
    );
  }
  const [first] = failed;
  const rate = `${total - failed.length} of ${total} actions succeeded (${percent} %)`;
  if (!first) {
    const { p50, max } = details.actions;
    return success(
      `${rate}: ${USERS} users, ${ACTIONS} actions each, at once. Half of them took at most ${p50} ms, the slowest ${max} ms. The tally matches the votes sent exactly.`,
      details,
    );
  }
  const why = `${rate}. User ${first.user} could not ${first.action}: ${first.problem}.`;
  return share >= FAIR_SHARE
    ? warning(`${why} Run the test again; if it happens again, check the server log.`, details)
    : failure(`${why} People would be refused: check the server log.`, details);
}

function timesOf(actions: Action[]): Timing {
  return timingOf(actions.flatMap(({ ms }) => (ms === null ? [] : [ms])));
}
