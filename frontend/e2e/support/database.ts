import postgres from 'postgres';
import type { PlenumServer } from './plenum-server';

/** The user and the database of a server's own PostgreSQL. */
export const DATABASE_NAME = 'plenum';

/** The socket of a server's own PostgreSQL; the port is only a part of the name. */
export function socketPathOf(server: PlenumServer): string {
  return `${server.databaseSocket}/.s.PGSQL.5432`;
}

export type Sql = postgres.Sql;

/** Accesses a server's database directly, for tests that damage an installation or read its rows. */
export async function onDatabase<T>(server: PlenumServer, work: (sql: Sql) => Promise<T>): Promise<T> {
  const path = socketPathOf(server);
  const sql = postgres({ path, user: DATABASE_NAME, database: DATABASE_NAME, max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/**
 * A digest of the rows of each table: equal digests have equal rows. Attendance is recorded as long as a meeting runs,
 * so it is excluded until the meeting has ended. The audit log is excluded too, because it also records deletions.
 */
export function fingerprintOf(server: PlenumServer): Promise<Record<string, string>> {
  return onDatabase(server, async (sql) => {
    const tables = await sql<{ name: string }[]>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'audit%'
      ORDER BY tablename`;
    const prints: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await sql<{ print: string }[]>`
        SELECT count(*) || ' rows, ' || md5(coalesce(string_agg(one::text, E'\n' ORDER BY one::text), '')) AS print
        FROM ${sql(name)} AS one
        WHERE ${name} <> 'attendance'
           OR to_jsonb(one) ->> 'meeting_id' NOT IN (SELECT id::text FROM meetings WHERE status = 'ACTIVE')`;
      prints[name] = row?.print ?? '';
    }
    return prints;
  });
}
