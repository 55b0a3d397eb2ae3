import type { DatabaseTest, Readiness } from '../../../../api/types';
import {
  databaseVerdict,
  type Route,
  SLUGGISH_STATEMENT_MS,
} from '../../../../shared/diagnostics/parts/slowness';
import { FAST_MS, speedOf, verdictOf } from '../../../../shared/diagnostics/parts/speed';
import { type Answer, sentenceOf } from '../../../../shared/diagnostics/run/answer';
import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning, worst } from '../../../../shared/diagnostics/run/finding';
import { percentile } from '../../../../shared/diagnostics/run/statistics';
import { bodyOf, Unexpected } from '../../../../shared/diagnostics/run/unexpected';

const ITERATIONS = 5;

/** Medians, so that a single slow call does not decide. */
interface Measured extends Route {
  /** The whole duration of the call that executes one statement. */
  callMs: number;
}

export const databaseConnection: Diagnostic = {
  name: 'Database Connection',
  about: 'Checks that the database answers, and measures how fast.',
  run: async (run) => {
    const obstacle = obstacleIn(await run.own.as(null).get('/health/ready'));
    const answers: Answer[] = [];
    const healthMs: number[] = [];
    for (let iteration = 1; iteration <= ITERATIONS; iteration += 1) {
      run.progress(iteration - 1, ITERATIONS, `Querying the database, ${iteration} of ${ITERATIONS}`);
      healthMs.push((await run.own.as(null).get('/health')).ms);
      answers.push(await run.own.get('/test/database'));
    }
    const finding = judged(answers, healthMs);
    return obstacle === null ? finding : unready(finding, obstacle);
  },
};

/** The reason why the installation is not ready; null if it is. */
function obstacleIn(ready: Answer): string | null {
  const { status, reason } = (ready.body ?? {}) as Partial<Readiness>;
  if (ready.status === 200 && status === 'ready') {
    return null;
  }
  return (reason ?? `${ready.call} answered ${ready.status}${sentenceOf(ready)}`).replace(/\.$/, '');
}

/** Other obstacles than the database have their own tests, which judge them. This one only warns. */
function unready({ verdict, message, details }: Finding, obstacle: string): Finding {
  return {
    verdict: worst([verdict, 'warning']),
    message: `${message} But the installation reports that it is not ready: ${obstacle}. Run the other database tests.`,
    details: { ...(details as object), notReady: obstacle },
  };
}

function judged(answers: Answer[], healthMs: number[]): Finding {
  const facts = answers.map((answer) => {
    const { details } = bodyOf<DatabaseTest>(answer, 200);
    if (typeof details?.latencyMs !== 'number') {
      throw new Unexpected(`${answer.call} answered without the time that a statement took`, answer);
    }
    return details;
  });
  const last = facts.at(-1) as DatabaseTest['details'];
  const measured: Measured = {
    databaseMs: percentile(
      facts.map(({ latencyMs }) => latencyMs),
      0.5,
    ),
    callMs: percentile(
      answers.map(({ ms }) => ms),
      0.5,
    ),
    healthMs: percentile(healthMs, 0.5),
  };
  const verdict = worst([databaseVerdict(measured), verdictOf(speedOf(measured.callMs))]);
  const details = {
    ...last,
    medianStatementMs: round(measured.databaseMs),
    medianCallMs: round(measured.callMs),
    medianHealthMs: round(measured.healthMs),
    statementMs: facts.map(({ latencyMs }) => round(latencyMs)),
    callMs: answers.map(({ ms }) => round(ms)),
  };
  const figures = `one statement takes ${round(measured.databaseMs)} ms, the whole call ${round(measured.callMs)} ms`;
  if (verdict === 'success') {
    return success(`PostgreSQL ${last.serverVersion} answers: ${figures}.`, details);
  }
  const finding = verdict === 'warning' ? warning : failure;
  return finding(`The database answers slowly: ${figures}. ${causeOf(measured, last)}`, details);
}

/** Names the slow part and the remedy. */
function causeOf(measured: Measured, { connections, maxConnections }: DatabaseTest['details']): string {
  const others = `a call that needs no database takes ${round(measured.healthMs)} ms`;
  if (measured.databaseMs >= SLUGGISH_STATEMENT_MS) {
    return `The database is slow, not the network (${others}). Check the load of the database server and its network.`;
  }
  if (measured.healthMs >= FAST_MS / 2) {
    return `The network or Plenum's own machine is slow, not the database (${others}). Check both.`;
  }
  if (connections === null || maxConnections === null) {
    return `The statement and the network are fast (${others}). Check the load of Plenum's machine, and run this test in the admin portal: calls may wait for a connection to the database.`;
  }
  return connections >= maxConnections
    ? `All ${maxConnections} connections to the database are in use, so calls wait for each other. Find the queries that keep them busy.`
    : `The statement and the network are fast (${others}). Check the load of Plenum's machine.`;
}

function round(ms: number): number {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms);
}
