import { TEST_PREFIX } from '../../test-data';
import type { Caller } from './caller';
import { type Finding, success, warning, worst } from './finding';
import { checkIntegrity } from './integrity';
import type { Portal } from './portal';
import { countsOf, type FoundData, findNamed, namesOf, numberOf, testDataOf } from './test-data';

/** The number of names in the message; the details list all of them. */
const NAMED = 3;

/** Searches for names that contain TEST_, and checks the consistency of the stored data. */
export async function verifyTestData(own: Caller, portal: Portal): Promise<Finding> {
  const found = await findNamed(own, portal, TEST_PREFIX);
  const integrity = await checkIntegrity(own);
  const details = { flagged: namesOf(found), integrity: integrity.details };
  const searched = portal === 'SUPER_ADMIN' ? 'among the clients' : 'in this organization';
  const data =
    numberOf(found) === 0
      ? success(`No test data found ${searched}.`)
      : warning(
          `${countsOf(found)} ${numberOf(found) === 1 ? 'is' : 'are'} left: ${sampleOf(namesOf(found))}.`,
        );
  return {
    verdict: worst([data.verdict, integrity.verdict]),
    message: `${data.message}${remedyFor(found)} ${integrity.message}`,
    details,
  };
}

function sampleOf(names: string[]): string {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** Only names that begin with TEST_ are test data and are deleted. */
function remedyFor(found: FoundData): string {
  const deletable = numberOf(testDataOf(found));
  const others = numberOf(found) - deletable;
  return [
    deletable > 0 ? ' Run Cleanup Data to delete data whose name begins with TEST_.' : '',
    others > 0 ? ' Names that only contain TEST_ count as real data, and Cleanup Data keeps them.' : '',
  ].join('');
}
