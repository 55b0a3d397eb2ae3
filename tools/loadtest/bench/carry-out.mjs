import { carryOut } from './sql.mjs';

// node tools/loadtest/bench/carry-out.mjs FILE NAME=VALUE…: for the commands that `plenum-load` calls. PGHOST, PGPORT,
// PGUSER and PGDATABASE name the database, PGPASSWORD its password.
const [file, ...settings] = process.argv.slice(2);
if (file === undefined) {
  throw new Error('Which file of SQL?');
}
const split = (setting) => [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)];
await carryOut(process.env, file, Object.fromEntries(settings.map(split)));
