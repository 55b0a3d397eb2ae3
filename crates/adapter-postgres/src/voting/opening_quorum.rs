//! Presence when a question opens.

use diesel::dsl::{count_star, sum};
use diesel::prelude::*;
use plenum_voting::{Count, OpenRoundError, check_quorum};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::pool::failure::Abort;
use crate::rows::columns::count;
use crate::rows::terms::{PlannedQuorumColumn, QuorumColumn, meeting_quorum};
use crate::schema::{meetings, register, rounds};
use crate::voting::round_proxies::represented_apart_from;

/// Refuses if too few people of the register are connected or represented and the meeting requires a quorum. The register MUST be filled.
pub(crate) fn require_quorum(
    conn: &mut PgConnection,
    meeting: Uuid,
    round: Uuid,
    connected: &[Uuid],
) -> Result<(), Abort<OpenRoundError>> {
    let (column, at_opening): (Option<PlannedQuorumColumn>, Option<String>) =
        meetings::table.find(meeting).select((meetings::quorum, meetings::quorum_at_opening)).first(conn)?;
    let Some(of_meeting) = meeting_quorum(column, at_opening.as_deref())? else { return Ok(()) };
    type Found = (Option<QuorumColumn>, i32, Decimal, i32, Decimal);
    let (of_round, heads, weight, absent_heads, absent_weight): Found = rounds::table
        .find(round)
        .select((
            rounds::quorum,
            rounds::register_heads,
            rounds::register_weight,
            rounds::absent_heads,
            rounds::absent_weight,
        ))
        .first(conn)?;
    let absent = Count { heads: count(i64::from(absent_heads))?, weight: absent_weight };
    let register = Count { heads: count(i64::from(heads))?, weight }.plus(absent);
    let (heads, weight) = count_connected(conn, round, connected)?;
    let represented = represented_apart_from(conn, round, connected)?;
    let attending = Count { heads: count(heads)?, weight }.plus(represented);
    let of_round = of_round.map(|QuorumColumn(quorum)| quorum);
    check_quorum(of_round, Some(of_meeting), attending, register).map_err(|rule| Abort::Refused(rule.into()))
}

/// The people of a round's register who are among these.
fn count_connected(conn: &mut PgConnection, round: Uuid, connected: &[Uuid]) -> QueryResult<(i64, Decimal)> {
    let (heads, weight): (i64, Option<Decimal>) = register::table
        .filter(register::round_id.eq(round).and(register::end_user_id.eq_any(connected)))
        .select((count_star(), sum(register::weight)))
        .first(conn)?;
    Ok((heads, weight.unwrap_or_default()))
}
