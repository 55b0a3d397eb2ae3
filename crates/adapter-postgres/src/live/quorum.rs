//! The quorum of a meeting at this moment.

use diesel::prelude::*;
use diesel::sql_types::{Jsonb, Nullable, Numeric, Uuid as SqlUuid};
use plenum_kernel::{AtOpening, EndUserId, Quorum, Unit, WeightKind};
use plenum_meetings::People;
use plenum_meetings::live::{Holders, LiveQuorum, Weights};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use crate::rows::columns::count;
use crate::rows::terms::{PlannedQuorumColumn, QuorumColumn, at_opening};
use crate::rows::weight_kinds::{kind_as_kept, kind_in_force, read_kind};
use crate::schema::{meetings, questions, rounds};
use crate::voting::eligible::{Eligibility, Eligible};
use crate::voting::round_proxies::live_proxies;

/// The current quorum, without the people who may vote: the frozen one of the open round, otherwise that of the
/// question on the screen, otherwise the meeting's.
fn terms(conn: &mut PgConnection, now: Eligibility) -> QueryResult<Option<(Quorum, Option<AtOpening>)>> {
    let (of_meeting, opening, is_second_call): (Option<PlannedQuorumColumn>, Option<String>, bool) = meetings::table
        .find(now.meeting)
        .select((meetings::quorum, meetings::quorum_at_opening, meetings::is_second_call))
        .first(conn)?;
    let in_force = |planned: Option<PlannedQuorumColumn>| {
        planned.map(|PlannedQuorumColumn(planned)| planned.in_force(is_second_call))
    };
    let own: Option<Quorum> = match (now.open_round, now.question) {
        (Some(round), _) => {
            let frozen: Option<QuorumColumn> = rounds::table.find(round).select(rounds::quorum).first(conn)?;
            frozen.map(|QuorumColumn(quorum)| quorum)
        }
        (None, Some(question)) => {
            let own: Option<PlannedQuorumColumn> =
                questions::table.find(question).select(questions::quorum).first(conn)?;
            in_force(own.or(of_meeting))
        }
        (None, None) => in_force(of_meeting),
    };
    let opening = opening.as_deref().map(at_opening).transpose()?;
    Ok(own.map(|quorum| (quorum, opening)))
}

/// The proxies that are in force and do not rest: those of the open round, otherwise those that it would keep if the question
/// opened now.
pub(crate) fn live_holders(conn: &mut PgConnection, now: Eligibility) -> QueryResult<Holders> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        principal_id: Uuid,
        #[diesel(sql_type = SqlUuid)]
        holder_id: Uuid,
    }
    let rows: Vec<Row> = diesel::sql_query(live_proxies!())
        .bind::<Nullable<SqlUuid>, _>(now.open_round)
        .bind::<SqlUuid, _>(now.meeting)
        .bind::<Nullable<SqlUuid>, _>(now.question)
        .load(conn)?;
    let pair = |row: Row| (EndUserId::from_uuid(row.principal_id), EndUserId::from_uuid(row.holder_id));
    Ok(rows.into_iter().map(pair).collect())
}

/// The current quorum, with the people who may vote: those of the record, if the meeting has check-in.
pub(crate) fn live_quorum(
    conn: &mut PgConnection,
    now: Eligibility,
    with_weights: bool,
    by_record: Option<&Eligible>,
) -> QueryResult<Option<(LiveQuorum, Weights)>> {
    let Some((quorum, at_opening)) = terms(conn, now)? else { return Ok(None) };
    let (eligible, weights) = if let Some(by_record) = by_record {
        // Nobody is counted by a connection.
        (by_record.all, Weights::new())
    } else if with_weights {
        let weights = now.weights(conn)?;
        (normalized(weights.values().copied().collect()), weights)
    } else if let Some(round) = now.open_round {
        (kept_register(conn, round)?, Weights::new())
    } else {
        (now.count(conn, Vec::new())?.all, Weights::new())
    };
    let weight_kind = if quorum.unit == Unit::Weight { kind_of_weight(conn, now)? } else { None };
    Ok(Some((LiveQuorum { quorum, at_opening, eligible, weight_kind }, weights)))
}

/// The sums of the register of a round, which it keeps: reading thousands of entries would delay the event of each opening.
fn kept_register(conn: &mut PgConnection, round: Uuid) -> QueryResult<People> {
    let (heads, weight): (i32, Decimal) =
        rounds::table.find(round).select((rounds::register_heads, rounds::register_weight)).first(conn)?;
    Ok(People { heads: count(i64::from(heads))?, weight: weight.normalize() })
}

/// The kind that is counted as weight now: the frozen one of the open round, otherwise that of the question on the screen or of the
/// meeting.
fn kind_of_weight(conn: &mut PgConnection, now: Eligibility) -> QueryResult<Option<WeightKind>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Nullable<Jsonb>)]
        kind: Option<Value>,
    }
    let row: Row = diesel::sql_query(concat!(
        "SELECT CASE WHEN $1 IS NULL \
                THEN (SELECT ",
        kind_as_kept!(),
        " FROM weight_kinds WHERE weight_kinds.id = ",
        kind_in_force!(),
        "::uuid) ELSE (SELECT rounds.weight_kind FROM rounds WHERE rounds.id = $1) END AS kind",
    ))
    .bind::<Nullable<SqlUuid>, _>(now.open_round)
    .bind::<SqlUuid, _>(now.meeting)
    .bind::<Nullable<SqlUuid>, _>(now.question)
    .get_result(conn)?;
    read_kind(row.kind)
}

/// The total weight of the votes in a round. Each vote finds its entry by key: an open round may be newer than the
/// statistics, and a join planned by them might read every entry for each vote.
pub(crate) fn weight_cast(conn: &mut PgConnection, round: Uuid) -> QueryResult<Decimal> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
    }
    let row: Row = diesel::sql_query(
        "SELECT coalesce(sum(entry.weight), 0) AS weight \
         FROM votes \
         CROSS JOIN LATERAL (SELECT register.weight FROM register \
                             WHERE register.round_id = votes.round_id AND register.end_user_id = votes.end_user_id \
                             OFFSET 0) AS entry \
         WHERE votes.round_id = $1",
    )
    .bind::<SqlUuid, _>(round)
    .get_result(conn)?;
    Ok(row.weight.normalize())
}

fn normalized(people: People) -> People {
    People { weight: people.weight.normalize(), ..people }
}
