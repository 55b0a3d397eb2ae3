import { throwIfAborted } from '../../../../api/abort';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import {
  type Finding,
  failure,
  success,
  type Verdict,
  worst,
} from '../../../../shared/diagnostics/run/finding';
import { findingOf } from '../../../../shared/diagnostics/run/runner';
import { verifyTestData } from '../../../../shared/diagnostics/run/verify-test-data';
import { clientManagement } from './client-management';
import { liveSimulation } from './live-simulation';
import { meetingLifecycle } from './meeting-lifecycle';
import { userManagement } from './user-management';

/** As in the specification: a pause after the deletions. */
const SETTLE_MS = 100;
const PARTS = [clientManagement, userManagement, meetingLifecycle, liveSimulation];

interface Part {
  part: string;
  verdict: Verdict;
  message: string;
  details?: unknown;
}

export const completeWorkflow: Diagnostic = {
  name: 'Complete Workflow Test',
  about:
    'Client Management, User Management, Meeting Lifecycle and the simulated meeting one after another, then the cleanup and Verify State.',
  run: async (run) => {
    const parts: Part[] = [];
    for (const [index, part] of PARTS.entries()) {
      parts.push(await partOf(part.name, run, () => part.run(within(run, part.name, index))));
    }
    run.progress(
      PARTS.length,
      PARTS.length + 2,
      'Deleting votes, questions, meetings, end users and clients',
    );
    parts.push(await partOf('Cleanup', run, () => cleanUp(run)));
    reportProgress(run, PARTS.length + 1, 'Verifying that nothing is left');
    await run.pause(SETTLE_MS);
    parts.push(await partOf('Verify State', run, () => verifyTestData(run.own, run.portal)));
    return summaryOf(parts);
  },
};

/** In hundredths of a part. The cleanup and Verify State are parts as well. */
function reportProgress(run: Run, done: number, doing: string): void {
  run.progress(Math.round(done * 100), (PARTS.length + 2) * 100, doing);
}

/** The same run, with the progress of the part as a share of the whole. */
function within(run: Run, name: string, index: number): Run {
  const progress: Run['progress'] = (done, total, doing) =>
    reportProgress(run, index + done / Math.max(total, 1), `${name}: ${doing}`);
  return { ...run, progress };
}

/** Runs a part. Its failure does not stop the others. */
async function partOf(part: string, run: Run, work: () => Promise<Finding>): Promise<Part> {
  try {
    return { part, ...(await work()) };
  } catch (error) {
    throwIfAborted(run.signal);
    return { part, ...findingOf(error, run.signal) };
  }
}

async function cleanUp({ own, world }: Run): Promise<Finding> {
  const kept = await world.remove(own);
  return kept.length === 0
    ? success('Votes, questions, meetings, end users and clients of this test were deleted, in this order.')
    : failure(`Some test data could not be deleted: ${kept.join('; ')}`, { stillThere: kept });
}

function summaryOf(parts: Part[]): Finding {
  const verdict = worst(parts.map((part) => part.verdict));
  const details = { parts };
  const problems = parts
    .filter((part) => part.verdict !== 'success')
    .map(({ part, message }) => `${part}: ${message.replace(/\.$/, '')}.`);
  const ran = `${parts.length - problems.length} of ${parts.length} parts succeeded`;
  return problems.length === 0
    ? success(`All ${parts.length} parts succeeded: ${parts.map(({ part }) => part).join(', ')}.`, details)
    : { verdict, message: `${ran}. ${problems.join(' ')}`, details };
}
