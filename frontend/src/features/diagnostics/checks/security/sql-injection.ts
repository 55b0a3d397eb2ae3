import type { EndUser, Question } from '../../../../api/types';
import { clearQuestion, openQuestion } from '../../../../shared/diagnostics/assembly/organizing';
import { type Injected, injectInto, type Place } from '../../../../shared/diagnostics/parts/injecting';
import {
  addresses,
  type InjectionScene,
  parameters,
  searches,
} from '../../../../shared/diagnostics/parts/injection-places';
import { injectIntoSignIns } from '../../../../shared/diagnostics/parts/injection-sign-ins';
import { type Injection, injectionsAt } from '../../../../shared/diagnostics/parts/injections';
import { resultOf, startMeetingWithVoters } from '../../../../shared/diagnostics/parts/running-meeting';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { several } from '../../../../shared/diagnostics/run/several';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';
import { randomPassword } from '../../../../shared/random-password';

const STEPS = 8;
const WRITES_AT_ONCE = 4;
/** The number of rows that this test itself adds between the two counts. */
const ADDED: Record<string, number> = { '/client/end-users': 1, '/client/meetings': 1 };

/** The data that must not change. */
interface Snapshot {
  /** Literally, by subject: the canary, the meeting, its question and its round. */
  testData: Record<string, string>;
  schemaDifferences: string[];
  /** Rows by list. Other users may change them, so they are weaker evidence. */
  totals: Record<string, number>;
}

export const sqlInjection: Diagnostic = {
  name: 'SQL Injection Test',
  about: 'Writes SQL into sign-in, search, addresses and texts, and verifies that all data is unchanged.',
  run: inject,
};

async function inject(run: Run): Promise<Finding> {
  const steps = new Steps(run, STEPS);
  const { scene, canary } = await steps.step('Creating test data', () => sceneOf(run));
  const injections = injectionsAt(canary.username);
  const before = await steps.step('Recording the data before the test', () => snapshotOf(run, scene, canary));
  const outcome: Injected = { calls: 0, problems: [] };
  const into = (places: Place[]) => async () => {
    for (const place of places) {
      await injectInto(place, injections, outcome);
    }
  };
  await steps.step('Signing in with SQL', () => injectIntoSignIns(run, scene, outcome));
  await steps.step('Searching lists for SQL', into(searches(run, scene)));
  await steps.step('Sorting, filtering and paging by SQL', into(parameters(run, scene)));
  await steps.step('Putting SQL into addresses', into(addresses(run, scene)));
  const changed = await steps.step('Storing SQL as texts', () =>
    storedOtherwise(run, scene, injections, outcome),
  );
  const after = await steps.step('Comparing the data', () => snapshotOf(run, scene, canary));
  return findingOf(outcome, changed, before, after, injections);
}

async function sceneOf(run: Run): Promise<{ scene: InjectionScene; canary: EndUser }> {
  const meeting = await startMeetingWithVoters(run, 1, ['TEST_Is this only text?']);
  const { roundId } = await openQuestion(meeting.organizer, meeting.id, meeting.questions[0]?.id ?? '');
  await clearQuestion(meeting.organizer, meeting.id);
  // Otherwise the first request for its answers would change the round, as it should.
  await resultOf(meeting, roundId);
  const { clientCode } = await run.world.organization();
  const [voter] = await run.world.addVoters(1);
  const answer = await meeting.organizer.get(`/client/end-users/${voter?.id}`);
  const { data: canary } = bodyOf<{ data: EndUser }>(answer, 200);
  return { scene: { ...meeting, roundId, clientCode }, canary };
}

async function snapshotOf(run: Run, { organizer, id }: InjectionScene, canary: EndUser): Promise<Snapshot> {
  const paths = {
    'an end user': `/client/end-users/${canary.id}`,
    'a meeting': `/client/meetings/${id}`,
    'a question': `/client/questions/meeting/${id}`,
    'a round': `/client/meetings/${id}/rounds`,
  };
  const testData: Snapshot['testData'] = {};
  for (const [what, path] of Object.entries(paths)) {
    const { status, body } = await organizer.get(path);
    // A missing record answers 404, which is another text too.
    testData[what] = JSON.stringify([status, body]);
  }
  const schema = bodyOf<{ details: { differences: string[] } }>(await run.own.get('/test/schema'), 200);
  const totals: Snapshot['totals'] = {};
  const count = async (caller: Caller, path: string) => {
    const { meta } = bodyOf<{ meta: { total: number } }>(await caller.get(`${path}?page=1&pageSize=1`), 200);
    totals[path] = meta.total;
  };
  if (run.portal === 'SUPER_ADMIN') {
    await count(run.own, '/clients');
  }
  await count(organizer, '/client/end-users');
  await count(organizer, '/client/meetings');
  return {
    testData,
    schemaDifferences: schema.details.differences,
    totals,
  };
}

/** The texts that were not stored literally, a sentence each. */
async function storedOtherwise(
  run: Run,
  { organizer }: InjectionScene,
  injections: Injection[],
  outcome: Injected,
): Promise<string[]> {
  const otherwise: string[] = [];
  const compare = (where: string, stored: string | null | undefined, sent: string) => {
    outcome.calls += 1;
    if (stored !== sent) {
      otherwise.push(`${where} was stored as "${stored}" instead of "${sent}"`);
    }
  };
  const meeting = await run.world.addMeeting([], []);
  await several(injections, WRITES_AT_ONCE, async ({ text }) => {
    await run.world.addQuestion(meeting.id, { questionText: text, questionType: 'OPEN_TEXT' });
  });
  const agenda = bodyOf<Question[]>(await organizer.get(`/client/questions/meeting/${meeting.id}`), 200);
  for (const { text } of injections) {
    compare('A question', agenda.find(({ questionText }) => questionText === text)?.questionText, text);
  }
  const all = injections.map(({ text }) => text).join(' ');
  // Several texts per record: each record has a password, which is slow to hash.
  const wanted = { name: `${run.world.name('voter')} O'Neil "--`, address: all.slice(0, 300) };
  const body = { ...wanted, username: run.world.name('voter'), password: randomPassword(), weight: 1 };
  const made = bodyOf<{ data: EndUser }>(await organizer.post('/client/end-users', body), 201).data;
  run.world.noteEndUser(made.id);
  const search = `/client/end-users?page=1&pageSize=10&search=${encodeURIComponent(wanted.name)}`;
  const found = bodyOf<{ data: EndUser[] }>(await organizer.get(search), 200).data;
  compare('The name of an end user, as found by a search,', found[0]?.name, wanted.name);
  compare('The address of an end user', found[0]?.address, wanted.address);
  const renamed = { name: `${run.world.name('voter')} D'Arcy'` };
  bodyOf(await organizer.put(`/client/end-users/${made.id}`, renamed), 200);
  const read = bodyOf<{ data: EndUser }>(await organizer.get(`/client/end-users/${made.id}`), 200).data;
  compare('A changed name of an end user', read.name, renamed.name);
  return otherwise;
}

function findingOf(
  { calls, problems }: Injected,
  changed: string[],
  before: Snapshot,
  after: Snapshot,
  injections: Injection[],
): Finding {
  const broken = after.schemaDifferences.filter(
    (difference) => !before.schemaDifferences.includes(difference),
  );
  const testDataChanged = Object.keys(before.testData).filter(
    (what) => before.testData[what] !== after.testData[what],
  );
  const fewer = Object.keys(before.totals).filter(
    (path) => (after.totals[path] ?? 0) < (before.totals[path] ?? 0) + (ADDED[path] ?? 0),
  );
  const details = {
    calls,
    payloads: injections.map(({ kind, text }) => `${kind}: ${text}`),
    problems,
    storedOtherwise: changed,
    testDataChanged,
    newSchemaDifferences: broken,
    totalsBefore: before.totals,
    totalsAfter: after.totals,
  };
  const advice = 'Do not use this installation until that is fixed.';
  const hole = problems.find(({ isHole }) => isHole);
  if (broken.length > 0) {
    return failure(`The tables of the database were changed: ${broken[0]} ${advice}`, details);
  }
  if (testDataChanged.length > 0) {
    return failure(
      `Test data (${testDataChanged.join(', ')}) were changed by input that must be plain text. ${advice}`,
      details,
    );
  }
  if (hole) {
    return failure(`${inWords(hole)}. ${advice}`, details);
  }
  if (changed[0]) {
    return failure(`A text was not stored exactly: ${changed[0]}.`, details);
  }
  const [odd] = problems;
  if (odd) {
    return warning(
      `Nothing got through, but ${inWords(odd)}. Something in front of the server may refuse such texts, including harmless ones such as O'Neil.`,
      details,
    );
  }
  if (fewer[0]) {
    return warning(
      `Nothing got through, but GET ${fewer[0]} has ${after.totals[fewer[0]]} rows, and had ${before.totals[fewer[0]]} before. Ask whether somebody deleted data in the meantime.`,
      details,
    );
  }
  return success(
    `${injections.length} payloads in sign-in, search, parameters, addresses and texts (${calls} calls): all were taken as plain text or refused, nothing was delayed, and the data did not change.`,
    details,
  );
}

function inWords({ place, kind, text, problem }: Injected['problems'][number]): string {
  return `${place} with ${text} (${kind}) ${problem}`;
}
