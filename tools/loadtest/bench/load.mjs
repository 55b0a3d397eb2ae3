import { existsSync, readFileSync } from 'node:fs';
import { run } from './children.mjs';
import { superAdmin } from './server.mjs';

/** A command for `plenum-load`: runs an SQL file in the database of a scenario. */
export function sqlCommand(file, settings) {
  return [`"${process.execPath}" tools/loadtest/bench/run-sql.mjs ${file}`, ...settings].join(' ');
}

const OPEN_SESSIONS = sqlCommand('tools/loadtest/bench/open-sessions.sql', [
  'client="$PLENUM_LOAD_CLIENT_ID"',
  'secret="$PLENUM_LOAD_SECRET"',
]);

/**
 * Plays a scenario against one of our servers, or against several of its instances (`urls`). Voters get their sessions
 * from the database: thousands of sign-ins before the measurement would take minutes, and have their own scenario.
 * `onLine` receives the progress.
 */
export async function play(context, server, scenario, args, file, onLine) {
  const urls = server.urls ?? [server.url];
  const always = [...urls.flatMap((url) => ['--url', url]), '--open-sessions', OPEN_SESSIONS, '--json', file];
  return playAnywhere(context, [scenario, ...always, ...args.map(String)], server.database.environment, file, onLine);
}

/** Runs any command of `plenum-load` that writes an outcome. */
export async function playAnywhere(context, args, environment, file, onLine) {
  const signIn = { PLENUM_SUPER_ADMIN_EMAIL: superAdmin.email, PLENUM_SUPER_ADMIN_PASSWORD: superAdmin.password };
  let failure;
  try {
    await run(context.load, args, { env: { ...environment, ...signIn } }, onLine);
  } catch (error) {
    failure = error;
  }
  // A run that lost a vote has failed; its outcome contains that.
  if (failure !== undefined && !existsSync(file)) {
    throw failure;
  }
  if (failure !== undefined) {
    context.folder.hasFailures = true;
    console.error(failure.message);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
