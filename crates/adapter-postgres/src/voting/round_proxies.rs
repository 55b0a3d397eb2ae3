//! The proxies that are in force in a round.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Numeric, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use plenum_voting::{Count, PaperProxy, Represented};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::rows::columns::count;
use crate::schema::{round_proxies, rounds};
use crate::voting::register_weight::RegisterWeight;
use crate::voting::rows::{is_open, lock_ballots};

/// The proxies that are in force for the question of the round `$1` now. Holders are found by key.
macro_rules! in_force_for_round {
    () => {
        "FROM rounds \
         JOIN proxy_settings ON proxy_settings.meeting_id = rounds.meeting_id AND proxy_settings.is_on \
             AND rounds.question_id <> ALL (proxy_settings.without_questions) \
         JOIN proxies ON proxies.client_id = rounds.client_id AND proxies.meeting_id = rounds.meeting_id \
             AND proxies.revoked_at IS NULL \
             AND (proxies.question_ids IS NULL OR rounds.question_id = ANY (proxies.question_ids)) \
         CROSS JOIN LATERAL (SELECT end_users.name, end_users.username FROM end_users \
                             WHERE end_users.id = proxies.holder_id AND end_users.is_active OFFSET 0) AS holder"
    };
}

/// Keeps the proxies of the round `$1` as they are now, except for those that it has. `$2` are the connected people, and `$3` the time of
/// a reopening. It is an opening only for the people whom it registers: nobody else becomes represented by it, unless presence is a
/// record. Entries are found by key: the register is newer than the statistics.
macro_rules! keep {
    ($condition:literal) => {
        concat!(
            "INSERT INTO round_proxies (round_id, principal_id, proxy_id, holder_id, holder_name, holder_username, reference, \
                                        was_represented) \
             SELECT rounds.id, proxies.principal_id, proxies.id, proxies.holder_id, holder.name, holder.username, \
                    proxies.reference, \
                    NOT entry.was_connected AND proxies.holder_id IN (SELECT unnest($2)) \
                        AND NOT (rounds.presence = 'CHECKED_IN' AND proxies.principal_id IN (SELECT unnest($2))) \
                        AND ($3 IS NULL OR rounds.presence = 'CHECKED_IN' OR entry.added_at = $3) ",
            in_force_for_round!(),
            " CROSS JOIN LATERAL (SELECT register.was_connected, register.added_at FROM register \
                                  WHERE register.round_id = rounds.id AND register.end_user_id = proxies.principal_id \
                                  OFFSET 0) AS entry \
             WHERE rounds.id = $1 ",
            $condition,
            " ORDER BY proxies.granted_at, proxies.id \
             ON CONFLICT ON CONSTRAINT round_proxies_pkey DO NOTHING"
        )
    };
}

const KEEP: &str = keep!("");

/// Only those that the person `$4` gave or holds, of the principals who entered the register at the time `$5`: a proxy that somebody
/// gave who was in it before takes effect at the next opening.
const KEEP_OF_LATECOMER: &str = keep!("AND $4 IN (proxies.principal_id, proxies.holder_id) AND entry.added_at = $5");

/// Whether the proxy of this principal rests, as `proxy_rests` in the database decides, for many at once: the present people are
/// read once, as a hash table. `$2` is the meeting.
macro_rules! rests {
    ($principal:literal) => {
        concat!(
            "(",
            $principal,
            " IN (SELECT people_present.end_user_id FROM people_present WHERE people_present.meeting_id = $2) \
              AND (SELECT meetings.check_in = 'ON' FROM meetings WHERE meetings.id = $2))"
        )
    };
}

/// The principals and holders of the proxies that would be in force and not rest if the question `$3` of the meeting `$2` opened
/// now. Without a question, only those for the whole meeting. Holders are found by key.
macro_rules! proxies_in_force {
    () => {
        concat!(
            "SELECT proxies.principal_id, proxies.holder_id \
         FROM proxy_settings \
         JOIN proxies ON proxies.client_id = proxy_settings.client_id AND proxies.meeting_id = proxy_settings.meeting_id \
             AND proxies.revoked_at IS NULL \
             AND (proxies.question_ids IS NULL OR $3 = ANY (proxies.question_ids)) \
         CROSS JOIN LATERAL (SELECT FROM end_users \
                             WHERE end_users.id = proxies.holder_id AND end_users.is_active OFFSET 0) AS holder \
         WHERE proxy_settings.meeting_id = $2 AND proxy_settings.is_on \
           AND ($3 IS NULL OR $3 <> ALL (proxy_settings.without_questions)) \
           AND NOT ",
            $crate::voting::round_proxies::rests!("proxies.principal_id")
        )
    };
}

/// The same, or those of the open round `$1` if it is not null.
macro_rules! live_proxies {
    () => {
        concat!(
            "SELECT round_proxies.principal_id, round_proxies.holder_id FROM round_proxies \
             WHERE round_proxies.round_id = $1 AND NOT ",
            $crate::voting::round_proxies::rests!("round_proxies.principal_id"),
            " UNION ALL ",
            $crate::voting::round_proxies::proxies_in_force!(),
            " AND $1 IS NULL"
        )
    };
}

/// The principals of these proxies who are not checked in, and whose holder is. `$2` is the meeting.
macro_rules! represented_by_record {
    ($proxies:expr) => {
        concat!(
            "SELECT standing.principal_id FROM (",
            $proxies,
            ") AS standing WHERE standing.holder_id IN (SELECT people_present.end_user_id FROM people_present \
                                                      WHERE people_present.meeting_id = $2)"
        )
    };
}

pub(crate) use {live_proxies, proxies_in_force, represented_by_record, rests};

/// Those whose vote is not cast. The ones with a vote keep the proxy with which it was cast.
const DROP_UNUSED: &str = "
    DELETE FROM round_proxies
    WHERE round_id = $1
      AND NOT EXISTS (SELECT FROM votes WHERE votes.round_id = $1 AND votes.end_user_id = round_proxies.principal_id OFFSET 0)";

/// The proxies in force, whose principals were represented at the opening or not, which a reopening does not change. A record of
/// presence is evaluated anew.
const STILL_IN_FORCE: &str =
    concat!("SELECT proxies.id ", in_force_for_round!(), " WHERE rounds.id = $1 AND rounds.presence <> 'CHECKED_IN'");

/// Keeps the proxies that are in force when a round opens or, at the given time, reopens. The register MUST be filled, and the
/// meeting locked.
pub(crate) fn keep_proxies(
    conn: &mut PgConnection,
    round: Uuid,
    connected: &[Uuid],
    reopened_at: Option<DateTime<Utc>>,
) -> QueryResult<()> {
    if reopened_at.is_some() {
        diesel::sql_query(format!("{DROP_UNUSED} AND proxy_id NOT IN ({STILL_IN_FORCE})"))
            .bind::<SqlUuid, _>(round)
            .execute(conn)?;
    }
    diesel::sql_query(KEEP)
        .bind::<SqlUuid, _>(round)
        .bind::<Array<SqlUuid>, _>(connected)
        .bind::<Nullable<Timestamptz>, _>(reopened_at)
        .execute(conn)?;
    Ok(())
}

/// Keeps the proxies of a person who entered the register of an open round at this time, the given one and those that the person
/// holds of others who entered it then. Nobody was represented by them at the opening. The register MUST have the person, and the
/// meeting be locked.
pub(crate) fn keep_proxies_of_latecomer(
    conn: &mut PgConnection,
    round: Uuid,
    person: Uuid,
    at: DateTime<Utc>,
) -> QueryResult<()> {
    diesel::sql_query(KEEP_OF_LATECOMER)
        .bind::<SqlUuid, _>(round)
        .bind::<Array<SqlUuid>, _>(Vec::<Uuid>::new())
        .bind::<Nullable<Timestamptz>, _>(None::<DateTime<Utc>>)
        .bind::<SqlUuid, _>(person)
        .bind::<Timestamptz, _>(at)
        .execute(conn)?;
    Ok(())
}

/// Takes a revoked proxy out of an open round, unless its vote is cast. No ballot may be written in the round meanwhile.
pub(crate) fn take_out(conn: &mut PgConnection, round: Uuid, proxy: Uuid) -> QueryResult<()> {
    diesel::sql_query(format!("{DROP_UNUSED} AND proxy_id = $2"))
        .bind::<SqlUuid, _>(round)
        .bind::<SqlUuid, _>(proxy)
        .execute(conn)?;
    Ok(())
}

/// Waits for ballots in progress and holds later ones back until this transaction ends, if a holder could cast the vote of this
/// person in the open round: who is checked in now votes alone. The meeting MUST be locked.
pub(crate) fn lock_ballots_by_proxy(conn: &mut PgConnection, meeting: Uuid, principal: Uuid) -> QueryResult<()> {
    let round: Option<Uuid> = round_proxies::table
        .inner_join(rounds::table.on(rounds::id.eq(round_proxies::round_id)))
        .filter(rounds::meeting_id.eq(meeting).and(is_open()))
        .filter(round_proxies::principal_id.eq(principal))
        .select(rounds::id)
        .first(conn)
        .optional()?;
    round.map_or(Ok(()), |round| lock_ballots(conn, round))
}

#[derive(QueryableByName)]
struct RepresentedRow {
    #[diesel(sql_type = SqlUuid)]
    round_id: Uuid,
    #[diesel(sql_type = BigInt)]
    heads: i64,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
    #[diesel(sql_type = BigInt)]
    cast_heads: i64,
    #[diesel(sql_type = Numeric)]
    cast_weight: Decimal,
}

/// Entries and votes are found by key for each proxy.
const REPRESENTED: &str = "
    SELECT one.round_id,
           count(*) FILTER (WHERE one.is_represented) AS heads,
           coalesce(sum(one.weight) FILTER (WHERE one.is_represented), 0) AS weight,
           count(*) FILTER (WHERE one.is_cast) AS cast_heads,
           coalesce(sum(one.weight) FILTER (WHERE one.is_cast), 0) AS cast_weight
    FROM (
        SELECT round_proxies.round_id, entry.weight,
               NOT entry.was_connected AND coalesce(vote.by_holder, round_proxies.was_represented) AS is_represented,
               NOT entry.was_connected AND coalesce(vote.by_holder, false) AS is_cast
        FROM round_proxies
        CROSS JOIN LATERAL (SELECT register.weight AS weight, register.was_connected FROM register
                            WHERE register.round_id = round_proxies.round_id
                              AND register.end_user_id = round_proxies.principal_id OFFSET 0) AS entry
        LEFT JOIN LATERAL (SELECT votes.cast_by IS NOT NULL AS by_holder FROM votes
                           WHERE votes.round_id = round_proxies.round_id
                             AND votes.end_user_id = round_proxies.principal_id OFFSET 0) AS vote ON true
        WHERE round_proxies.round_id = ANY ($1)
    ) AS one
    GROUP BY one.round_id";

/// Those in the round `$1` who are represented now, and not among the connected people `$2`: their holder is, or has cast their vote.
const REPRESENTED_AND_NOT_CONNECTED: &str = "
    SELECT count(*) AS heads, coalesce(sum(entry.weight), 0) AS weight
    FROM round_proxies
    CROSS JOIN LATERAL (SELECT register.weight FROM register
                        WHERE register.round_id = round_proxies.round_id
                          AND register.end_user_id = round_proxies.principal_id OFFSET 0) AS entry
    LEFT JOIN LATERAL (SELECT votes.cast_by IS NOT NULL AS by_holder FROM votes
                       WHERE votes.round_id = round_proxies.round_id
                         AND votes.end_user_id = round_proxies.principal_id OFFSET 0) AS vote ON true
    WHERE round_proxies.round_id = $1
      AND round_proxies.principal_id NOT IN (SELECT unnest($2))
      AND coalesce(vote.by_holder, round_proxies.holder_id IN (SELECT unnest($2)))";

/// The people in a round's register who are represented now, and not among these connected people.
pub(crate) fn represented_apart_from(conn: &mut PgConnection, round: Uuid, connected: &[Uuid]) -> QueryResult<Count> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        heads: i64,
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
    }
    let row: Row = diesel::sql_query(REPRESENTED_AND_NOT_CONNECTED)
        .bind::<SqlUuid, _>(round)
        .bind::<Array<SqlUuid>, _>(connected)
        .get_result(conn)?;
    Ok(Count { heads: count(row.heads)?, weight: row.weight })
}

/// Those who take part by proxy in these rounds. Rounds without proxies are left out.
pub(crate) fn represented_in(
    conn: &mut PgConnection,
    rounds: &[Uuid],
    by: RegisterWeight,
) -> QueryResult<HashMap<Uuid, Represented>> {
    let rows: Vec<RepresentedRow> =
        diesel::sql_query(by.read(REPRESENTED)).bind::<Array<SqlUuid>, _>(rounds).load(conn)?;
    rows.into_iter()
        .map(|row| {
            let represented = Represented {
                count: Count { heads: count(row.heads)?, weight: row.weight.normalize() },
                cast_by_holder: Count { heads: count(row.cast_heads)?, weight: row.cast_weight.normalize() },
            };
            Ok((row.round_id, represented))
        })
        .collect()
}

/// The represented voters without a vote in each group of a rule, in these rounds. By round and place of the group.
pub(crate) fn represented_members(
    conn: &mut PgConnection,
    rounds: &[Uuid],
    by: RegisterWeight,
) -> QueryResult<HashMap<(Uuid, usize), Count>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        round_id: Uuid,
        #[diesel(sql_type = SmallInt)]
        place: i16,
        #[diesel(sql_type = BigInt)]
        heads: i64,
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
    }
    // Entries and votes are found by key for each proxy.
    let statement = by.read(
        "SELECT round_proxies.round_id, member.place, count(*) AS heads, sum(entry.weight) AS weight \
         FROM round_proxies \
         CROSS JOIN LATERAL (SELECT register.weight AS weight, register.groups FROM register \
                             WHERE register.round_id = round_proxies.round_id \
                               AND register.end_user_id = round_proxies.principal_id \
                               AND NOT register.was_connected OFFSET 0) AS entry \
         CROSS JOIN LATERAL unnest(entry.groups) AS member (place) \
         WHERE round_proxies.round_id = ANY ($1) AND round_proxies.was_represented \
           AND NOT EXISTS (SELECT FROM votes WHERE votes.round_id = round_proxies.round_id \
                             AND votes.end_user_id = round_proxies.principal_id OFFSET 0) \
         GROUP BY round_proxies.round_id, member.place",
    );
    let rows: Vec<Row> = diesel::sql_query(statement).bind::<Array<SqlUuid>, _>(rounds).load(conn)?;
    let counted = |row: Row| {
        let place = usize::try_from(row.place).map_err(damaged)?;
        Ok(((row.round_id, place), Count { heads: count(row.heads)?, weight: row.weight.normalize() }))
    };
    rows.into_iter().map(counted).collect()
}

#[derive(QueryableByName)]
struct PaperRow {
    #[diesel(sql_type = SqlUuid)]
    principal_id: Uuid,
    #[diesel(sql_type = Text)]
    holder_name: String,
    #[diesel(sql_type = Text)]
    holder_username: String,
    #[diesel(sql_type = Nullable<Text>)]
    reference: Option<String>,
    #[diesel(sql_type = Bool)]
    was_represented: bool,
    #[diesel(sql_type = Bool)]
    is_used: bool,
}

/// The proxies of a round by their principals.
pub(crate) fn proxies_of_register(conn: &mut PgConnection, round: Uuid) -> QueryResult<HashMap<Uuid, PaperProxy>> {
    let rows: Vec<PaperRow> = diesel::sql_query(
        "SELECT principal_id, holder_name, holder_username, reference, was_represented, \
                EXISTS (SELECT FROM votes WHERE votes.round_id = $1 AND votes.end_user_id = principal_id \
                          AND votes.cast_by IS NOT NULL OFFSET 0) AS is_used \
         FROM round_proxies WHERE round_id = $1",
    )
    .bind::<SqlUuid, _>(round)
    .load(conn)?;
    let paper = |row: PaperRow| {
        let PaperRow { principal_id, holder_name, holder_username, reference, was_represented, is_used } = row;
        (principal_id, PaperProxy { holder_name, holder_username, was_represented, is_used, reference })
    };
    Ok(rows.into_iter().map(paper).collect())
}
