import type { DataIntegrity } from '../../../api/types';
import { countOf } from '../../format';
import type { Caller } from './caller';
import { type Finding, failure, success } from './finding';
import { bodyOf, Unexpected } from './unexpected';

/** With millions of votes each check may take minutes. */
const TIMEOUT_MS = 30 * 60_000;
/** The number of rows that the message names; the details list the rest. */
const NAMED = 3;

/** Checks the consistency of the stored data. Names the inconsistent rows. */
export async function checkIntegrity(own: Caller): Promise<Finding> {
  const answer = await own.get('/test/data-integrity', TIMEOUT_MS);
  const { isValid, message, details } = bodyOf<DataIntegrity>(answer, 200);
  if (typeof isValid !== 'boolean' || !Array.isArray(details?.checks) || details.checks.length === 0) {
    throw new Unexpected(`${answer.call} did not answer with the outcome of its checks`, answer);
  }
  const { issues, issuesFound, checks } = details;
  if (isValid && issuesFound === 0 && issues.length === 0) {
    return success(`${countOf(checks.length, 'check')} of the stored data found no issue.`, details);
  }
  const sentences = [
    ...(issuesFound > 0 || issues.length > 0 ? [issuesSentence(details)] : []),
    ...checks.flatMap(({ name, failure: reason }) =>
      reason ? [`The check ${name} could not be run: ${withoutStop(reason)}.`] : [],
    ),
  ];
  const found = sentences.length > 0 ? sentences.join(' ') : message;
  return failure(`${found} Have this investigated before the next vote. Results may be wrong.`, details);
}

function issuesSentence({ issues, issuesFound }: DataIntegrity['details']): string {
  const named = issues.slice(0, NAMED).map((issue) => `${issue.table} ${issue.id}: ${issue.message}`);
  const count = Math.max(issuesFound, issues.length);
  const rest = count > named.length && named.length > 0 ? ' The details list the others.' : '';
  const what = `${countOf(count, 'issue')} in the stored data`;
  return named.length > 0 ? `${what}: ${named.join(' ')}${rest}` : `${what}.`;
}

/** Messages of the database sometimes end with a full stop. */
function withoutStop(words: string): string {
  return words.replace(/\.$/, '');
}
