import { existsSync, readFileSync } from 'node:fs';
import { run } from './children.mjs';
import { superAdmin } from './server.mjs';

/** Carries out a file of SQL in the database that a scenario runs on: a command for `plenum-load`. */
export function sqlCommand(file, settings) {
  return [`"${process.execPath}" tools/loadtest/bench/carry-out.mjs ${file}`, ...settings].join(' ');
}

const OPEN_SESSIONS = sqlCommand('tools/loadtest/bench/open-sessions.sql', [
  'client="$PLENUM_LOAD_CLIENT_ID"',
  'secret="$PLENUM_LOAD_SECRET"',
]);

/**
 * Plays a scenario against a server of ours, or against several instances of it (`urls`). Voters get their sessions from
 * the database: thousands of sign-ins before the measuring would take minutes, and are a scenario of their own. `onLine`
 * is told how far it has come.
 */
export async function play(context, server, scenario, args, file, onLine) {
  const urls = server.urls ?? [server.url];
  const always = [...urls.flatMap((url) => ['--url', url]), '--open-sessions', OPEN_SESSIONS, '--json', file];
  return playAnywhere(context, [scenario, ...always, ...args.map(String)], server.database.environment, file, onLine);
}

/** Runs any of `plenum-load`'s commands that leaves an outcome. */
export async function playAnywhere(context, args, environment, file, onLine) {
  const signIn = { PLENUM_SUPER_ADMIN_EMAIL: superAdmin.email, PLENUM_SUPER_ADMIN_PASSWORD: superAdmin.password };
  let failure;
  try {
    await run(context.load, args, { env: { ...environment, ...signIn } }, onLine);
  } catch (error) {
    failure = error;
  }
  // A run that lost a vote has failed, and its outcome says so.
  if (failure !== undefined && !existsSync(file)) {
    throw failure;
  }
  if (failure !== undefined) {
    context.folder.hasFailures = true;
    console.error(failure.message);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
