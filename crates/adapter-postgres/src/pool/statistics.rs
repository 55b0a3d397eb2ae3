//! What the planner knows of tables to which very many rows come at once.

use diesel::prelude::*;
use diesel::sql_types::Text;

/// From so many rows on, written by one statement, the statistics are refreshed; fewer change no plan.
const MANY: usize = 500;

/// A table that grows by thousands of rows at once, or to which as many refer.
#[derive(Clone, Copy)]
pub(crate) enum Grown {
    EndUsers,
    Meetings,
    Participants,
}

/// Lets the database look at a table again where `rows` are many: once they are written, and before others refer to them.
/// Statements look rows up by their keys whatever the statistics say, but the checks of foreign keys are PostgreSQL's own.
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
