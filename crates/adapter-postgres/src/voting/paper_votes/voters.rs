//! The facts about people who vote on paper.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Numeric, SmallInt, Text, Uuid as SqlUuid};
use plenum_voting::PaperVoter;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::voting::rule_groups::group_places;

/// In the order of the people. Entries and votes are found by key: the round may be newer than the statistics. The people of batches
/// that wait are read once, as a hash table.
const VOTERS: &str = "
    SELECT coalesce((SELECT end_users.name FROM end_users WHERE end_users.id = wanted.id OFFSET 0), '') AS name,
           entry.weight, entry.second_weight, entry.groups,
           EXISTS (SELECT FROM votes WHERE votes.round_id = $1 AND votes.end_user_id = wanted.id OFFSET 0) AS has_voted,
           wanted.id IN (SELECT waiting.end_user_id FROM paper_batches
                         CROSS JOIN LATERAL (SELECT paper_ballots.end_user_id FROM paper_ballots
                                             WHERE paper_ballots.batch_id = paper_batches.id OFFSET 0) AS waiting
                         WHERE paper_batches.round_id = $1 AND paper_batches.state = 'WAITING') AS is_in_other_batch
    FROM unnest($2) WITH ORDINALITY AS wanted (id, place)
    LEFT JOIN LATERAL (SELECT register.weight, register.second_weight, register.groups FROM register
                       WHERE register.round_id = $1 AND register.end_user_id = wanted.id
                         AND EXISTS (SELECT FROM end_users WHERE end_users.id = wanted.id AND end_users.is_active OFFSET 0)
                       OFFSET 0) AS entry ON true
    ORDER BY wanted.place";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Nullable<Numeric>)]
    weight: Option<Decimal>,
    #[diesel(sql_type = Nullable<Numeric>)]
    second_weight: Option<Decimal>,
    #[diesel(sql_type = Nullable<Array<SmallInt>>)]
    groups: Option<Vec<i16>>,
    #[diesel(sql_type = Bool)]
    has_voted: bool,
    #[diesel(sql_type = Bool)]
    is_in_other_batch: bool,
}

/// The facts about these people in a round, in their order.
pub(super) fn paper_voters(conn: &mut PgConnection, round: Uuid, people: &[Uuid]) -> QueryResult<Vec<PaperVoter>> {
    let rows: Vec<Row> =
        diesel::sql_query(VOTERS).bind::<SqlUuid, _>(round).bind::<Array<SqlUuid>, _>(people).load(conn)?;
    let voter = |row: Row| PaperVoter {
        name: row.name,
        weight: row.weight.map(|weight| weight.normalize()),
        second_weight: row.second_weight.map(|second| second.normalize()),
        groups: group_places(row.groups),
        has_voted: row.has_voted,
        is_in_other_batch: row.is_in_other_batch,
    };
    Ok(rows.into_iter().map(voter).collect())
}
