//! What became of the votes of principals.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Numeric, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, QuestionId, RoundId};
use plenum_voting::{HeldState, HeldVote, ProxyPerson, ProxyUse};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::meetings::rows::natural;

/// The most rounds of a principal in one list.
const MAX_USES: i64 = 50;

/// The state of the vote of a principal: whether there is one, whether the holder cast it, and whether the proxy rests.
fn state((has_voted, is_by_holder, rests): (bool, bool, bool)) -> HeldState {
    match (has_voted, is_by_holder, rests) {
        (true, true, _) => HeldState::CastByHolder,
        (true, false, _) => HeldState::VotedByPrincipal,
        (false, _, true) => HeldState::Resting,
        (false, _, false) => HeldState::Open,
    }
}

pub(super) fn uses(
    conn: &mut PgConnection,
    client: ClientId,
    meeting: MeetingId,
    principal: EndUserId,
) -> QueryResult<Vec<ProxyUse>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        round_id: Uuid,
        #[diesel(sql_type = SqlUuid)]
        question_id: Uuid,
        #[diesel(sql_type = Text)]
        question_text: String,
        #[diesel(sql_type = Integer)]
        number: i32,
        #[diesel(sql_type = Text)]
        holder_name: String,
        #[diesel(sql_type = Bool)]
        has_voted: bool,
        #[diesel(sql_type = Bool)]
        is_by_holder: bool,
        #[diesel(sql_type = Bool)]
        rests: bool,
    }
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT rounds.id AS round_id, rounds.question_id, rounds.question_text, rounds.number, kept.holder_name, \
                vote.by_holder IS NOT NULL AS has_voted, coalesce(vote.by_holder, false) AS is_by_holder, \
                proxy_rests(rounds.meeting_id, $3) AS rests \
         FROM rounds \
         CROSS JOIN LATERAL (SELECT holder_name FROM round_proxies \
                             WHERE round_proxies.round_id = rounds.id AND round_proxies.principal_id = $3 OFFSET 0) AS kept \
         LEFT JOIN LATERAL (SELECT votes.cast_by IS NOT NULL AS by_holder FROM votes \
                            WHERE votes.round_id = rounds.id AND votes.end_user_id = $3 OFFSET 0) AS vote ON true \
         WHERE rounds.client_id = $1 AND rounds.meeting_id = $2 \
         ORDER BY rounds.opened_at DESC, rounds.id LIMIT $4",
    )
    .bind::<SqlUuid, _>(client.as_uuid())
    .bind::<SqlUuid, _>(meeting.as_uuid())
    .bind::<SqlUuid, _>(principal.as_uuid())
    .bind::<BigInt, _>(MAX_USES)
    .load(conn)?;
    rows.into_iter()
        .map(|row| {
            Ok(ProxyUse {
                round: RoundId::from_uuid(row.round_id),
                question: QuestionId::from_uuid(row.question_id),
                question_text: row.question_text,
                number: natural(row.number)?,
                holder: row.holder_name,
                state: state((row.has_voted, row.is_by_holder, row.rests)),
            })
        })
        .collect()
}

pub(super) fn held(conn: &mut PgConnection, round: Uuid, holder: EndUserId) -> QueryResult<Vec<HeldVote>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        principal_id: Uuid,
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = Text)]
        username: String,
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
        #[diesel(sql_type = Nullable<Text>)]
        note: Option<String>,
        #[diesel(sql_type = Bool)]
        has_voted: bool,
        #[diesel(sql_type = Bool)]
        is_by_holder: bool,
        #[diesel(sql_type = Bool)]
        rests: bool,
    }
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT kept.principal_id, entry.name, entry.username, entry.weight, granted.note, \
                vote.by_holder IS NOT NULL AS has_voted, coalesce(vote.by_holder, false) AS is_by_holder, \
                proxy_rests(rounds.meeting_id, kept.principal_id) AS rests \
         FROM round_proxies AS kept \
         JOIN rounds ON rounds.id = kept.round_id \
         CROSS JOIN LATERAL (SELECT register.name, register.username, register.weight FROM register \
                             WHERE register.round_id = kept.round_id AND register.end_user_id = kept.principal_id \
                             OFFSET 0) AS entry \
         LEFT JOIN LATERAL (SELECT proxies.note FROM proxies WHERE proxies.id = kept.proxy_id OFFSET 0) AS granted ON true \
         LEFT JOIN LATERAL (SELECT votes.cast_by IS NOT NULL AS by_holder FROM votes \
                            WHERE votes.round_id = kept.round_id AND votes.end_user_id = kept.principal_id \
                            OFFSET 0) AS vote ON true \
         WHERE kept.round_id = $1 AND kept.holder_id = $2 \
         ORDER BY lower(entry.name), kept.principal_id",
    )
    .bind::<SqlUuid, _>(round)
    .bind::<SqlUuid, _>(holder.as_uuid())
    .load(conn)?;
    let vote = |row: Row| HeldVote {
        principal: ProxyPerson { id: EndUserId::from_uuid(row.principal_id), name: row.name, username: row.username },
        weight: row.weight.normalize(),
        note: row.note,
        state: state((row.has_voted, row.is_by_holder, row.rests)),
    };
    Ok(rows.into_iter().map(vote).collect())
}
