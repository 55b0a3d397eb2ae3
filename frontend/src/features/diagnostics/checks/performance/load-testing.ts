import { throwIfAborted } from '../../../../api/abort';
import type { Ballot } from '../../../../shared/diagnostics/assembly/cast-vote';
import { clearQuestion, openQuestion } from '../../../../shared/diagnostics/assembly/organizing';
import { tallyDifferences } from '../../../../shared/diagnostics/assembly/tally';
import { BallotBox } from '../../../../shared/diagnostics/parts/ballot-box';
import { problemIn, refusalIn } from '../../../../shared/diagnostics/parts/problems';
import {
  OPTIONS,
  type RunningMeetingWithVoters,
  resultOf,
  startMeetingWithVoters,
} from '../../../../shared/diagnostics/parts/running-meeting';
import { causeOf, measuredRoute, type Route } from '../../../../shared/diagnostics/parts/slowness';
import { FAST_MS, MODERATE_MS, speedOf, verdictOf } from '../../../../shared/diagnostics/parts/speed';
import type { Answer } from '../../../../shared/diagnostics/run/answer';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success } from '../../../../shared/diagnostics/run/finding';
import { perSecond, timingOf } from '../../../../shared/diagnostics/run/statistics';
import type { SignedInVoter } from '../../../../shared/diagnostics/run/test-world';

/**
 * As in the specification. One fewer than a browser's connections to a server, so that no request waits in the browser.
 */
const BATCHES = 5;
const VOTERS_PER_BATCH = 2;
const TEXTS = ['TEST_First burst', 'TEST_Second burst', 'TEST_Third burst'];
const WEIGHTS = [1, 2, 0.5, 1.25];

/** One request of the load. */
interface Sent {
  what: 'read' | 'vote';
  ms: number | null;
  /** The status, or "no answer". */
  outcome: string;
  problem: string | null;
}

interface Load {
  sent: Sent[];
  /** The time during which requests were running. */
  ms: number;
  differences: string[];
}

export const loadTesting: Diagnostic = {
  name: 'Load Testing',
  about: `${BATCHES} concurrent batches read and vote in a test meeting: errors, p50, p95, throughput, and the tally.`,
  run: loadServer,
};

async function loadServer(run: Run): Promise<Finding> {
  const total = TEXTS.length + 2;
  run.progress(0, total, 'Creating test voters and a meeting');
  const number = BATCHES * VOTERS_PER_BATCH;
  const weightOf = (index: number) => WEIGHTS[index % WEIGHTS.length] ?? 1;
  const meeting = await startMeetingWithVoters(run, number, TEXTS, weightOf);
  const load: Load = { sent: [], ms: 0, differences: [] };
  for (const [burst, question] of meeting.questions.entries()) {
    run.progress(burst + 1, total, `Sending burst ${burst + 1} of ${TEXTS.length} in ${BATCHES} batches`);
    await sendBurst(run, meeting, question.id, load);
  }
  run.progress(total - 1, total, 'Finding the slow part');
  return findingOf(load, await measuredRoute(run.own));
}

async function sendBurst(
  run: Run,
  meeting: RunningMeetingWithVoters,
  questionId: string,
  load: Load,
): Promise<void> {
  const { organizer, id, voters } = meeting;
  const { roundId } = await openQuestion(organizer, id, questionId);
  const ballot = { meetingId: id, questionId, roundId };
  const box = new BallotBox(run);
  const start = performance.now();
  const batches = Array.from({ length: BATCHES }, (_, batch) =>
    sendBatch(
      run,
      meeting,
      voters.slice(batch * VOTERS_PER_BATCH, (batch + 1) * VOTERS_PER_BATCH),
      ballot,
      box,
    ),
  );
  // Waits for all of them, even if the test is stopped.
  const outcomes = await Promise.allSettled(batches);
  throwIfAborted(run.signal);
  load.ms += performance.now() - start;
  load.sent.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])));
  await box.settle();
  await clearQuestion(organizer, id);
  const everybody = voters.map(({ voter }) => voter);
  load.differences.push(
    ...tallyDifferences(await resultOf(meeting, roundId), everybody, box.takenIn(roundId)),
  );
}

/** The usual requests after a question opens: voters read, vote and read again, and the organizer watches. */
async function sendBatch(
  run: Run,
  { organizer, id, voters: all }: RunningMeetingWithVoters,
  voters: SignedInVoter[],
  ballot: Ballot,
  box: BallotBox,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const send = async (what: Sent['what'], status: number, call: () => Promise<Answer>) => {
    sent.push(await outcomeOf(run, what, status, call));
  };
  for (const voter of voters) {
    const answers = [OPTIONS[all.indexOf(voter) % OPTIONS.length] ?? 'Yes'];
    await send('read', 200, () => voter.caller.get('/voting/meetings'));
    await send('read', 200, () => voter.caller.get(`/voting/meetings/${id}`));
    await send('read', 200, () => voter.caller.get(`/sse/meetings/${id}/state`));
    await send('vote', 201, () => box.handIn(voter, ballot, answers));
    await send('read', 200, () => voter.caller.get(`/voting/meetings/${id}`));
    await send('read', 200, () => organizer.get(`/client/meetings/${id}/current-question/stats`));
    await send('read', 200, () => organizer.get('/client/end-users?page=1&pageSize=50'));
    await send('read', 200, () => run.own.as(null).get(`/public/meetings/${id}/presentation`));
  }
  return sent;
}

async function outcomeOf(
  run: Run,
  what: Sent['what'],
  status: number,
  call: () => Promise<Answer>,
): Promise<Sent> {
  try {
    const answer = await call();
    return { what, ms: answer.ms, outcome: String(answer.status), problem: refusalIn(answer, status) };
  } catch (error) {
    return { what, ms: null, outcome: 'no answer', problem: problemIn(error, run) };
  }
}

function findingOf({ sent, ms, differences }: Load, route: Route): Finding {
  const timeOf = (some: Sent[]) => timingOf(some.flatMap((one) => (one.ms === null ? [] : [one.ms])));
  const all = timeOf(sent);
  const votes = timeOf(sent.filter(({ what }) => what === 'vote'));
  const failed = sent.filter(({ problem }) => problem !== null);
  const throughput = perSecond(sent.length, ms);
  const details = {
    concurrentBatches: BATCHES,
    bursts: TEXTS.length,
    requests: sent.length,
    throughputPerSecond: throughput,
    all,
    votes,
    reads: timeOf(sent.filter(({ what }) => what === 'read')),
    answers: countsOf(sent.map(({ outcome }) => outcome)),
    problems: countsOf(failed.map(({ problem }) => problem ?? '')),
    tallyDifferences: differences,
    ...route,
  };
  if (differences.length > 0) {
    return failure(
      `Under load, the tally does not match the votes sent: ${differences[0]} Do not vote on this installation.`,
      details,
    );
  }
  const load = `${sent.length} requests in ${BATCHES} concurrent batches`;
  const [first] = failed;
  if (first) {
    return failure(
      `${failed.length} of ${load} failed: ${first.problem}. Check the server log before the meeting.`,
      details,
    );
  }
  const figures = `${load}, ${votes.calls} of them votes: ${throughput} a second, p50 ${all.p50} ms, p95 ${all.p95} ms, p95 of votes ${votes.p95} ms`;
  const slowest = Math.max(all.p95, votes.p95);
  const speed = speedOf(slowest);
  if (speed === 'fast') {
    return success(`${figures}. No errors, and every vote was counted exactly once.`, details);
  }
  const border = speed === 'slow' ? `${MODERATE_MS} ms or more` : `${FAST_MS} ms or more`;
  const message = `${figures}. No vote was lost, but one request in twenty takes ${border}. ${causeOf(slowest, route)}`;
  return { verdict: verdictOf(speed), message, details };
}

function countsOf(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) {
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}
