import { query } from './sql.mjs';

const LONGEST_TEXT = 70;

/** Makes the database record the duration of each statement after its next start. */
export async function keepStatements(database) {
  await query(database.environment, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await query(database.environment, "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
}

/** The total milliseconds of each statement, by its text. */
export async function statements(database) {
  const select = `
    SELECT query AS text, sum(total_exec_time) AS milliseconds
    FROM pg_stat_statements
    WHERE query NOT LIKE '%pg_stat_statements%'
    GROUP BY query`;
  const times = {};
  for (const { text, milliseconds } of await query(database.environment, select)) {
    const name = shortened(text);
    times[name] = (times[name] ?? 0) + milliseconds;
  }
  return times;
}

/** The buffers that a call reads on average, and the number of calls, by statement. Only statements with at least so many calls. */
export async function buffers(database, calls) {
  const select = `
    SELECT query AS text, sum(calls) AS calls, sum(shared_blks_hit + shared_blks_read) / sum(calls) AS each
    FROM pg_stat_statements
    WHERE query NOT LIKE '%pg_stat_statements%'
    GROUP BY query
    HAVING sum(calls) >= ${calls}`;
  const rows = await query(database.environment, select);
  return Object.fromEntries(rows.map((row) => [shortened(row.text), { calls: Number(row.calls), each: Number(row.each) }]));
}

/** The bytes that were written to the write-ahead log since the database was made. */
export async function logBytes(database) {
  const [{ bytes }] = await query(database.environment, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes");
  return Number(bytes);
}

/** In the form of a table cell. */
function shortened(text) {
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll('|', '/').replaceAll('`', "'").trim();
  return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT)}…` : plain;
}
