//! Invited people: those on a meeting's list, or every active end user without a list.
//!
//! After an import the statistics do not include thousands of people. A join of a list with the end users of its client
//! might then read all of one for each row of the other. So each person is found by key, with an offset that prevents a
//! join. Conditions on the client are outside: next to a key they would offer an index by client, which reads all its
//! people.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, MeetingId};
use uuid::Uuid;

/// The invited people of the meeting `$2` of the client `$1`, with a participant list or not (`$3`): their ids and these
/// columns. Also those in none of the meeting's groups, who do not take part. The meeting MUST belong to the client.
macro_rules! invited_outside_groups {
    ($($column:literal),*) => {
        concat!(
            "(SELECT end_users.id",
            $(", end_users.", $column,)*
            " FROM end_users WHERE NOT $3 AND end_users.client_id = $1 AND end_users.is_active AND ",
            $crate::rows::test_data::has_a_vote!("end_users", "$2"),
            " UNION ALL \
             SELECT listed.id",
            $(", listed.", $column,)*
            " FROM participants \
             CROSS JOIN LATERAL (SELECT end_users.id",
            $(", end_users.", $column,)*
            " FROM end_users WHERE end_users.id = participants.end_user_id OFFSET 0) AS listed \
             WHERE $3 AND participants.meeting_id = $2)"
        )
    };
}

/// The same people; if the meeting is for groups, only their members.
macro_rules! invited {
    ($($column:literal),*) => {
        concat!(
            "(SELECT all_invited.* FROM ",
            $crate::meetings::invited::invited_outside_groups!($($column),*),
            " AS all_invited WHERE ",
            $crate::rows::audience::is_in_audience!("all_invited.id", "meetings", "$2"),
            ")"
        )
    };
}

pub(crate) use {invited, invited_outside_groups};

/// The invited people of a meeting. The meeting MUST belong to the client.
pub(crate) struct InvitedPeople {
    pub(crate) owner: ClientId,
    pub(crate) meeting: MeetingId,
    /// Whether the meeting has a participant list.
    pub(crate) has_list: bool,
}

/// An end user with a lock against deletion.
#[derive(QueryableByName)]
pub(crate) struct LockedPerson {
    #[diesel(sql_type = SqlUuid)]
    pub(crate) id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    pub(crate) email: Option<String>,
    #[diesel(sql_type = Bool)]
    pub(crate) is_active: bool,
    #[diesel(sql_type = Bool)]
    pub(crate) has_signed_in: bool,
    #[diesel(sql_type = Bool)]
    pub(crate) is_erased: bool,
}

/// Locks the client's end users among these ids against deletion, in the order of ids.
pub(crate) fn lock_people(conn: &mut PgConnection, owner: ClientId, ids: &[Uuid]) -> QueryResult<Vec<LockedPerson>> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    diesel::sql_query(
        "SELECT found.id, found.email, found.is_active, found.last_login_at IS NOT NULL AS has_signed_in, \
                found.erased_at IS NOT NULL AS is_erased \
         FROM unnest($1) AS given (id) \
         CROSS JOIN LATERAL (SELECT end_users.id, end_users.client_id, end_users.email, end_users.is_active, \
                                    end_users.last_login_at, end_users.erased_at \
                             FROM end_users WHERE end_users.id = given.id OFFSET 0 FOR KEY SHARE) AS found \
         WHERE found.client_id = $2",
    )
    .bind::<Array<SqlUuid>, _>(ids)
    .bind::<SqlUuid, _>(owner.as_uuid())
    .load(conn)
}

/// All invited people, or those among the named ones, locked against deletion. The meeting MUST be locked, so that its list
/// does not change.
pub(crate) fn lock_invited(
    conn: &mut PgConnection,
    invited: &InvitedPeople,
    named: Option<&[Uuid]>,
) -> QueryResult<Vec<LockedPerson>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
    }
    let rows: Vec<Row> = diesel::sql_query(concat!("SELECT invited.id FROM ", invited!(), " AS invited"))
        .bind::<SqlUuid, _>(invited.owner.as_uuid())
        .bind::<SqlUuid, _>(invited.meeting.as_uuid())
        .bind::<Bool, _>(invited.has_list)
        .load(conn)?;
    let named: Option<HashSet<&Uuid>> = named.map(|ids| ids.iter().collect());
    let is_meant = |id: &Uuid| named.as_ref().is_none_or(|named| named.contains(id));
    let meant: Vec<Uuid> = rows.into_iter().map(|row| row.id).filter(is_meant).collect();
    let mut people = lock_people(conn, invited.owner, &meant)?;
    // Skips people on a list who were deactivated meanwhile.
    people.retain(|person| invited.has_list || person.is_active);
    Ok(people)
}
