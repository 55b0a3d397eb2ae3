//! SQL conditions for test data (decision 28). No other module has such conditions.
//!
//! Each condition reads the other table only for rows that are test data themselves, which are few.

use diesel::dsl::not;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use uuid::Uuid;

use crate::schema::{clients, end_users, meetings};

/// Whether a row of `end_users` or `meetings` counts within its client: all but test data of a client that is not test data.
macro_rules! counts_in_its_client {
    ($table:literal) => {
        concat!(
            "(NOT ",
            $table,
            ".is_test OR (SELECT clients.is_test FROM clients WHERE clients.id = ",
            $table,
            ".client_id))"
        )
    };
}

/// Whether a row counts for the whole platform: its client is not test data, or it has none.
macro_rules! is_of_a_real_client {
    ($table:literal) => {
        concat!(
            "(",
            $table,
            ".client_id IS NULL \
              OR ",
            $table,
            ".client_id <> ALL (ARRAY(SELECT clients.id FROM clients WHERE clients.is_test)))"
        )
    };
}

/// Whether an active end user `$person` has a vote in the meeting `$meeting`: test people only if the meeting or its client
/// is test data. Without a participant list only these people are invited.
macro_rules! has_a_vote {
    ($person:literal, $meeting:literal) => {
        concat!(
            "(NOT ", $person, ".is_test \
              OR EXISTS (SELECT FROM meetings AS joined JOIN clients AS joined_client ON joined_client.id = joined.client_id \
                         WHERE joined.id = ", $meeting, " AND (joined.is_test OR joined_client.is_test)))"
        )
    };
}

pub(crate) use {counts_in_its_client, has_a_vote, is_of_a_real_client};

/// Whether an end user is active and included when everyone is invited. `tests_too` includes test people.
#[diesel::dsl::auto_type]
pub(crate) fn is_among_active(tests_too: bool) -> _ {
    end_users::is_active.and(not(end_users::is_test).or(tests_too.into_sql::<Bool>()))
}

/// Whether test people are included when everyone is invited to this existing meeting.
pub(crate) fn is_for_tests(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<bool> {
    let is_test = meetings::table.inner_join(clients::table).filter(meetings::id.eq(meeting));
    is_test.select(meetings::is_test.or(clients::is_test)).first(conn)
}
