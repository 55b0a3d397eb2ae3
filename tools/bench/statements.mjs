import { query } from './pgbench.mjs';

const LONGEST_TEXT = 70;

/** From its next start on the database keeps how long each statement takes. */
export async function keepStatements(programs, database) {
  const commands = [
    'CREATE EXTENSION IF NOT EXISTS pg_stat_statements',
    "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'",
  ];
  await query(programs, database, commands.flatMap((command) => ['--command', command]));
}

/** The milliseconds that each statement has taken so far, by its text. */
export async function statements(programs, database) {
  const select = `
    SELECT json_object_agg(query, total)
    FROM (
      SELECT query, sum(total_exec_time) AS total
      FROM pg_stat_statements
      WHERE query NOT LIKE '%pg_stat_statements%'
      GROUP BY query
    ) AS kept`;
  const kept = JSON.parse(await query(programs, database, ['--command', select])) ?? {};
  const times = {};
  for (const [text, milliseconds] of Object.entries(kept)) {
    const name = shortened(text);
    times[name] = (times[name] ?? 0) + milliseconds;
  }
  return times;
}

/** As it can stand in a table. */
function shortened(text) {
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll('|', '/').replaceAll('`', "'").trim();
  return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT)}…` : plain;
}
