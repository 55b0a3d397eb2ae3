import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The front end's tests depend on it already, so that the database needs no client. */
const postgres = createRequire(new URL('../../../frontend/package.json', import.meta.url))('postgres');

/** Queries the rows of one statement. `environment` has the database's address, as for PostgreSQL's own programs. */
export function query(environment, statement) {
  return onDatabase(environment, {}, (sql) => sql.unsafe(statement));
}

/**
 * Runs the statements of a file one after another, on one connection, until one fails. They read each setting as
 * `current_setting('bench.…')`. A line that ends in a semicolon ends a statement.
 */
export function runSql(environment, file, settings) {
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
    // A statement leaves its temporary state in the connection for the next one, and filling in a history takes long.
    max_lifetime: null,
    onnotice: () => {},
  });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
