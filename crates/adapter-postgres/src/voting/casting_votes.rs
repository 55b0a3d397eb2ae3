//! The casting vote of a round, kept with it in a column.

use chrono::{DateTime, Utc};
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgConnection, PgValue};
use diesel::prelude::*;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Jsonb;
use plenum_voting::{CastingVote, CastingVoteError, NewCastingVote, RoundStatus};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pool::failure::Abort;
use crate::schema::rounds;
use crate::voting::round_log::account_name;
use crate::voting::rows::round_status_text;
use crate::voting::steps::LockedMeeting;

/// A casting vote in a column.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct CastingVoteColumn(pub(crate) CastingVote);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredCastingVote {
    in_favor: bool,
    cast_by: String,
    at: DateTime<Utc>,
    noted_by: Option<String>,
}

impl ToSql<Jsonb, Pg> for CastingVoteColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let CastingVote { in_favor, cast_by, at, noted_by } = self.0.clone();
        let json = serde_json::to_value(StoredCastingVote { in_favor, cast_by, at, noted_by })?;
        <Value as ToSql<Jsonb, Pg>>::to_sql(&json, &mut out.reborrow())
    }
}

impl FromSql<Jsonb, Pg> for CastingVoteColumn {
    fn from_sql(stored: PgValue<'_>) -> deserialize::Result<Self> {
        let stored: StoredCastingVote = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        let StoredCastingVote { in_favor, cast_by, at, noted_by } = stored;
        Ok(Self(CastingVote { in_favor, cast_by, at, noted_by }))
    }
}

/// Adds the casting vote to a counted round without one, in its locked meeting.
pub(crate) fn store_casting_vote(conn: &mut PgConnection, new: NewCastingVote) -> Result<(), Abort<CastingVoteError>> {
    let not_open = || Abort::Refused(CastingVoteError::NotOpen);
    let NewCastingVote { request, at } = new;
    let locked = LockedMeeting::lock(conn, request.owner.as_uuid(), request.meeting.as_uuid())?.ok_or_else(not_open)?;
    let cast = CastingVote {
        in_favor: request.in_favor,
        cast_by: request.cast_by,
        at: locked.time(conn, at)?,
        noted_by: Some(account_name(conn, request.by.as_uuid())?),
    };
    let waiting = rounds::table
        .filter(rounds::id.eq(request.round.as_uuid()))
        .filter(rounds::meeting_id.eq(locked.id))
        .filter(rounds::status.eq(round_status_text(RoundStatus::Ended)))
        .filter(rounds::counted_at.is_not_null())
        .filter(rounds::casting_vote.is_null());
    let changed = diesel::update(waiting).set(rounds::casting_vote.eq(Some(CastingVoteColumn(cast)))).execute(conn)?;
    // It is no step: it changes nothing that another organizer could have decided on.
    if changed == 1 { Ok(()) } else { Err(not_open()) }
}
