//! Writes ballots in batches: one statement counts a batch, and one more finds the reasons of ballots that were not counted.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Bool, Bytea, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{EndUserId, SessionId, VoteId};
use plenum_voting::{Answer, Ballot, CastOutcome, Envelope, StoredVote};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::voting::rows::{answer, cast_on, cast_on_text};

/// The settings of connections that write ballots. Their statements are planned once, possibly while the tables were almost
/// empty, so the plan does not depend on that: each ballot finds its rows by key.
pub(crate) const WRITER_SETTINGS: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
                                          SET enable_hashjoin = off; SET enable_mergejoin = off";

/// A single statement, so that a vote, its check and its count are atomic. The arrays of the batch come before it.
///
/// * `gates`: waits for transactions that are about to end one of the rounds (see `end_running_round`), in a fixed
///   order.
/// * `open_rounds`: locks the open rounds against their end until the commit. If a round is ending at this moment,
///   waits for the end and reads the status again.
/// * `entered`: locks the register's entries, as the key of votes does anyway, and reads each again: an entry that was
///   excluded while this waited at a gate is deleted, and must not fail the other ballots.
/// * `by_proxy`: the same for ballots that a holder casts, with the proxy in force in the round: a proxy that was revoked while
///   this waited at a gate is deleted. Without such ballots, it reads nothing.
/// * `counted`: in the order of round and voter, so that two batches with the same voters never deadlock. Of two
///   ballots of one voter the earlier one wins. No conflict is named, so that the same ballot sent twice at the same
///   time is no error either.
/// * `counters`: each connection counts in its own rows, so that no two wait for one row.
const COUNT: &str = ") WITH ORDINALITY
            AS ballot (vote_id, round_id, end_user_id, option_ids, number, answer_text, sealed, cast_at, session_id, cast_by,
                       cast_on, place)
    ), gates AS MATERIALIZED (
        SELECT round_id, pg_advisory_xact_lock_shared(hashtextextended(round_id::text, 0))
        FROM (SELECT DISTINCT round_id FROM ballots ORDER BY round_id) AS named
    ), open_rounds AS MATERIALIZED (
        SELECT rounds.id, rounds.meeting_id
        FROM rounds
        WHERE rounds.id IN (SELECT round_id FROM gates) AND rounds.status = 'OPEN'
        ORDER BY rounds.id
        FOR SHARE OF rounds
    ), entered AS MATERIALIZED (
        SELECT ballots.*
        FROM open_rounds
        JOIN ballots ON ballots.round_id = open_rounds.id AND ballots.cast_by IS NULL
        JOIN register ON register.round_id = ballots.round_id AND register.end_user_id = ballots.end_user_id
        FOR KEY SHARE OF register
    ), by_proxy AS MATERIALIZED (
        SELECT ballots.*
        FROM open_rounds
        JOIN ballots ON ballots.round_id = open_rounds.id AND ballots.cast_by IS NOT NULL
        JOIN register ON register.round_id = ballots.round_id AND register.end_user_id = ballots.end_user_id
        JOIN round_proxies ON round_proxies.round_id = ballots.round_id
            AND round_proxies.principal_id = ballots.end_user_id AND round_proxies.holder_id = ballots.cast_by
        WHERE NOT proxy_rests(open_rounds.meeting_id, ballots.end_user_id)
        FOR KEY SHARE OF register, round_proxies
    ), counted AS (
        INSERT INTO votes (id, round_id, end_user_id, option_ids, number, answer_text, is_sealed, sealed, cast_at, session_id,
                           cast_by, cast_on)
        SELECT entered.vote_id, entered.round_id, entered.end_user_id, entered.option_ids::uuid[], entered.number,
               entered.answer_text, entered.sealed IS NOT NULL, entered.sealed, entered.cast_at, entered.session_id,
               entered.cast_by, entered.cast_on
        FROM (SELECT * FROM entered UNION ALL SELECT * FROM by_proxy) AS entered
        JOIN end_users ON end_users.id = entered.end_user_id AND end_users.is_active
        ORDER BY entered.round_id, entered.end_user_id, entered.place
        ON CONFLICT DO NOTHING
        RETURNING id, round_id
    ), counters AS (
        INSERT INTO round_counters (round_id, writer, votes_cast)
        SELECT round_id, pg_backend_pid() % 32768, count(*)
        FROM counted
        GROUP BY round_id
        ORDER BY round_id
        ON CONFLICT ON CONSTRAINT round_counters_pkey
            DO UPDATE SET votes_cast = round_counters.votes_cast + excluded.votes_cast
    )
    SELECT id FROM counted";

/// The facts that may be the reason, as they are after the statement above.
const REASONS: &str = "
    SELECT ballot.place,
           votes.id AS vote_id, votes.option_ids, votes.number, votes.answer_text, votes.is_sealed, votes.sealed,
           votes.cast_at, votes.session_id, votes.cast_by, votes.cast_on,
           coalesce(rounds.status = 'OPEN', false) AS is_open,
           register.end_user_id IS NOT NULL AND coalesce(end_users.is_active, false) AS may_vote,
           ballot.cast_by IS NULL OR EXISTS (
               SELECT FROM round_proxies
               WHERE round_proxies.round_id = ballot.round_id AND round_proxies.principal_id = ballot.end_user_id
                 AND round_proxies.holder_id = ballot.cast_by
           ) AS has_proxy,
           ballot.cast_by IS NOT NULL AND proxy_rests(rounds.meeting_id, ballot.end_user_id) AS rests
    FROM unnest(";

/// The part of [`REASONS`] after the arrays.
const REASONS_OF: &str = ") WITH ORDINALITY AS ballot (round_id, end_user_id, cast_by, place)
    LEFT JOIN votes ON votes.round_id = ballot.round_id AND votes.end_user_id = ballot.end_user_id
    LEFT JOIN rounds ON rounds.id = ballot.round_id
    LEFT JOIN register ON register.round_id = ballot.round_id AND register.end_user_id = ballot.end_user_id
    LEFT JOIN end_users ON end_users.id = ballot.end_user_id";

/// Counts the ballots, or finds the reason why not, and sets their outcomes. A ballot without an outcome afterwards was
/// neither counted nor refused for a lasting reason.
///
/// After an error the outcomes that are set remain: they describe committed votes.
pub(crate) fn count_or_refuse(
    conn: &mut PgConnection,
    ballots: &[&Ballot],
    answers: &mut [Option<CastOutcome>],
) -> QueryResult<()> {
    // Repeated once for ballots whose state changed between the two statements, for example after a withdrawal.
    for _ in 0..2 {
        let open: Vec<usize> = (0..ballots.len()).filter(|place| answers[*place].is_none()).collect();
        if open.is_empty() {
            break;
        }
        count(conn, ballots, &open, answers)?;
        let refused: Vec<usize> = open.into_iter().filter(|place| answers[*place].is_none()).collect();
        if !refused.is_empty() {
            find_reasons(conn, ballots, &refused, answers)?;
        }
    }
    Ok(())
}

fn count(
    conn: &mut PgConnection,
    ballots: &[&Ballot],
    places: &[usize],
    answers: &mut [Option<CastOutcome>],
) -> QueryResult<()> {
    let chosen = places.iter().map(|place| ballots[*place]);
    let counted: Vec<Uuid> = CountBatch::of(chosen).load(conn)?;
    let mut counted: HashSet<Uuid> = counted.into_iter().collect();
    for place in places {
        // Removed, so that of the same ballot twice in one batch the first is counted and the other is a repeat.
        if counted.remove(&ballots[*place].vote_id.as_uuid()) {
            answers[*place] = Some(CastOutcome::Counted);
        }
    }
    Ok(())
}

/// The statement that counts a batch. Each connection plans it once, for any number of ballots.
#[derive(QueryId)]
struct CountBatch {
    vote_ids: Vec<Uuid>,
    round_ids: Vec<Uuid>,
    voters: Vec<Uuid>,
    option_ids: Vec<Option<String>>,
    numbers: Vec<Option<Decimal>>,
    texts: Vec<Option<String>>,
    sealed: Vec<Option<Vec<u8>>>,
    cast_at: Vec<Option<DateTime<Utc>>>,
    sessions: Vec<Option<Uuid>>,
    cast_by: Vec<Option<Uuid>>,
    cast_on: Vec<Option<&'static str>>,
}

impl CountBatch {
    fn of<'a>(ballots: impl Iterator<Item = &'a Ballot>) -> Self {
        let mut batch = Self {
            vote_ids: Vec::new(),
            round_ids: Vec::new(),
            voters: Vec::new(),
            option_ids: Vec::new(),
            numbers: Vec::new(),
            texts: Vec::new(),
            sealed: Vec::new(),
            cast_at: Vec::new(),
            sessions: Vec::new(),
            cast_by: Vec::new(),
            cast_on: Vec::new(),
        };
        for ballot in ballots {
            batch.vote_ids.push(ballot.vote_id.as_uuid());
            batch.round_ids.push(ballot.round_id.as_uuid());
            batch.voters.push(ballot.voter.as_uuid());
            batch.option_ids.push(options_text(&ballot.answer));
            batch.numbers.push(number(&ballot.answer));
            batch.texts.push(text(&ballot.answer));
            let envelope = envelope(&ballot.answer);
            // A sealed vote is stored without time and session.
            let is_plain = envelope.is_none();
            batch.sealed.push(envelope);
            batch.cast_at.push(is_plain.then_some(ballot.cast_at));
            batch.sessions.push(is_plain.then_some(ballot.session.as_uuid()));
            batch.cast_by.push(ballot.cast_by.map(EndUserId::as_uuid));
            batch.cast_on.push(ballot.cast_on.map(cast_on_text));
        }
        batch
    }
}

impl Query for CountBatch {
    type SqlType = SqlUuid;
}

impl RunQueryDsl<PgConnection> for CountBatch {}

impl QueryFragment<Pg> for CountBatch {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH ballots AS MATERIALIZED (SELECT * FROM unnest(");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.vote_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.round_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.voters)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.option_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Numeric>>, _>(&self.numbers)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.texts)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Bytea>>, _>(&self.sealed)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.cast_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.sessions)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.cast_by)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.cast_on)?;
        out.push_sql(COUNT);
        Ok(())
    }
}

/// In the order of [`REASONS`].
#[derive(Queryable)]
struct Reason {
    place: i64,
    vote_id: Option<Uuid>,
    option_ids: Option<Vec<Uuid>>,
    number: Option<Decimal>,
    answer_text: Option<String>,
    is_sealed: Option<bool>,
    sealed: Option<Vec<u8>>,
    cast_at: Option<DateTime<Utc>>,
    session_id: Option<Uuid>,
    cast_by: Option<Uuid>,
    cast_on: Option<String>,
    is_open: bool,
    may_vote: bool,
    has_proxy: bool,
    rests: bool,
}

/// The statement that finds the reasons of ballots that were not counted.
#[derive(QueryId)]
struct ReasonsOf {
    round_ids: Vec<Uuid>,
    voters: Vec<Uuid>,
    cast_by: Vec<Option<Uuid>>,
}

impl Query for ReasonsOf {
    type SqlType = (
        BigInt,
        Nullable<SqlUuid>,
        Nullable<Array<SqlUuid>>,
        Nullable<Numeric>,
        Nullable<Text>,
        Nullable<Bool>,
        Nullable<Bytea>,
        Nullable<Timestamptz>,
        Nullable<SqlUuid>,
        Nullable<SqlUuid>,
        Nullable<Text>,
        Bool,
        Bool,
        Bool,
        Bool,
    );
}

impl RunQueryDsl<PgConnection> for ReasonsOf {}

impl QueryFragment<Pg> for ReasonsOf {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(REASONS);
        out.push_bind_param::<Array<SqlUuid>, _>(&self.round_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.voters)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.cast_by)?;
        out.push_sql(REASONS_OF);
        Ok(())
    }
}

impl Reason {
    /// A stored vote wins over every other reason. It is shown only to the voter and to the holder of the voter's proxy.
    fn answer(self) -> QueryResult<Option<CastOutcome>> {
        if !self.has_proxy {
            return Ok(Some(if self.is_open { CastOutcome::NoProxy } else { CastOutcome::NotOpen }));
        }
        if let Some(id) = self.vote_id {
            let answer = match self.is_sealed {
                Some(true) => Answer::Sealed(self.sealed.map(Envelope)),
                _ => answer(self.option_ids, self.number, self.answer_text)?,
            };
            let session = self.session_id.map(SessionId::from_uuid);
            let cast_by = self.cast_by.map(EndUserId::from_uuid);
            let cast_on = self.cast_on.as_deref().map(cast_on).transpose()?;
            let id = VoteId::from_uuid(id);
            let vote = StoredVote { id, answer, cast_at: self.cast_at, session, cast_by, cast_on };
            return Ok(Some(CastOutcome::VotedBefore(vote)));
        }
        if !self.is_open {
            return Ok(Some(CastOutcome::NotOpen));
        }
        if self.may_vote && self.rests {
            return Ok(Some(CastOutcome::NoProxy));
        }
        Ok((!self.may_vote).then_some(CastOutcome::NotInRegister))
    }
}

fn find_reasons(
    conn: &mut PgConnection,
    ballots: &[&Ballot],
    places: &[usize],
    answers: &mut [Option<CastOutcome>],
) -> QueryResult<()> {
    let chosen = || places.iter().map(|place| ballots[*place]);
    let statement = ReasonsOf {
        round_ids: chosen().map(|ballot| ballot.round_id.as_uuid()).collect(),
        voters: chosen().map(|ballot| ballot.voter.as_uuid()).collect(),
        cast_by: chosen().map(|ballot| ballot.cast_by.map(EndUserId::as_uuid)).collect(),
    };
    let reasons: Vec<Reason> = statement.load(conn)?;
    for reason in reasons {
        // SQL counts from 1.
        let place = usize::try_from(reason.place - 1).ok().and_then(|index| places.get(index));
        let place = *place.ok_or_else(|| damaged("a reason belongs to no ballot"))?;
        answers[place] = reason.answer()?;
    }
    Ok(())
}

/// The chosen options as the text of a PostgreSQL array; arrays of arrays of different lengths cannot be sent.
fn options_text(answer: &Answer) -> Option<String> {
    let Answer::Options(ids) = answer else { return None };
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Some(format!("{{{}}}", ids.join(",")))
}

fn number(answer: &Answer) -> Option<Decimal> {
    match answer {
        Answer::Number(number) => Some(*number),
        Answer::Options(_) | Answer::Text(_) | Answer::Sealed(_) => None,
    }
}

fn text(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Text(text) => Some(text.clone()),
        Answer::Options(_) | Answer::Number(_) | Answer::Sealed(_) => None,
    }
}

fn envelope(answer: &Answer) -> Option<Vec<u8>> {
    match answer {
        Answer::Sealed(Some(Envelope(bytes))) => Some(bytes.clone()),
        Answer::Options(_) | Answer::Number(_) | Answer::Text(_) | Answer::Sealed(None) => None,
    }
}
