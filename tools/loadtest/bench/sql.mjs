import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The front end's tests have it already, and no database need bring a client along. */
const postgres = createRequire(new URL('../../../frontend/package.json', import.meta.url))('postgres');

/** Asks a database for the rows of one statement; `environment` says where it is, as it does to PostgreSQL's own programs. */
export function query(environment, statement) {
  return onDatabase(environment, {}, (sql) => sql.unsafe(statement));
}

/**
 * Carries out the statements of a file one after another, on one connection, until one fails. They find each setting as
 * `current_setting('bench.…')`. A line that ends in a semicolon ends a statement.
 */
export function carryOut(environment, file, settings) {
  const statements = readFileSync(file, 'utf8').split(/;$/m);
  return onDatabase(environment, settings, async (sql) => {
    for (const statement of statements.filter((one) => one.trim() !== '')) {
      await sql.unsafe(statement).simple();
    }
  });
}

async function onDatabase({ PGHOST, PGPORT, PGUSER, PGDATABASE }, settings, work) {
  const named = Object.entries(settings).map(([name, value]) => [`bench.${name}`, String(value)]);
  const sql = postgres({
    host: PGHOST,
    port: PGPORT,
    user: PGUSER,
    database: PGDATABASE,
    connection: Object.fromEntries(named),
    max: 1,
    // What one statement leaves behind for the next is the connection's, and filling in a history takes long.
    max_lifetime: null,
    onnotice: () => {},
  });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
