import {
  CHOICE,
  ELECTION,
  PERCENTAGE,
  RATING,
  TEXT,
  YES_OR_NO,
} from '../../../../shared/diagnostics/assembly/agenda';
import { AssemblyRun } from '../../../../shared/diagnostics/assembly/assembly-run';
import { FAST_MS, MODERATE_MS, speedOf } from '../../../../shared/diagnostics/parts/speed';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { timingOf } from '../../../../shared/diagnostics/run/statistics';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import type { TestVoter } from '../../../../shared/diagnostics/run/test-world';

const AGENDA = [YES_OR_NO, CHOICE, RATING, PERCENTAGE, TEXT, ELECTION];
/** Different weights distinguish votes by heads from votes by weight; decimals test the sums. */
const WEIGHTS = [1, 2.5, 0.75, 3, 1.25];

export const liveSimulation: Diagnostic = {
  name: 'Live Meeting Simulation',
  about:
    'Plays a meeting with five voters, an organizer and the presentation on real streams: questions of every type, votes, counts, results.',
  run: async (run) => {
    const steps = new Steps(run, AGENDA.length + 4);
    const voters = await steps.step('Create five voters', () =>
      run.world.addVoters(WEIGHTS.length, (index) => WEIGHTS[index] ?? 1),
    );
    const assembly = await steps.step('Create a meeting and sign everyone in', () => runWith(run, voters));
    try {
      await steps.step('Start the meeting, seen on the streams', () => assembly.start());
      for (const [index, { question }] of AGENDA.entries()) {
        await steps.step(`Question ${index + 1} of ${AGENDA.length}: ${question.questionType}`, () =>
          assembly.play(index),
        );
      }
      await steps.step('End the meeting, seen on the streams', () => assembly.end());
    } finally {
      assembly.close();
    }
    return findingOf(assembly, steps);
  },
};

async function runWith(run: Run, voters: TestVoter[]): Promise<AssemblyRun> {
  const meeting = await run.world.addMeeting(
    voters,
    AGENDA.map(({ question }) => question),
  );
  return AssemblyRun.open(run, meeting, AGENDA, voters);
}

function findingOf(assembly: AssemblyRun, steps: Steps): Finding {
  const { problems, gaps, delays, votes } = assembly.report();
  const timing = timingOf(delays);
  const speed = speedOf(timing.p95);
  const details = { delay: timing, votes, problems, gaps, steps: steps.reports };
  if (problems.length > 0) {
    const others = problems.length > 1 ? ` (and ${problems.length - 1} more, see the details)` : '';
    return failure(
      `The screens or the tally did not match the actions of the test: ${problems[0]}${others} Keep the details, and ask the server's operator before you vote on this server.`,
      details,
    );
  }
  const played = `${AGENDA.length} questions, ${votes} votes: every tally matches the votes sent, by heads and by weight`;
  const pace = `events reached the screens in ${timing.p50} ms (median), ${timing.p95} ms (95 %)`;
  if (gaps.length > 0) {
    return warning(
      `${played}, but events were missing on a stream: ${gaps[0]} Screens fetch missed events a little later. Look for a proxy or a network that loses connections.`,
      details,
    );
  }
  if (speed === 'slow') {
    return failure(
      `${played}, but events are slow: ${pace}, the limit is ${MODERATE_MS} ms. Run Response Time Analysis to see whether the network, the server or the database is slow.`,
      details,
    );
  }
  if (speed === 'moderate') {
    return warning(
      `${played}, and events are only moderately fast: ${pace}, fast is under ${FAST_MS} ms. Run Response Time Analysis to see what takes the time.`,
      details,
    );
  }
  return success(`${played}; ${pace}.`, details);
}
