//! The weights of the people who may vote, before a question opens, and who has none.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, GroupId, MeetingId, WeightKindId};
use plenum_voting::{ForecastScope, MAX_NAMED_WEIGHTLESS, NamedVoter, Weightless};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::rows::columns::count;
use crate::rows::meeting_owner::is_meeting_of;
use crate::schema::{group_members, meetings};
use crate::voting::eligible::{Eligibility, would_be_registered};

/// The people who may vote in the meeting `$2`, are in one of the groups `$4`, if there are any, and have no value above zero of the kind `$1`.
/// `$3` is null. Members are read once, as a hash table.
const WEIGHTLESS: &str = concat!(
    "SELECT meant.id, meant.name, meant.username, count(*) OVER () AS total FROM ",
    would_be_registered!("name", "username", "weights"),
    " AND coalesce((meant.weights ->> $1)::numeric, 0) = 0 \
      AND (cardinality($4) = 0 OR meant.id IN (SELECT group_members.end_user_id FROM group_members \
                                               WHERE group_members.group_id = ANY ($4))) \
      ORDER BY lower(meant.name), meant.id LIMIT $5"
);

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

/// The people who may vote in a meeting of this client without a value of the scope's kind, or else the meeting's. `None` when the
/// client has no such meeting.
pub(super) fn weightless(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    scope: ForecastScope,
) -> QueryResult<Option<Weightless>> {
    let of_meeting: Option<Option<Uuid>> = meetings::table
        .find(meeting.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select(meetings::weight_kind_id)
        .first(conn)
        .optional()?;
    let Some(of_meeting) = of_meeting else { return Ok(None) };
    let Some(kind) = scope.weight_kind.map(WeightKindId::as_uuid).or(of_meeting) else {
        return Ok(Some(Weightless::default()));
    };
    let groups: Vec<Uuid> = scope.groups.into_iter().map(GroupId::as_uuid).collect();
    let rows: Vec<Row> = diesel::sql_query(WEIGHTLESS)
        .bind::<Text, _>(kind.to_string())
        .bind::<SqlUuid, _>(meeting.as_uuid())
        .bind::<Nullable<SqlUuid>, _>(None::<Uuid>)
        .bind::<Array<SqlUuid>, _>(groups)
        .bind::<BigInt, _>(MAX_NAMED_WEIGHTLESS as i64)
        .load(conn)?;
    let people = rows.first().map_or(Ok(0), |row| count(row.total))?;
    let named = |row: Row| NamedVoter { id: EndUserId::from_uuid(row.id), name: row.name, username: row.username };
    Ok(Some(Weightless { people, first: rows.into_iter().map(named).collect() }))
}

/// The weights of the people who would be in a register if a round of this scope opened now, each with a number of people who have
/// it. `None` when the client has no such meeting.
pub(super) fn eligible_weights(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    scope: ForecastScope,
) -> QueryResult<Option<Vec<(Decimal, u64)>>> {
    if !is_meeting_of(conn, owner, meeting)? {
        return Ok(None);
    }
    let eligible = Eligibility { meeting: meeting.as_uuid(), question: None, open_round: None };
    let weights = match scope.weight_kind {
        Some(kind) => eligible.weights_of_kind(conn, kind.as_uuid())?,
        None => eligible.weights(conn)?,
    };
    let groups: Vec<Uuid> = scope.groups.into_iter().map(GroupId::as_uuid).collect();
    let of_groups = group_members::table.filter(group_members::group_id.eq_any(&groups));
    let members: Vec<Uuid> = of_groups.select(group_members::end_user_id).load(conn)?;
    let members: HashSet<Uuid> = members.into_iter().collect();
    let is_meant = |id: &EndUserId| groups.is_empty() || members.contains(&id.as_uuid());
    Ok(Some(weights.into_iter().filter(|(id, _)| is_meant(id)).map(|(_, weight)| (weight, 1)).collect()))
}
