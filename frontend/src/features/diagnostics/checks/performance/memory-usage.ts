import { openQuestion } from '../../../../shared/diagnostics/assembly/organizing';
import {
  REQUESTS_PER_ROUND,
  STREAMS_PER_ROUND,
  workOneRound,
} from '../../../../shared/diagnostics/parts/memory-work';
import {
  type RunningMeetingWithVoters,
  startMeetingWithVoters,
} from '../../../../shared/diagnostics/parts/running-meeting';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { percentile } from '../../../../shared/diagnostics/run/statistics';
import { bodyOf, Unexpected } from '../../../../shared/diagnostics/run/unexpected';

/** The limits of the increase, as in the specification. */
const GOOD_MB = 5;
const MODERATE_MB = 10;
const VOTERS = 2;
/** After these rounds the server has allocated its permanent memory (connections, buffers of its threads). */
const WARM_UP_ROUNDS = 2;
const MEASURED_ROUNDS = 3;
const READINGS = 5;
/** The time in which the server notices closed streams and frees their memory. */
const SETTLE_MS = 1_500;
const BETWEEN_READINGS_MS = 100;
const BYTES_PER_MB = 1024 * 1024;

interface Rounds {
  /** Megabytes after the warm-up, and after each round. */
  readings: number[];
  browserBefore: number | null;
  browserAfter: number | null;
}

export const memoryUsage: Diagnostic = {
  name: 'Memory Usage Check',
  about:
    "Sends several hundred requests and streams. In the admin portal, it reads the server's memory before and after them.",
  run: (run) => (run.portal === 'SUPER_ADMIN' ? measureMemory(run) : workWithoutReadings(run)),
};

async function startMeeting(run: Run, total: number): Promise<RunningMeetingWithVoters> {
  run.progress(0, total, 'Creating test voters and a meeting');
  const meeting = await startMeetingWithVoters(run, VOTERS, ['TEST_How much memory is this?']);
  await openQuestion(meeting.organizer, meeting.id, meeting.questions[0]?.id ?? '');
  return meeting;
}

/** For an organizer, who does not learn about the machine itself. */
async function workWithoutReadings(run: Run): Promise<Finding> {
  const total = MEASURED_ROUNDS + 1;
  const meeting = await startMeeting(run, total);
  for (let round = 1; round <= MEASURED_ROUNDS; round += 1) {
    run.progress(round, total, `Working, round ${round} of ${MEASURED_ROUNDS}`);
    await workOneRound(run, meeting);
  }
  return success(
    `The server answered all ${MEASURED_ROUNDS * REQUESTS_PER_ROUND} requests and ${MEASURED_ROUNDS * STREAMS_PER_ROUND} streams. Only a super administrator can read its memory, by the same test in the admin portal.`,
    {
      requestsPerRound: REQUESTS_PER_ROUND,
      streamsPerRound: STREAMS_PER_ROUND,
      rounds: MEASURED_ROUNDS,
      browserMegabytes: browserMegabytes(),
    },
  );
}

async function measureMemory(run: Run): Promise<Finding> {
  const total = WARM_UP_ROUNDS + MEASURED_ROUNDS + 1;
  const meeting = await startMeeting(run, total);
  for (let round = 1; round <= WARM_UP_ROUNDS; round += 1) {
    run.progress(round, total, `Warming up, round ${round} of ${WARM_UP_ROUNDS}`);
    await workOneRound(run, meeting);
  }
  const rounds: Rounds = {
    readings: [await settledMegabytes(run)],
    browserBefore: browserMegabytes(),
    browserAfter: null,
  };
  for (let round = 1; round <= MEASURED_ROUNDS && !isSteady(rounds); round += 1) {
    run.progress(WARM_UP_ROUNDS + round, total, `Measuring, round ${round} of at most ${MEASURED_ROUNDS}`);
    await workOneRound(run, meeting);
    rounds.readings.push(await settledMegabytes(run));
  }
  rounds.browserAfter = browserMegabytes();
  return findingOf(rounds);
}

/** The increase after each round. */
function increasesOf({ readings }: Rounds): number[] {
  return readings.slice(1).map((reading, index) => tenths(reading - (readings[index] ?? 0)));
}

/** Whether the memory is stable. A leak grows in every round. */
function isSteady(rounds: Rounds): boolean {
  return increasesOf(rounds).some((increase) => increase < GOOD_MB);
}

/** The median of several readings, because other users affect each of them. */
async function settledMegabytes(run: Run): Promise<number> {
  await run.pause(SETTLE_MS);
  const readings: number[] = [];
  for (let reading = 0; reading < READINGS; reading += 1) {
    const answer = await run.own.get('/test/memory');
    const { residentBytes } = bodyOf<{ details: { residentBytes: number } }>(answer, 200).details;
    if (!(residentBytes > 0)) {
      throw new Unexpected('The server does not report its memory use', answer);
    }
    readings.push(residentBytes / BYTES_PER_MB);
    await run.pause(BETWEEN_READINGS_MS);
  }
  return tenths(percentile(readings, 0.5));
}

/** The memory of scripts, which some browsers report. It tells nothing about the server. */
function browserMegabytes(): number | null {
  const { memory } = performance as { memory?: { usedJSHeapSize: number } };
  return memory ? tenths(memory.usedJSHeapSize / BYTES_PER_MB) : null;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function findingOf(rounds: Rounds): Finding {
  const increases = increasesOf(rounds);
  const before = rounds.readings[0] ?? 0;
  const after = rounds.readings.at(-1) ?? 0;
  const least = Math.min(...increases);
  const details = {
    serverMegabytesBefore: before,
    serverMegabytesAfter: after,
    increaseMegabytes: tenths(after - before),
    increaseOfEachRound: increases,
    requestsPerRound: REQUESTS_PER_ROUND,
    streamsPerRound: STREAMS_PER_ROUND,
    warmUpRounds: WARM_UP_ROUNDS,
    browserMegabytesBefore: rounds.browserBefore,
    browserMegabytesAfter: rounds.browserAfter,
  };
  const work = `${REQUESTS_PER_ROUND} requests and ${STREAMS_PER_ROUND} streams a round, after ${WARM_UP_ROUNDS} rounds of warm-up`;
  const figures = `The server uses ${before} MB before and ${after} MB after (${work})`;
  if (least < GOOD_MB) {
    const [first = 0] = increases;
    const why =
      first < GOOD_MB
        ? `an increase of ${first} MB, which is good (under ${GOOD_MB} MB).`
        : `the first round took ${first} MB more, a later one ${least} MB: it does not keep growing.`;
    return success(`${figures}: ${why}`, details);
  }
  const grows = `${figures}: it grew in each of ${increases.length} rounds, by ${least} MB at least`;
  return least < MODERATE_MB
    ? warning(
        `${grows}, which is moderate (under ${MODERATE_MB} MB). Run the test again when the server is otherwise idle. If memory still grows, restart the server shortly before the assembly.`,
        details,
      )
    : failure(
        `${grows} (${MODERATE_MB} MB or more). The server does not release memory and may run out of it during an assembly. Restart it shortly before, watch its memory, and install a newer version if there is one.`,
        details,
      );
}
