use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use uuid::Uuid;

use super::checks::{CHECKS, Check};
use crate::rows::count;

/// How many issues of one check are named; the others are counted only.
const MAX_ISSUES: i64 = 100;

/// Something stored that contradicts something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityIssue {
    /// The table that the row is in.
    pub table: String,
    /// The row's id; where rows have none, that of what they hang on.
    pub id: Uuid,
    /// What is wrong, as a sentence. It names ids, and nothing that people have typed.
    pub message: String,
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityCheck {
    /// The name of the check.
    pub name: &'static str,
    /// How many issues there are.
    pub found: u64,
    /// The first hundred of them.
    pub issues: Vec<IntegrityIssue>,
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

/// Runs every check, by one statement each.
pub(super) fn run_all(conn: &mut PgConnection, owner: Option<Uuid>) -> QueryResult<Vec<IntegrityCheck>> {
    CHECKS.iter().map(|check| run(conn, check, owner)).collect()
}

/// Whose rows are looked at is decided here, for all checks alike. Rows that belong to nobody (whose parent is missing)
/// are shown only to those who see all clients.
fn run(conn: &mut PgConnection, check: &Check, owner: Option<Uuid>) -> QueryResult<IntegrityCheck> {
    let statement = format!(
        "SELECT table_name::text AS table_name, id, message::text AS message, count(*) OVER () AS total \
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
    Ok(IntegrityCheck { name: check.name, found, issues })
}
