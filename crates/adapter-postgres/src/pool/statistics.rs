//! Refreshes the planner's statistics of tables that grow by many rows at once.

use diesel::prelude::*;
use diesel::sql_types::Text;

/// The number of rows, written by one statement, from which statistics are refreshed. Fewer rows change no plan.
const MANY: usize = 500;

/// A table that grows by thousands of rows at once, or that as many rows refer to.
#[derive(Clone, Copy)]
pub(crate) enum Grown {
    EndUsers,
    Meetings,
    Participants,
}

/// Refreshes the statistics of a table after `rows` were written and before others refer to them, if there are many. Our
/// statements find rows by key in any case, but PostgreSQL plans its checks of foreign keys itself.
pub(crate) fn refresh_for(conn: &mut PgConnection, table: Grown, rows: usize) -> QueryResult<()> {
    if rows >= MANY {
        let name = match table {
            Grown::EndUsers => "end_users",
            Grown::Meetings => "meetings",
            Grown::Participants => "participants",
        };
        diesel::sql_query("SELECT refresh_statistics($1)").bind::<Text, _>(name).execute(conn)?;
    }
    Ok(())
}
