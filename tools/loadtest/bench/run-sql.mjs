import { runSql } from './sql.mjs';

// node tools/loadtest/bench/run-sql.mjs FILE NAME=VALUE…: for the commands that `plenum-load` calls. PGHOST, PGPORT,
// PGUSER and PGDATABASE name the database, PGPASSWORD its password.
const [file, ...settings] = process.argv.slice(2);
if (file === undefined) {
  throw new Error('Name an SQL file.');
}
const split = (setting) => [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)];
await runSql(process.env, file, Object.fromEntries(settings.map(split)));
