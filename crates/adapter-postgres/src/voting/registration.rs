//! The entries of a round's register: written when it opens, and prepared before.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid};
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::rows::weight_kinds::{kind_in_force, kind_of_round, second_kind_of_round, second_weight_by, weight_by};
use crate::voting::eligible::{counts_heads, would_be_registered};
use crate::voting::round_proxies::{proxies_in_force, represented_by_record};
use crate::voting::rule_groups::{places_for_question, places_in};

/// The entry of everybody whom the register of a round would contain, for the question `$3` of the meeting `$2` and the connected
/// people `$5`: in a round with check-in, those who are checked in. Nobody else enters it, except for those whom the holder of a proxy
/// represents. The terms are those of the round or, before it is there, those that it would freeze.
macro_rules! entries {
    ($counts_heads:expr, $kind:expr, $second_kind:expr, $presence:expr) => {
        concat!(
            "SELECT meant.id, meant.username, meant.name, CASE WHEN ",
            $counts_heads,
            " THEN 1 ELSE ",
            weight_by!("meant", $kind),
            " END AS weight, ",
            second_weight_by!("meant", $second_kind),
            " AS second_weight, meant.id IN (SELECT unnest($5)) AND ",
            $presence,
            " <> 'LARGER_NUMBER' AS was_connected, /* places */ NULL::smallint[] AS groups FROM ",
            would_be_registered!("username", "name", "weight", "weights"),
            " AND (",
            $presence,
            " <> 'CHECKED_IN' OR meant.id IN (SELECT unnest($5)) OR meant.id IN (",
            represented_by_record!(proxies_in_force!()),
            "))"
        )
    };
}

/// The entries by the terms of the round `$1`.
macro_rules! entries_of_round {
    () => {
        entries!(
            "(SELECT counts_heads FROM rounds WHERE id = $1)",
            kind_of_round!(),
            second_kind_of_round!(),
            "(SELECT presence FROM rounds WHERE id = $1)"
        )
    };
}

/// The entries by the terms that a round would freeze now.
macro_rules! entries_of_question {
    () => {
        entries!(
            concat!("(SELECT ", counts_heads!(), " FROM questions WHERE questions.id = $3)"),
            kind_in_force!(),
            "(SELECT questions.second_weight_kind_id::text FROM questions WHERE questions.id = $3)",
            "(SELECT CASE meetings.check_in WHEN 'ON' THEN 'CHECKED_IN' ELSE 'CONNECTED_OR_VOTED' END \
              FROM meetings WHERE meetings.id = $2)"
        )
    };
}

/// Makes the register of the round `$1` equal to these entries, whatever it contains, and writes nothing but the differences. New
/// entries are of the time `$4`. The two are compared by a full join, because PostgreSQL never makes nested loops of one, also when its
/// statistics are older than the register.
macro_rules! fill {
    ($entries:expr, $then:expr) => {
        concat!(
            "WITH entries AS MATERIALIZED (",
            $entries,
            "), found AS MATERIALIZED ( \
                 SELECT end_user_id, username, name, weight, second_weight, was_connected, groups \
                 FROM entries_of_register($1) \
             ), differences AS MATERIALIZED ( \
                 SELECT entries.*, found.end_user_id AS found_id \
                 FROM entries FULL JOIN found ON found.end_user_id = entries.id \
                 WHERE entries.id IS NULL OR found.end_user_id IS NULL \
                    OR (entries.username, entries.name, entries.weight, entries.second_weight, entries.was_connected, \
                        entries.groups) \
                       IS DISTINCT FROM (found.username, found.name, found.weight, found.second_weight, found.was_connected, \
                                         found.groups) \
             ), removed AS ( \
                 DELETE FROM register \
                 WHERE round_id = $1 AND end_user_id = ANY (ARRAY(SELECT found_id FROM differences WHERE id IS NULL)) \
             ), written AS ( \
                 INSERT INTO register (round_id, end_user_id, username, name, weight, second_weight, added_at, was_connected, \
                                       groups) \
                 SELECT $1, id, username, name, weight, second_weight, $4, was_connected, groups \
                 FROM differences WHERE id IS NOT NULL \
                 ON CONFLICT ON CONSTRAINT register_pkey DO UPDATE \
                 SET (username, name, weight, second_weight, added_at, was_connected, groups) \
                     = (excluded.username, excluded.name, excluded.weight, excluded.second_weight, excluded.added_at, \
                        excluded.was_connected, excluded.groups) \
             ) ",
            $then
        )
    };
}

/// Fills the register of a new round, and counts it.
const REGISTER: &str = fill!(
    entries_of_round!(),
    "UPDATE rounds \
     SET register_heads = sums.heads, register_weight = sums.weight, connected_heads = sums.connected_heads, \
         connected_weight = sums.connected_weight \
     FROM (SELECT count(*) AS heads, coalesce(sum(weight), 0) AS weight, \
                  count(*) FILTER (WHERE was_connected) AS connected_heads, \
                  coalesce(sum(weight) FILTER (WHERE was_connected), 0) AS connected_weight \
           FROM entries) AS sums \
     WHERE rounds.id = $1"
);

/// Fills a register that is prepared, and returns how many entries were different.
const PREPARE: &str = fill!(entries_of_question!(), "SELECT count(*) AS written FROM differences");

/// Adds those to the register of a round that reopens who are not in it, counts them, and logs them in the order of their usernames.
/// `$6` is the organizer. A reopening adds no one to the connected people of a round of the older rule.
const REGISTER_JOINING: &str = concat!(
    "WITH entries AS MATERIALIZED (",
    entries_of_round!(),
    "), added AS ( \
         INSERT INTO register (round_id, end_user_id, username, name, weight, second_weight, added_at, was_connected, groups) \
         SELECT $1, id, username, name, weight, second_weight, $4, was_connected, groups FROM entries \
         ON CONFLICT ON CONSTRAINT register_pkey DO NOTHING \
         RETURNING end_user_id, username, name, weight, was_connected \
     ), joined AS ( \
         INSERT INTO round_log (id, round_id, logged_at, kind, done_by, end_user_id, username, name, weight) \
         SELECT gen_random_uuid(), $1, $4, 'JOINED', $6, end_user_id, username, name, weight \
         FROM added ORDER BY lower(username) COLLATE \"C\" \
     ), sums AS ( \
         SELECT count(*) AS heads, coalesce(sum(weight), 0) AS weight, \
                count(*) FILTER (WHERE was_connected) AS connected_heads, \
                coalesce(sum(weight) FILTER (WHERE was_connected), 0) AS connected_weight \
         FROM added \
     ) \
     UPDATE rounds \
     SET register_heads = register_heads + sums.heads, register_weight = register_weight + sums.weight, \
         connected_heads = rounds.connected_heads + sums.connected_heads, \
         connected_weight = rounds.connected_weight + sums.connected_weight \
     FROM sums \
     WHERE id = $1 \
     RETURNING sums.heads > 0 AS has_joined"
);

/// Adds those to the register of an open round with check-in whom the latecomer `$8` represents, and who are not there themselves, counts
/// them, and logs them in the order of their usernames: `$6` is the organizer, and `$7` the reason. The principals are an array, so
/// that they are found by key.
const REGISTER_REPRESENTED: &str = concat!(
    "WITH added AS ( \
         INSERT INTO register (round_id, end_user_id, username, name, weight, second_weight, added_at, was_connected, groups) \
         SELECT $1, entry.id, entry.username, entry.name, entry.weight, entry.second_weight, $4, false, entry.groups \
         FROM (",
    entries_of_round!(),
    " AND meant.id = ANY (ARRAY(SELECT standing.principal_id FROM (",
    proxies_in_force!(),
    ") AS standing WHERE standing.holder_id = $8))) AS entry \
         WHERE NOT EXISTS (SELECT FROM register \
                           WHERE register.round_id = $1 AND lower(register.username) = lower(entry.username) OFFSET 0) \
         ON CONFLICT ON CONSTRAINT register_pkey DO NOTHING \
         RETURNING end_user_id, username, name, weight \
     ), logged AS ( \
         INSERT INTO round_log (id, round_id, logged_at, kind, done_by, end_user_id, username, name, weight, reason) \
         SELECT gen_random_uuid(), $1, $4, 'ADMITTED', $6, end_user_id, username, name, weight, $7 \
         FROM added ORDER BY lower(username) COLLATE \"C\" \
     ) \
     UPDATE rounds \
     SET register_heads = register_heads + sums.heads, register_weight = register_weight + sums.weight \
     FROM (SELECT count(*) AS heads, coalesce(sum(weight), 0) AS weight FROM added) AS sums \
     WHERE id = $1"
);

/// The opening that fills a register, or the preparation of one.
pub(crate) struct Registration<'a> {
    pub(crate) meeting: Uuid,
    pub(crate) question: Uuid,
    pub(crate) round: Uuid,
    /// The connected people, whether or not they may vote.
    pub(crate) connected: &'a [Uuid],
    pub(crate) now: DateTime<Utc>,
}

/// The groups of a person in a round whose rule names none.
const NO_PLACES: &str = "/* places */ NULL::smallint[]";

/// The statement with the places of each person's groups, if the decision rule names groups.
fn with_places(statement: &str, places: Option<String>) -> String {
    match places {
        Some(places) => statement.replace(NO_PLACES, &places),
        None => statement.to_owned(),
    }
}

/// The column of the person in these statements.
const PERSON: &str = "meant.id";

/// Binds the parameters of [`REGISTER`].
macro_rules! bound {
    ($statement:expr, $registration:expr) => {
        diesel::sql_query($statement)
            .bind::<SqlUuid, _>($registration.round)
            .bind::<SqlUuid, _>($registration.meeting)
            .bind::<SqlUuid, _>($registration.question)
            .bind::<Timestamptz, _>($registration.now)
            .bind::<Array<SqlUuid>, _>($registration.connected)
    };
}

/// Registers everyone who is eligible now for a round that is being opened for the first time, and nobody else, with their
/// connection. Entries that are there already, because they were prepared, are compared and corrected.
pub(crate) fn register_eligible(conn: &mut PgConnection, registration: &Registration<'_>) -> QueryResult<()> {
    let statement = with_places(REGISTER, places_in(conn, registration.round, PERSON)?);
    require_round(bound!(statement, registration).execute(conn)?)
}

/// Adds everyone who is eligible now to the register of a round that is being opened again by `by`, unless they are in it, and
/// logs everybody whom it adds. Returns whether it adds anybody.
pub(crate) fn register_joining(
    conn: &mut PgConnection,
    registration: &Registration<'_>,
    by: &str,
) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        has_joined: bool,
    }
    let statement = with_places(REGISTER_JOINING, places_in(conn, registration.round, PERSON)?);
    let rows: Vec<Row> = bound!(statement, registration).bind::<Text, _>(by).load(conn)?;
    require_round(rows.len())?;
    Ok(rows.iter().any(|row| row.has_joined))
}

/// Somebody who is admitted to an open round.
pub(crate) struct Admitted<'a> {
    pub(crate) person: Uuid,
    /// The name of the organizer.
    pub(crate) by: &'a str,
    pub(crate) reason: &'a str,
}

/// Adds those to the register of an open round with check-in whom the latecomer represents, as an opening would. Each is logged like the
/// latecomer. `connected` MUST be the people who are checked in.
pub(crate) fn register_represented(
    conn: &mut PgConnection,
    registration: &Registration<'_>,
    latecomer: &Admitted<'_>,
) -> QueryResult<()> {
    let statement = with_places(REGISTER_REPRESENTED, places_in(conn, registration.round, PERSON)?);
    let changed = bound!(statement, registration)
        .bind::<Text, _>(latecomer.by)
        .bind::<Text, _>(latecomer.reason)
        .bind::<SqlUuid, _>(latecomer.person)
        .execute(conn)?;
    require_round(changed)
}

/// Prepares the register that the question would have if it opened now, under the id of the round that is not there yet. Returns how
/// many entries were written or removed.
pub(crate) fn prepare_entries(conn: &mut PgConnection, registration: &Registration<'_>) -> QueryResult<i64> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        written: i64,
    }
    let statement = with_places(PREPARE, places_for_question(conn, registration.question, PERSON)?);
    let row: Row = bound!(statement, registration).get_result(conn)?;
    Ok(row.written)
}

fn require_round(changed: usize) -> QueryResult<()> {
    if changed == 1 { Ok(()) } else { Err(damaged("the round that is being opened is gone")) }
}
