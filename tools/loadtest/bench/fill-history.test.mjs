import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { removeAllFolders } from './folders.mjs';
import { newHome, onServer, runCommand, superAdmin } from './server.mjs';
import { query, runSql } from './sql.mjs';

after(removeAllFolders);

const HISTORY = { clients: 5, meetings: 20, client_meetings: 4, votes: 2_000, end_users: 150 };

/** Adds every foreign key again, so that each row is checked, even if it was written while checks were off. */
const ADD_KEYS_AGAIN = `DO $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT oid, conrelid::regclass AS of_table, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', one.of_table, 'again_' || one.oid, one.definition);
  END LOOP;
END $$`;

const HOW_MANY = `
  SELECT (SELECT count(*) FROM meetings WHERE client_id = clients.id)::int AS meetings,
         (SELECT count(*) FROM end_users WHERE client_id = clients.id)::int AS end_users,
         (SELECT count(*) FROM rounds JOIN register ON round_id = rounds.id WHERE client_id = clients.id)::int AS entries,
         (SELECT count(*) FROM rounds JOIN votes ON round_id = rounds.id WHERE client_id = clients.id)::int AS votes
  FROM clients ORDER BY name`;

test('what is filled in is as much as was asked for, and everything that must be true of it is', async () => {
  const home = newHome();
  await onServer('target/debug/plenum', home, async ({ url, database: { environment } }) => {
    const call = await signIn(url);
    const client = await makeClient(call, 'Measured');
    await runSql(environment, 'tools/loadtest/bench/fill-history.sql', { client, ...HISTORY });
    const others = [4, 3, 3, 3, 3].map((meetings) => rowOf(meetings, 100));
    assert.deepEqual(sorted(await query(environment, HOW_MANY)), sorted([rowOf(4, 150), ...others]));

    // Again for another organization, as the next run does.
    const next = await makeClient(call, 'Measured next');
    await runSql(environment, 'tools/loadtest/bench/fill-history.sql', { client: next, ...HISTORY, clients: 1, meetings: 4, votes: 400 });
    const [{ votes }] = await query(environment, 'SELECT count(*)::int AS votes FROM votes');
    assert.equal(votes, 2_400);

    await query(environment, ADD_KEYS_AGAIN);
  });
  // The results were declared without the server, as by a version without records.
  runCommand('target/debug/plenum', home, ['evidence-key', 'record-earlier', '--yes']);
  await onServer('target/debug/plenum', home, async ({ url }) => {
    const call = await signIn(url);
    const integrity = await call('GET', '/test/data-integrity');
    assert.ok(integrity.isValid, JSON.stringify(integrity));
  });
});

function rowOf(meetings, people) {
  return { meetings, end_users: people, entries: meetings * 100, votes: meetings * 100 };
}

function sorted(rows) {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

async function signIn(url) {
  const call = async (method, path, body, bearer) => {
    const headers = { 'Content-Type': 'application/json', ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) };
    const answer = await fetch(`${url}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const { token } = await call('POST', '/auth/login', superAdmin);
  return (method, path, body) => call(method, path, body, token);
}

async function makeClient(call, name) {
  const email = `${name.toLowerCase().replace(' ', '-')}@bench.example`;
  const admin = { firstName: 'Olga', lastName: 'Organizer', email, password: 'correct horse battery' };
  const { data } = await call('POST', '/clients', { name, ...admin });
  return data.id;
}
