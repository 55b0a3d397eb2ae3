//! Rounds of meetings with check-in: the people who are present by the record, and those who could vote and are neither present nor
//! represented.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Uuid as SqlUuid};
use uuid::Uuid;

use crate::rows::weight_kinds::{kind_in_force, kind_of_round, second_kind_of_round, second_weight_by, weight_by};
use crate::schema::{meetings, people_present, rounds};
use crate::voting::eligible::{Eligibility, Eligible, EligibleRow, counts_heads, would_be_registered};
use crate::voting::round_proxies::{live_proxies, represented_by_record};

/// The people who are checked in, eligible or not, for a round whose rule is the record. `None` for another rule. The meeting MUST be
/// locked, so that nobody is checked in or out meanwhile.
pub(crate) fn present_by_record(conn: &mut PgConnection, round: Uuid) -> QueryResult<Option<Vec<Uuid>>> {
    let (meeting, presence): (Uuid, String) =
        rounds::table.find(round).select((rounds::meeting_id, rounds::presence)).first(conn)?;
    if presence == "CHECKED_IN" { checked_in_people(conn, meeting).map(Some) } else { Ok(None) }
}

/// The people who are checked in to a meeting, eligible or not.
pub(crate) fn checked_in_people(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Vec<Uuid>> {
    let of_meeting = people_present::table.filter(people_present::meeting_id.eq(meeting));
    of_meeting.select(people_present::end_user_id).load(conn)
}

/// Everybody who could vote in the round `$1` of the question `$3` in the meeting `$2`, and is not in its register.
const ABSENT: &str = concat!(
    "UPDATE rounds SET absent_heads = sums.heads, absent_weight = sums.weight, absent_second_weight = sums.second_weight \
     FROM (SELECT count(*) AS heads, \
                  coalesce(sum(CASE WHEN (SELECT counts_heads FROM rounds WHERE id = $1) THEN 1 ELSE ",
    weight_by!("meant", kind_of_round!()),
    " END), 0) AS weight, coalesce(sum(",
    second_weight_by!("meant", second_kind_of_round!()),
    "), 0) AS second_weight \
           FROM ",
    would_be_registered!("weight", "weights"),
    " AND meant.id NOT IN (SELECT register.end_user_id FROM register WHERE register.round_id = $1)) AS sums \
     WHERE rounds.id = $1"
);

/// Counts the people who could vote in a round with check-in and are not in its register. Nothing for other rounds.
pub(crate) fn count_absent(conn: &mut PgConnection, round: Uuid) -> QueryResult<()> {
    let place: Option<(Uuid, Uuid)> = rounds::table
        .find(round)
        .filter(rounds::presence.eq("CHECKED_IN"))
        .select((rounds::meeting_id, rounds::question_id))
        .first(conn)
        .optional()?;
    let Some((meeting, question)) = place else { return Ok(()) };
    diesel::sql_query(ABSENT)
        .bind::<SqlUuid, _>(round)
        .bind::<SqlUuid, _>(meeting)
        .bind::<SqlUuid, _>(question)
        .execute(conn)?;
    Ok(())
}

/// The people who may vote on the question `$3` in the meeting `$2`, those of them who are checked in, and those who are not, but
/// represented by the proxies of the open round `$1` or, without one, of the next opening.
const CHECKED_IN: &str = concat!(
    "SELECT count(*) FILTER (WHERE meant.is_present) AS present_heads, \
            coalesce(sum(meant.weight) FILTER (WHERE meant.is_present), 0) AS present_weight, \
            count(*) FILTER (WHERE meant.is_represented) AS represented_heads, \
            coalesce(sum(meant.weight) FILTER (WHERE meant.is_represented), 0) AS represented_weight, \
            count(*) AS heads, coalesce(sum(meant.weight), 0) AS weight \
     FROM (SELECT CASE WHEN (SELECT ",
    counts_heads!(),
    " FROM questions WHERE questions.id = $3) THEN 1 ELSE ",
    weight_by!("meant", kind_in_force!()),
    " END AS weight, \
                  meant.id IN (SELECT people_present.end_user_id FROM people_present WHERE people_present.meeting_id = $2) \
                      AS is_present, \
                  meant.id IN (",
    represented_by_record!(live_proxies!()),
    ") AS is_represented \
           FROM ",
    would_be_registered!("weight", "weights"),
    ") AS meant"
);

/// The present and represented people by the record and all who may vote, if the meeting has check-in.
pub(crate) fn checked_in(conn: &mut PgConnection, now: Eligibility) -> QueryResult<Option<Eligible>> {
    let check_in: String = meetings::table.find(now.meeting).select(meetings::check_in).first(conn)?;
    if check_in != "ON" {
        return Ok(None);
    }
    check_in_totals(conn, now).map(Some)
}

/// The people who may vote, and those of them who are checked in, also in a meeting without check-in.
pub(crate) fn check_in_totals(conn: &mut PgConnection, now: Eligibility) -> QueryResult<Eligible> {
    let row: EligibleRow = diesel::sql_query(CHECKED_IN)
        .bind::<Nullable<SqlUuid>, _>(now.open_round)
        .bind::<SqlUuid, _>(now.meeting)
        .bind::<Nullable<SqlUuid>, _>(now.question)
        .get_result(conn)?;
    row.try_into()
}
