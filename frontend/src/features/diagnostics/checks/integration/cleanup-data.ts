import { throwIfAborted } from '../../../../api/abort';
import type { Diagnostic, Question, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { removeAll } from '../../../../shared/diagnostics/run/remove-all';
import {
  countsOf,
  type FoundData,
  findNamed,
  having,
  idsOf,
  namesOf,
  numberOf,
  testDataOf,
} from '../../../../shared/diagnostics/run/test-data';
import { TEST_PREFIX } from '../../../../shared/test-data';

/** As in the specification. */
const SETTLE_MS = 100;
const NAMED = 5;
const STEPS = 4;

/**
 * Deletes the data that runs of this page could not delete, then all other data named TEST_…. For data that no run of
 * this page created it asks first, because a person may have chosen such a name.
 */
export const cleanupData: Diagnostic = {
  name: 'Cleanup Data',
  about: 'Deletes test data left behind by interrupted runs.',
  run: async (run) => {
    const { own, portal, context, progress } = run;
    progress(0, STEPS, 'Deleting test data left by this page');
    const kept: string[] = [];
    for (const world of context.unfinished) {
      kept.push(...(await world.remove(own)));
    }
    progress(1, STEPS, 'Looking for test data');
    const found = testDataOf(await findNamed(own, portal, TEST_PREFIX));
    const foreign = having(found, (name) => name.startsWith(TEST_PREFIX) && !context.isOwn(name));
    const mayGo = numberOf(foreign) === 0 || (await run.confirm(questionAbout(foreign)));
    const going = mayGo ? found : without(found, foreign);
    progress(2, STEPS, 'Deleting data named TEST_…');
    throwIfAborted(run.signal);
    kept.push(...(await removeAll(idsOf(going), own, own)));
    progress(3, STEPS, 'Verifying');
    await run.pause(SETTLE_MS);
    return await verified(run, going, mayGo ? null : foreign, kept);
  },
};

async function verified(run: Run, going: FoundData, spared: FoundData | null, kept: string[]) {
  const left = testDataOf(await findNamed(run.own, run.portal, TEST_PREFIX));
  const sparedIds = new Set(spared === null ? [] : Object.values(idsOf(spared)).flat());
  const stuck = Object.values(idsOf(left))
    .flat()
    .filter((id: string) => !sparedIds.has(id)).length;
  const details = { deleted: namesOf(going), left: namesOf(left), refused: kept };
  // A refused deletion may have succeeded at the second try. So the remaining data decide.
  if (stuck > 0) {
    return failure(`Test data is still there: ${countsOf(left)}. The details give the reasons.`, details);
  }
  run.context.reset();
  const deleted = countsOf(going);
  if (spared !== null) {
    const plea = 'Run Cleanup Data on its own to decide about it.';
    return warning(
      `${deleted ? `Deleted ${deleted}. ` : ''}Kept test data that no test of this page created and that you did not confirm for deletion: ${countsOf(spared)}. ${plea}`,
      details,
    );
  }
  return success(
    deleted ? `Deleted ${deleted}. No test data is left.` : 'There was nothing to delete.',
    details,
  );
}

function without(found: FoundData, other: FoundData): FoundData {
  const ids = new Set(Object.values(idsOf(other)).flat());
  const isNotThere = ({ id }: { id: string }) => !ids.has(id);
  return {
    clients: found.clients.filter(isNotThere),
    meetings: found.meetings.filter(isNotThere),
    endUsers: found.endUsers.filter(isNotThere),
  };
}

function questionAbout(foreign: FoundData): Question {
  const names = namesOf(foreign);
  const rest = names.length - NAMED;
  const listed = `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const clients = foreign.clients.length > 0 ? ' Deleting a client deletes everything in it.' : '';
  return {
    title: `Delete ${countsOf(foreign)}?`,
    text: `No test of this page created them: ${listed}.${clients} If somebody else is running tests now, their tests will fail.`,
    confirmLabel: 'Delete test data',
    cancelLabel: 'Keep them',
  };
}
