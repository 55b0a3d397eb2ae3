use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use uuid::Uuid;

use super::checks::{CHECKS, Check};
use crate::rows::columns::count;

/// The maximum number of issues that a check lists. All are counted.
const MAX_ISSUES: i64 = 100;

/// Stored data that contradicts other data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityIssue {
    /// The table of the row.
    pub table: String,
    /// The id of the row; of its parent, if the row has none.
    pub id: Uuid,
    /// A sentence about the mistake. It contains ids, and no text of people.
    pub message: String,
}

/// The findings of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityCheck {
    /// The name of the check.
    pub name: &'static str,
    /// The number of issues.
    pub found: u64,
    /// The first hundred issues.
    pub issues: Vec<IntegrityIssue>,
    /// The error of the database if the check failed, for example because a column is missing.
    pub failure: Option<String>,
}

#[derive(QueryableByName)]
struct IssueRow {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    message: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

/// A check of millions of votes may take longer than calls of people.
const LONG_STATEMENTS: &str = "SET LOCAL statement_timeout = '5min'";

/// Rows are found by key, for any share of a table that the planner expects of a client. A sequential scan would read
/// the rows of all clients, and its time would reveal information about others. Older versions rate disabled scans as
/// very expensive, and would start the JIT compiler for them.
const LOOKED_UP_ROWS: &str = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; \
                              SET LOCAL enable_mergejoin = off; SET LOCAL jit = off";

/// Rows of all clients are read once and joined by hash: most may be newer than the statistics, and a plan by them might read
/// all rows of one table for each row of another.
const ALL_ROWS: &str = "SET LOCAL enable_seqscan = on; SET LOCAL enable_nestloop = off";

/// Runs every check, by one statement each. MUST be called in a transaction, whose settings it changes.
pub(super) fn run_all(conn: &mut PgConnection, owner: Option<Uuid>) -> QueryResult<Vec<IntegrityCheck>> {
    conn.batch_execute(LONG_STATEMENTS)?;
    conn.batch_execute(if owner.is_some() { LOOKED_UP_ROWS } else { ALL_ROWS })?;
    CHECKS.iter().map(|check| run_or_report(conn, check, owner)).collect()
}

/// Runs a check in a savepoint, so that one that fails does not stop the others: a database that lacks a column is one of
/// those to be checked.
fn run_or_report(conn: &mut PgConnection, check: &Check, owner: Option<Uuid>) -> QueryResult<IntegrityCheck> {
    match conn.transaction(|conn| run(conn, check, owner)) {
        Err(Error::DatabaseError(DatabaseErrorKind::Unknown, refusal)) => {
            let failure = Some(refusal.message().to_owned());
            Ok(IntegrityCheck { name: check.name, found: 0, issues: Vec::new(), failure })
        }
        outcome => outcome,
    }
}

/// The scope of all checks. Rows without a client (because their parent is missing) are only in the scope of all clients.
fn run(conn: &mut PgConnection, check: &Check, owner: Option<Uuid>) -> QueryResult<IntegrityCheck> {
    let statement = format!(
        "WITH scope_rounds AS MATERIALIZED (SELECT * FROM rounds WHERE $1 IS NULL OR client_id = $1) \
         SELECT table_name::text AS table_name, id, message::text AS message, count(*) OVER () AS total \
         FROM ({}) AS found WHERE $1 IS NULL OR client_id = $1 ORDER BY table_name, id, message LIMIT $2",
        check.find
    );
    let rows: Vec<IssueRow> =
        diesel::sql_query(statement).bind::<Nullable<SqlUuid>, _>(owner).bind::<BigInt, _>(MAX_ISSUES).load(conn)?;
    let found = count(rows.first().map_or(0, |row| row.total))?;
    let issues = rows
        .into_iter()
        .map(|row| IntegrityIssue { table: row.table_name, id: row.id, message: row.message })
        .collect();
    Ok(IntegrityCheck { name: check.name, found, issues, failure: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::TestDatabase;

    /// A client with a running meeting, a question, and a round with 20,000 votes of 20,000 people. Two other clients have a
    /// round each with two people; in the second's, one has voted.
    const ONE_LARGE_AND_TWO_SMALL: &str = "
        CREATE FUNCTION id(client integer, number integer) RETURNS uuid LANGUAGE sql IMMUTABLE
        RETURN (lpad(client::text, 8, '0') || lpad(number::text, 24, '0'))::uuid;
        CREATE TEMPORARY TABLE sizes (client, voters, votes) AS VALUES (1, 20000, 20000), (2, 2, 0), (3, 2, 1);
        INSERT INTO clients SELECT id(client, 0), 'Club', 'club-' || client, 'club@example.org', 'ACTIVE', 'BASIC', now()
            FROM sizes;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT id(client, voter), id(client, 0), 'voter-' || voter, 'Voter', 1, true, 'hash', now()
            FROM sizes, generate_series(1, voters) AS voter;
        INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at,
                              is_recurring, has_participant_list, created_at)
            SELECT id(client, 0), id(client, 0), 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', now(), false,
                   true, now() FROM sizes;
        INSERT INTO participants SELECT client_id, client_id, id FROM end_users;
        INSERT INTO questions SELECT id(client, 0), id(client, 0), id(client, 0), 1, '?', 'YES_NO', true, NULL, NULL, now()
            FROM sizes;
        INSERT INTO options SELECT id(client, 0), id(client, 0), id(client, 0), 1, 'Yes', 'yes' FROM sizes;
        INSERT INTO rounds
            SELECT id(client, 0), id(client, 0), id(client, 0), id(client, 0), 1, 'OPEN', '?', 'YES_NO', NULL, NULL, now(),
                   NULL, voters, voters, false FROM sizes;
        INSERT INTO round_options SELECT question_id, id, position, option_text, role FROM options;
        INSERT INTO register SELECT client_id, id, username, name, weight, now() FROM end_users;
        INSERT INTO votes SELECT id(client, voter), id(client, 0), id(client, voter), ARRAY[id(client, 0)], NULL, NULL, now()
            FROM sizes, generate_series(1, votes) AS voter;
        INSERT INTO round_counters SELECT id(client, 0), 1, votes FROM sizes;
        -- Without names it would lock the tables of other tests, which share the database.
        ANALYZE clients, end_users, meetings, participants, questions, options, rounds, round_options, register, votes,
            round_counters;
        -- Workers count for themselves.
        SET max_parallel_workers_per_gather = 0";

    /// The rows and index entries of each table that this connection has read.
    fn read_so_far(conn: &mut PgConnection, table: &str) -> i64 {
        #[derive(QueryableByName)]
        struct Sum {
            #[diesel(sql_type = BigInt)]
            sum: i64,
        }
        let row: Sum = diesel::sql_query(
            "SELECT pg_stat_get_xact_tuples_returned($1::regclass) \
                    + (SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index \
                       WHERE indrelid = $1::regclass)::bigint AS sum",
        )
        .bind::<Text, _>(table)
        .get_result(conn)
        .unwrap();
        row.sum
    }

    /// The reads of each table for a check of `owner`, whose rows are all right.
    fn read_for(conn: &mut PgConnection, owner: Option<Uuid>, table: &str) -> i64 {
        conn.build_transaction()
            .repeatable_read()
            .read_only()
            .run(|conn| {
                let before = read_so_far(conn, table);
                assert!(run_all(conn, owner)?.iter().all(|check| check.found == 0));
                QueryResult::Ok(read_so_far(conn, table) - before)
            })
            .unwrap()
    }

    #[tokio::test]
    async fn a_clients_checks_read_its_own_votes_and_register_whatever_others_have() {
        let database = TestDatabase::fresh().await;
        let mut conn = database.connection();
        conn.batch_execute(ONE_LARGE_AND_TWO_SMALL).unwrap();
        let owner = |number: u128| Some(Uuid::from_u128(number << 96));
        for table in ["votes", "register", "end_users", "participants"] {
            assert!(read_for(&mut conn, None, table) >= 20_000, "{table}");
            assert!(read_for(&mut conn, owner(1), table) >= 20_000, "{table}");
            for number in [2, 3, 4] {
                let read = read_for(&mut conn, owner(number), table);
                assert!(read <= 50, "{read} of {table} for client {number}");
            }
        }
        assert_eq!(read_for(&mut conn, owner(2), "votes"), 0, "it has none");
        assert_eq!(read_for(&mut conn, owner(4), "register"), 0, "there is no such client");
    }

    #[tokio::test]
    async fn checks_may_take_longer_than_calls_of_people_and_calls_after_them_may_not() {
        #[derive(QueryableByName)]
        struct Timeout {
            #[diesel(sql_type = Text)]
            timeout: String,
        }
        let timeout = |conn: &mut PgConnection| -> QueryResult<String> {
            let row: Timeout =
                diesel::sql_query("SELECT current_setting('statement_timeout') AS timeout").get_result(conn)?;
            Ok(row.timeout)
        };
        let database = TestDatabase::fresh().await;
        let mut conn = database.connection();
        conn.batch_execute("SET statement_timeout = '30s'").unwrap();
        let meanwhile = conn.transaction(|conn| run_all(conn, None).and_then(|_| timeout(conn)));
        assert_eq!(meanwhile.unwrap(), "5min");
        assert_eq!(timeout(&mut conn).unwrap(), "30s");
    }
}
