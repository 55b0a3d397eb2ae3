import { play, playAnywhere } from './load.mjs';
import { startNchan } from './nchan.mjs';
import { cleanUp, fewVotes, manyVotes } from './pgbench.mjs';

const PGBENCH = ['pgbench'];
const NCHAN = ['nginx', 'nchan'];

/** Open files in addition to one for each connection: those of the database, the log and the program. */
const OTHER_FILES = 200;

/** The size of nchan's messages while that of ours is unknown. */
const USUAL_BYTES = 600;

/** The number of connections of a row, for rows with many of them. */
const FILES = {
  'ballots.arrivals': ({ voters }) => voters + OTHER_FILES,
  'fan-out.screens': ({ watchers }) => watchers + OTHER_FILES,
  'fan-out.voters': ({ watchers, watchersWhoVote }) => watchers + watchersWhoVote + OTHER_FILES,
  // Each has a second connection to request its place, in addition to the row's own voters and streams.
  'sign-in-burst.plenum': ({ signIns }) => 2 * signIns + 1_000,
  'fan-out.stalled': ({ watchers, stalled }) => watchers + stalled + OTHER_FILES,
};

/**
 * The measurements against a running server: the row's name in the report, the needed programs, and the measurement.
 * Ours and theirs are next to each other, so that they are measured one right after the other.
 */
export const ROWS = [
  ours('ballots.plenum-64', 'ballots', closed),
  ours('ballots.secret-64', 'ballots', (sizes) => [...closed(sizes), '--secrecy', 'secret']),
  {
    name: 'ballots.pgbench-64',
    needs: PGBENCH,
    measure: ({ programs, sizes }, server) =>
      withoutTraces(server, () => manyVotes(programs, server.database, sizes.connections, sizes.pgbenchSeconds)),
  },
  ours('ballots.bare-64', 'ballots', (sizes) => [...closed(sizes), '--bare']),
  ours('ballots.arrivals', 'ballots', ({ voters, within }) => ['--voters', voters, '--within', within]),
  ours('ballots.low-rate', 'ballots', ({ lowRate, lowRateSeconds }) => [
    ...['--voters', lowRate * lowRateSeconds],
    ...['--rate', lowRate],
  ]),
  {
    name: 'ballots.pgbench-low-rate',
    needs: PGBENCH,
    measure: ({ programs, sizes }, server) =>
      withoutTraces(server, () => fewVotes(programs, server.database, sizes.lowRate, sizes.lowRateSeconds)),
  },
  {
    ...ours('fan-out.screens', 'fan-out', screens),
    after: (context, outcome) => {
      context.eventBytes = Math.round(outcome.figures.find(({ name }) => name === 'bytes_per_step').value);
    },
  },
  { name: 'fan-out.nchan', needs: NCHAN, files: FILES['fan-out.screens'], measure: watchNchan },
  ours('fan-out.voters', 'fan-out', ({ watchers, steps, pause, watchersWhoVote }) => [
    ...['--as', 'voters', '--step', 'open', '--watchers', watchers, '--steps', steps, '--pause', pause],
    ...['--votes', watchersWhoVote],
  ]),
  ours('fan-out.stalled', 'fan-out', (sizes) => [...screens(sizes), '--stalled', sizes.stalled]),
  ours('sign-in-burst.plenum', 'sign-in-burst', ({ signIns, before }) => ['--sign-ins', signIns, '--before', before]),
  {
    name: 'sign-in-burst.bcrypt',
    needs: [],
    measure: (context, _server, file) => {
      const seconds = String(context.sizes.bcryptSeconds);
      return playAnywhere(context, ['bcrypt', '--seconds', seconds, '--json', file], process.env, file);
    },
  },
  ours('assembly.plenum', 'assembly', ({ assembly }) => Object.entries(assembly).flatMap(([name, value]) => [`--${name}`, value])),
];

/** A scenario of `plenum-load` against one of our servers. */
function ours(name, scenario, argsOf) {
  const measure = (context, server, file) =>
    play(context, server, scenario, [...memoryOf(scenario, server), ...argsOf(context.sizes)], file);
  // Memory that was used before and released would hide the memory of streams.
  return { name, needs: [], files: FILES[name], isOnNewServer: scenario === 'fan-out', measure };
}

function memoryOf(scenario, server) {
  return scenario === 'fan-out' ? ['--server-pid', server.pid] : [];
}

function closed({ connections, voters, rounds }) {
  return ['--connections', connections, '--voters', voters, '--rounds', rounds];
}

/** Presentations need neither voters nor sessions, so only the event is sent. */
function screens({ watchers, steps, pause }) {
  const played = ['--watchers', watchers, '--steps', steps, '--pause', pause];
  return ['--as', 'screens', '--step', 'show', '--voters', 1, ...played];
}

async function watchNchan(context, _server, file) {
  const { programs, sizes } = context;
  const nchan = await startNchan(programs, sizes.watchers + sizes.stalled);
  const asked = {
    'subscribe-url': nchan.subscribeUrl,
    'publish-url': nchan.publishUrl,
    watchers: sizes.watchers,
    events: sizes.steps,
    pause: sizes.pause,
    bytes: context.eventBytes ?? USUAL_BYTES,
    'server-pid': nchan.pid,
    json: file,
  };
  try {
    const args = Object.entries(asked).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return await playAnywhere(context, ['watch', ...args], process.env, file);
  } finally {
    await nchan.stop();
  }
}

async function withoutTraces(server, measure) {
  try {
    return await measure();
  } finally {
    await cleanUp(server.database);
  }
}
