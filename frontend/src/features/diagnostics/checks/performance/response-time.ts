import { openQuestion } from '../../../../shared/diagnostics/assembly/organizing';
import { refusalIn } from '../../../../shared/diagnostics/parts/problems';
import { startMeetingWithVoters } from '../../../../shared/diagnostics/parts/running-meeting';
import {
  causeOf,
  databaseSentence,
  databaseVerdict,
  measuredRoute,
  type Route,
} from '../../../../shared/diagnostics/parts/slowness';
import {
  FAST_MS,
  MODERATE_MS,
  type Speed,
  speedOf,
  verdictOf,
} from '../../../../shared/diagnostics/parts/speed';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, worst } from '../../../../shared/diagnostics/run/finding';
import { type Timing, timingOf } from '../../../../shared/diagnostics/run/statistics';

/** As in the specification. */
const ITERATIONS = 5;

interface Endpoint {
  /** The role of the caller. */
  as: string;
  caller: Caller;
  path: string;
}

interface Measured extends Timing {
  endpoint: string;
  as: string;
  speed: Speed;
}

export const responseTime: Diagnostic = {
  name: 'Response Time Analysis',
  about: `Makes the calls that the screens need, ${ITERATIONS} times each: p50, p95, and the cause of the slowest.`,
  run: measure,
};

async function measure(run: Run): Promise<Finding> {
  run.progress(0, 1, 'Creating a test voter and a meeting');
  const endpoints = await endpointsOf(run);
  const measured: Measured[] = [];
  for (const endpoint of endpoints) {
    run.progress(measured.length + 1, endpoints.length + 2, `Calling GET ${endpoint.path}`);
    const outcome = await measureOne(endpoint);
    if (typeof outcome === 'string') {
      return failure(`${outcome}. Response times of a failing endpoint are meaningless. Run the API tests.`, {
        measured,
      });
    }
    measured.push(outcome);
  }
  run.progress(endpoints.length + 1, endpoints.length + 2, 'Finding the slow part');
  return findingOf(measured, await measuredRoute(run.own));
}

/** The requests of this portal's screens, and of a voter's. */
async function endpointsOf(run: Run): Promise<Endpoint[]> {
  const meeting = await startMeetingWithVoters(run, 1, ['TEST_How fast is this?']);
  await openQuestion(meeting.organizer, meeting.id, meeting.questions[0]?.id ?? '');
  const voter = meeting.voters[0]?.caller ?? run.own.as(null);
  const by = (as: string, caller: Caller, ...paths: string[]) => paths.map((path) => ({ as, caller, path }));
  const { organizer, id } = meeting;
  const platform = [
    '/auth/me',
    '/clients?page=1&pageSize=50',
    '/clients?page=1&pageSize=50&search=TEST_',
    '/clients/stats',
    '/sessions/stats',
    '/accounts?page=1&pageSize=50',
    '/reports/clients?page=1&pageSize=50',
    '/activity',
  ];
  const organization = [
    '/client/meetings?page=1&pageSize=50',
    '/client/meetings/stats',
    '/client/end-users?page=1&pageSize=50',
    '/client/end-users?page=1&pageSize=50&search=TEST_',
    '/client/end-users/stats',
    '/client/activity',
    `/client/meetings/${id}`,
    `/client/questions/meeting/${id}`,
    `/client/meetings/${id}/rounds`,
    `/sse/meetings/${id}/state`,
  ];
  return [
    ...by('nobody', run.own.as(null), '/health', `/public/meetings/${id}/presentation`),
    ...(run.portal === 'SUPER_ADMIN' ? by('SUPER_ADMIN', run.own, ...platform) : []),
    ...by('CLIENT', organizer, ...organization),
    ...by('END_USER', voter, '/voting/meetings', `/voting/meetings/${id}`, `/sse/meetings/${id}/state`),
  ];
}

/** The first call is a warm-up and does not count. Returns a sentence after a failed call. */
async function measureOne({ as, caller, path }: Endpoint): Promise<Measured | string> {
  const times: number[] = [];
  for (let iteration = 0; iteration <= ITERATIONS; iteration += 1) {
    const answer = await caller.get(path);
    const problem = refusalIn(answer, 200);
    if (problem !== null) {
      return problem;
    }
    if (iteration > 0) {
      times.push(answer.ms);
    }
  }
  const timing = timingOf(times);
  return { endpoint: `GET ${path}`, as, ...timing, speed: speedOf(timing.p50) };
}

function findingOf(measured: Measured[], route: Route): Finding {
  const endpoints = [...measured].sort((a, b) => b.p50 - a.p50);
  const details = { iterations: ITERATIONS, borders: { FAST_MS, MODERATE_MS }, ...route, endpoints };
  const slowest = endpoints[0] as Measured;
  const figures = `${endpoints.length} endpoints, ${ITERATIONS} calls each. The slowest is ${slowest.endpoint} (p50 ${slowest.p50} ms, p95 ${slowest.p95} ms)`;
  const database = databaseVerdict(route);
  const verdict = worst([verdictOf(slowest.speed), database]);
  if (slowest.speed !== 'fast') {
    const slow = endpoints.filter(({ speed }) => speed !== 'fast').length;
    const message = `${figures}: ${slowest.speed}. ${slow} of ${endpoints.length} are not fast. ${causeOf(slowest.p50, route)}`;
    return { verdict, message, details };
  }
  if (database !== 'success') {
    const message = `${figures}: fast for one person, but not for a hall. ${databaseSentence(route)}`;
    return { verdict, message, details };
  }
  return success(`${figures}: fast. ${outliersIn(endpoints)}`.trimEnd(), details);
}

/** Lists endpoints that are only usually fast. */
function outliersIn(endpoints: Measured[]): string {
  const late = endpoints.filter(({ p95 }) => p95 >= FAST_MS).map(({ endpoint }) => endpoint);
  return late.length > 0 ? `Now and then ${late.join(', ')} took ${FAST_MS} ms or more.` : '';
}
