//! The sums of registers by their weight and their second weight.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Numeric, Uuid as SqlUuid};
use plenum_voting::{Count, OpenRoundError, REGISTER_WEIGHT_LIMIT, SecondTerms, check_register_weight};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::pool::failure::Abort;
use crate::rows::columns::count;

/// One of the two weights of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterWeight {
    First,
    Second,
}

impl RegisterWeight {
    /// A statement over `register.weight`, which reads this weight.
    pub(crate) fn read(self, statement: &str) -> String {
        match self {
            Self::First => statement.to_owned(),
            Self::Second => statement.replace("register.weight", "register.second_weight"),
        }
    }
}

/// The registers of these rounds by their second weight, and the connected people in them.
pub(crate) fn second_registers(conn: &mut PgConnection, rounds: &[Uuid]) -> QueryResult<HashMap<Uuid, SecondTerms>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        round_id: Uuid,
        #[diesel(sql_type = BigInt)]
        heads: i64,
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
        #[diesel(sql_type = BigInt)]
        connected_heads: i64,
        #[diesel(sql_type = Numeric)]
        connected_weight: Decimal,
    }
    if rounds.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT register.round_id, count(*) AS heads, coalesce(sum(register.second_weight), 0) AS weight, \
                count(*) FILTER (WHERE register.was_connected) AS connected_heads, \
                coalesce(sum(register.second_weight) FILTER (WHERE register.was_connected), 0) AS connected_weight \
         FROM register WHERE register.round_id = ANY ($1) GROUP BY register.round_id",
    )
    .bind::<Array<SqlUuid>, _>(rounds)
    .load(conn)?;
    rows.into_iter()
        .map(|row| {
            let register = Count { heads: count(row.heads)?, weight: row.weight.normalize() };
            let connected = Count { heads: count(row.connected_heads)?, weight: row.connected_weight.normalize() };
            Ok((row.round_id, SecondTerms { register, connected_at_opening: connected, ..SecondTerms::default() }))
        })
        .collect()
}

/// Refuses a register that weighs more than can be counted exactly, with those who are absent. The register MUST be filled. A
/// larger sum may have more digits than a [`Decimal`], so the database cuts it.
pub(crate) fn require_countable(conn: &mut PgConnection, round: Uuid) -> Result<(), Abort<OpenRoundError>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
        #[diesel(sql_type = Nullable<Numeric>)]
        second: Option<Decimal>,
    }
    let row: Row = diesel::sql_query(
        "SELECT least(register_weight + absent_weight, $2) AS weight, \
                CASE WHEN second_weight_kind IS NOT NULL THEN \
                    least((SELECT coalesce(sum(second_weight), 0) FROM register WHERE round_id = $1) \
                          + absent_second_weight, $2) \
                END AS second \
         FROM rounds WHERE id = $1",
    )
    .bind::<SqlUuid, _>(round)
    .bind::<Numeric, _>(REGISTER_WEIGHT_LIMIT)
    .get_result(conn)?;
    check_register_weight(row.weight, row.second).map_err(|rule| Abort::Refused(rule.into()))
}
