import { cpus } from 'node:os';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './children.mjs';
import { removeFolder, temporaryFolder } from './folders.mjs';
import { figure, outcome, percentiles } from './outcome.mjs';
import { query, runSql } from './sql.mjs';

const SCRIPTS = 'tools/loadtest/bench/pgbench';
/** The number of voters in a round of the compared scenario. */
const VOTERS = 10_000;
/** More votes per second than any of our machines commits one by one, so that the register does not run out. */
const MOST_PER_SECOND = 40_000;

/**
 * The number of single-row votes that `clients` connections commit in `seconds`, each after the previous one is
 * committed.
 */
export async function manyVotes(programs, database, clients, seconds) {
  await prepare(database, MOST_PER_SECOND * seconds);
  const said = await vote(programs, database, clients, ['--time', String(seconds)]);
  const voted = Number(/number of transactions actually processed: (\d+)/.exec(said)?.[1]);
  await compare(database, voted);
  return outcome('ballots', `pgbench-${clients}`, { clients, seconds }, [
    figure('ballots', '1', voted),
    figure('ballots_per_second', '1/s', Number(/^tps = ([\d.]+)/m.exec(said)?.[1])),
    figure('latency_mean', 'ms', Number(/^latency average = ([\d.]+) ms/m.exec(said)?.[1])),
  ]);
}

/** Single votes of one connection, `rate` a second: the duration of each without other load. */
export async function fewVotes(programs, database, rate, seconds) {
  await prepare(database, VOTERS);
  const logs = temporaryFolder('pgbench');
  const log = ['--log', '--log-prefix', join(logs, 'votes')];
  await vote(programs, database, 1, ['--time', String(seconds), '--rate', String(rate), ...log]);
  const latencies = readdirSync(logs).flatMap((file) => latenciesIn(readFileSync(join(logs, file), 'utf8')));
  removeFolder(logs);
  const latency = percentiles('latency', 'ms', latencies);
  const at = (percent) => latency.percentiles.find(([one]) => one === percent)[1];
  const figures = [figure('latency_median', 'ms', at(50)), figure('latency_p99', 'ms', at(99)), figure('latency_max', 'ms', at(100))];
  return outcome('ballots', 'pgbench-low-rate', { clients: 1, rate, seconds }, figures, [latency]);
}

/** Drops the tables for pgbench. */
export async function cleanUp(database) {
  await query(database.environment, 'DROP SCHEMA IF EXISTS bench CASCADE');
}

async function prepare(database, votes) {
  const settings = { rounds: Math.ceil(votes / VOTERS), voters: VOTERS };
  await runSql(database.environment, join(SCRIPTS, 'prepare.sql'), settings);
}

function vote(programs, database, clients, args) {
  const threads = Math.min(clients, cpus().length);
  const variables = { clients, voters: VOTERS, turn: 0 };
  const defined = Object.entries(variables).flatMap(([name, value]) => ['--define', `${name}=${value}`]);
  const how = ['--no-vacuum', '--protocol', 'prepared', '--client', String(clients), '--jobs', String(threads)];
  return run(programs.pgbench, [...how, ...defined, '--file', join(SCRIPTS, 'vote.sql'), ...args], {
    env: database.environment,
  });
}

/** An insert without an entry in the register is not a vote. */
async function compare(database, voted) {
  const [{ count }] = await query(database.environment, 'SELECT count(*) FROM bench.votes');
  const stored = Number(count);
  if (!(voted > 0) || stored !== voted) {
    throw new Error(`pgbench made ${voted} transactions, and ${stored} votes are stored.`);
  }
}

/** The third number of a log line is the duration of the transaction, in microseconds, from its due time. */
function latenciesIn(log) {
  const lines = log.split('\n').filter((line) => line !== '');
  return lines.map((line) => Number(line.split(' ')[2]) / 1000);
}
