//! The urns of secret rounds: their keys, their opening, and what is left of them.

use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::count_star;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, OptionId, PortFailure, RoundId};
use plenum_voting::{
    Answer, CastEnvelope, ClosedUrn, Count, Envelope, KeyShare, LogKind, OpenedBallot, OpenedUrn, PreparedKey,
    ResultStep, ResultStepError, RoundStatus, SecrecyRisk, UnlockError, Urn, UrnKeys, UrnStore, UrnTally, Wording,
    envelopes_hash,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::{natural, number};
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::count;
use crate::schema::{register, rounds, urn_shares, urns, votes};
use crate::voting::round_log::{RiskAccepted, RoundAction, account_name, log_action, log_risk};
use crate::voting::rows::{load_wording, round_status_text};
use crate::voting::steps::LockedMeeting;
use crate::voting::visible_round::of_visible_round;

/// Urns in PostgreSQL.
#[derive(Clone)]
pub struct PostgresUrns {
    db: Db,
}

impl PostgresUrns {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

/// The most rounds with undestroyed keys that one call returns.
const MAX_UNDESTROYED: i64 = 1_000;

#[async_trait]
impl UrnStore for PostgresUrns {
    async fn needing_keys(&self, rounds: Vec<RoundId>) -> Result<Vec<RoundId>, PortFailure> {
        let ids: Vec<Uuid> = rounds.into_iter().map(RoundId::as_uuid).collect();
        self.db
            .platform()
            .run(move |conn| {
                let needing: Vec<Uuid> = urns::table
                    .filter(urns::round_id.eq_any(ids))
                    .filter(urns::opened_at.is_null().and(urns::void_at.is_null()))
                    .select(urns::round_id)
                    .load(conn)?;
                Ok(needing.into_iter().map(RoundId::from_uuid).collect())
            })
            .await
    }

    async fn with_undestroyed_keys(&self) -> Result<Vec<RoundId>, PortFailure> {
        self.db
            .platform()
            .run(|conn| {
                let rounds: Vec<Uuid> = urns::table
                    .filter(urns::opened_at.is_not_null().and(urns::key_destroyed_at.is_null()))
                    .order(urns::round_id)
                    .limit(MAX_UNDESTROYED)
                    .select(urns::round_id)
                    .load(conn)?;
                Ok(rounds.into_iter().map(RoundId::from_uuid).collect())
            })
            .await
    }

    async fn database_share(&self, round: RoundId) -> Result<Option<KeyShare>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let share = urn_shares::table.find(round.as_uuid()).select(urn_shares::share).first(conn).optional()?;
                share.map(read_share).transpose()
            })
            .await
    }

    async fn note_destroyed(&self, round: RoundId, at: DateTime<Utc>) -> Result<(), PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                diesel::update(urns::table.find(round.as_uuid()).filter(urns::key_destroyed_at.is_null()))
                    .set(urns::key_destroyed_at.eq(at))
                    .execute(conn)?;
                Ok(())
            })
            .await
    }

    async fn mark_void(&self, step: ResultStep) -> Result<(), ResultStepError> {
        self.db.of(step.owner).transaction(move |conn| mark_void(conn, &step)).await
    }
}

fn read_share(stored: Vec<u8>) -> QueryResult<KeyShare> {
    Ok(KeyShare(stored.try_into().map_err(|_| damaged("urn_shares.share has another length"))?))
}

/// Creates the urn of a new round with its key.
pub(crate) fn insert_urn(conn: &mut PgConnection, client: ClientId, key: &PreparedKey) -> QueryResult<()> {
    let (round, owner) = (key.round.as_uuid(), client.as_uuid());
    diesel::insert_into(urns::table)
        .values((
            urns::round_id.eq(round),
            urns::client_id.eq(owner),
            urns::public_key.eq(&key.public_key),
            urns::holders.eq(number(key.holders)),
        ))
        .execute(conn)?;
    diesel::insert_into(urn_shares::table)
        .values((
            urn_shares::round_id.eq(round),
            urn_shares::client_id.eq(owner),
            urn_shares::share.eq(key.database_share.0.as_slice()),
        ))
        .execute(conn)?;
    Ok(())
}

/// The urns of these rounds. Rounds that are not secret have none.
pub(crate) fn urns_of(conn: &mut PgConnection, rounds: &[Uuid]) -> QueryResult<HashMap<Uuid, Urn>> {
    type Row = (Uuid, Vec<u8>, i32, Option<DateTime<Utc>>);
    let rows: Vec<Row> = urns::table
        .filter(urns::round_id.eq_any(rounds))
        .select((urns::round_id, urns::public_key, urns::holders, urns::void_at))
        .load(conn)?;
    let urn = |(round, public_key, holders, void_at): Row| {
        Ok((round, Urn { public_key, holders: natural(holders)?, is_void: void_at.is_some() }))
    };
    rows.into_iter().map(urn).collect()
}

/// An opened urn, as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = urns, check_for_backend(Pg))]
struct OpenedRow {
    round_id: Uuid,
    opened_at: Option<DateTime<Utc>>,
    valid_heads: Option<i32>,
    valid_weight: Option<Decimal>,
    invalid_heads: Option<i32>,
    invalid_weight: Option<Decimal>,
    answers: Option<Value>,
    option_sums: Option<Value>,
    receipts: Option<Vec<String>>,
    envelopes_hash: Option<String>,
}

impl OpenedRow {
    fn read(self) -> QueryResult<OpenedUrn> {
        let half = || damaged("an opened urn lacks a part");
        let count_of = |heads: Option<i32>, weight: Option<Decimal>| -> QueryResult<Count> {
            let heads = count(i64::from(heads.ok_or_else(half)?))?;
            Ok(Count { heads, weight: weight.ok_or_else(half)?.normalize() })
        };
        let unreadable = || damaged("the counts of an opened urn cannot be read");
        let answers = self.answers.as_ref().map(|answers| read_answers(answers).ok_or_else(unreadable)).transpose()?;
        let options = self.option_sums.as_ref().map(|sums| read_sums(sums).ok_or_else(unreadable)).transpose()?;
        Ok(OpenedUrn {
            tally: UrnTally {
                valid: count_of(self.valid_heads, self.valid_weight)?,
                invalid: count_of(self.invalid_heads, self.invalid_weight)?,
                answers,
                options: options.unwrap_or_default(),
            },
            receipts: self.receipts.ok_or_else(half)?,
            envelopes_hash: self.envelopes_hash.ok_or_else(half)?,
            opened_at: self.opened_at.ok_or_else(half)?,
        })
    }
}

/// The opened urns of these rounds.
pub(crate) fn opened_urns_of(conn: &mut PgConnection, rounds: &[Uuid]) -> QueryResult<HashMap<Uuid, OpenedUrn>> {
    let rows: Vec<OpenedRow> = urns::table
        .filter(urns::round_id.eq_any(rounds).and(urns::opened_at.is_not_null()))
        .select(OpenedRow::as_select())
        .load(conn)?;
    rows.into_iter().map(|row| Ok((row.round_id, row.read()?))).collect()
}

/// Answers as `[[answer, number], …]`, where an answer is a list of option ids, a number as a text, or a text in a list.
fn write_answers(answers: &[(Answer, u64)]) -> Value {
    let write = |(answer, number): &(Answer, u64)| {
        let answer = match answer {
            Answer::Options(ids) => json!({ "options": ids.iter().map(|id| id.as_uuid()).collect::<Vec<_>>() }),
            Answer::Number(number) => json!({ "number": number.normalize().to_string() }),
            Answer::Text(text) => json!({ "text": text }),
            Answer::Sealed(_) => Value::Null,
        };
        json!([answer, number])
    };
    answers.iter().map(write).collect()
}

fn read_answers(stored: &Value) -> Option<Vec<(Answer, u64)>> {
    let read = |pair: &Value| {
        let (answer, number) = (pair.get(0)?, pair.get(1)?.as_u64()?);
        let answer = if let Some(options) = answer.get("options") {
            let id = |id: &Value| Some(OptionId::from_uuid(id.as_str()?.parse().ok()?));
            Answer::Options(options.as_array()?.iter().map(id).collect::<Option<_>>()?)
        } else if let Some(number) = answer.get("number") {
            Answer::Number(Decimal::from_str_exact(number.as_str()?).ok()?)
        } else {
            Answer::Text(answer.get("text")?.as_str()?.to_owned())
        };
        Some((answer, number))
    };
    stored.as_array()?.iter().map(read).collect()
}

/// The sums of the options as `[[option id, heads, weight], …]`.
fn write_sums(sums: &[(OptionId, Count)]) -> Value {
    let write = |(option, sum): &(OptionId, Count)| json!([option.as_uuid(), sum.heads, sum.weight.to_string()]);
    sums.iter().map(write).collect()
}

fn read_sums(stored: &Value) -> Option<Vec<(OptionId, Count)>> {
    let read = |sum: &Value| {
        let option = OptionId::from_uuid(sum.get(0)?.as_str()?.parse().ok()?);
        let weight = Decimal::from_str_exact(sum.get(2)?.as_str()?).ok()?.normalize();
        Some((option, Count { heads: sum.get(1)?.as_u64()?, weight }))
    };
    stored.as_array()?.iter().map(read).collect()
}

/// The risk in the register of a round that is being opened.
pub(crate) fn risk_in_register(conn: &mut PgConnection, round: Uuid) -> QueryResult<Option<SecrecyRisk>> {
    let weights: Vec<(Decimal, i64)> = register::table
        .filter(register::round_id.eq(round))
        .group_by(register::weight)
        .select((register::weight, count_star()))
        .load(conn)?;
    let weights: Vec<(Decimal, u64)> =
        weights.into_iter().map(|(weight, people)| Ok((weight, count(people)?))).collect::<QueryResult<_>>()?;
    Ok(SecrecyRisk::among(weights))
}

/// The urn of a secret round, if it is not opened, with the risk among those who have voted.
pub(crate) fn closed_urn(conn: &mut PgConnection, round: Uuid) -> QueryResult<Option<ClosedUrn>> {
    let found: Option<Option<DateTime<Utc>>> =
        urns::table.find(round).filter(urns::opened_at.is_null()).select(urns::void_at).first(conn).optional()?;
    let Some(void_at) = found else { return Ok(None) };
    let (voters, weights): (Vec<Uuid>, _) = of_visible_round(conn, round, |conn| {
        let voters = votes::table.filter(votes::round_id.eq(round)).select(votes::end_user_id).load(conn)?;
        Ok((voters, weights_in_register(conn, round)?))
    })?;
    let risk = SecrecyRisk::among(voters.iter().filter_map(|voter| Some((*weights.get(voter)?, 1))));
    Ok(Some(ClosedUrn { risk, is_void: void_at.is_some() }))
}

/// The weights of the people in a register. Votes are joined with them here, and not in SQL, as in [`super::rows::load_votes`].
fn weights_in_register(conn: &mut PgConnection, round: Uuid) -> QueryResult<HashMap<Uuid, Decimal>> {
    let entries: Vec<(Uuid, Decimal)> = register::table
        .filter(register::round_id.eq(round))
        .select((register::end_user_id, register::weight))
        .load(conn)?;
    Ok(entries.into_iter().collect())
}

/// The envelopes of a round with the weights of their voters. A vote without one, which only a manipulation of the database
/// leaves, is an invalid ballot.
fn load_envelopes(conn: &mut PgConnection, round: Uuid) -> QueryResult<(Vec<CastEnvelope>, Vec<Decimal>)> {
    type Row = (Uuid, Option<Vec<u8>>);
    let (rows, weights): (Vec<Row>, _) = of_visible_round(conn, round, |conn| {
        let cast = votes::table.filter(votes::round_id.eq(round));
        Ok((cast.select((votes::end_user_id, votes::sealed)).load(conn)?, weights_in_register(conn, round)?))
    })?;
    let envelopes = rows.into_iter().filter_map(|(voter, sealed)| {
        let weight = weights.get(&voter)?.normalize();
        let envelope = Envelope(sealed.unwrap_or_default());
        Some((CastEnvelope { voter: EndUserId::from_uuid(voter), envelope }, weight))
    });
    Ok(envelopes.unzip())
}

/// Opens the urn of an ended secret round in its locked meeting: once, because the share of its key is deleted with it. `risk` is
/// the risk that the organizer accepts.
pub(crate) fn open_urn(
    conn: &mut PgConnection,
    keys: Option<&dyn UrnKeys>,
    action: &RoundAction<'_>,
    risk: Option<&SecrecyRisk>,
) -> Result<(), Abort<ResultStepError>> {
    let round = action.round;
    let found: Option<(Vec<u8>, Vec<u8>)> = urns::table
        .inner_join(urn_shares::table.on(urn_shares::round_id.eq(urns::round_id)))
        .filter(urns::round_id.eq(round).and(urns::opened_at.is_null()))
        .select((urns::public_key, urn_shares::share))
        .for_update()
        .first(conn)
        .optional()?;
    // A share that somebody deleted is lost as well.
    let (public_key, share) = found.ok_or(Abort::Refused(ResultStepError::KeyMissing))?;
    let share = read_share(share)?;
    let wording = load_wording(conn, round)?;
    let (envelopes, weights) = load_envelopes(conn, round)?;
    let keys = keys.ok_or(Abort::Refused(ResultStepError::KeyMissing))?;
    let opened =
        keys.unlock(RoundId::from_uuid(round), &public_key, &share, &envelopes).map_err(|error| match error {
            UnlockError::ShareLost => Abort::Refused(ResultStepError::KeyMissing),
            UnlockError::Port(failure) => Abort::Refused(ResultStepError::Port(failure)),
        })?;
    if let Some(risk) = risk {
        log_risk(conn, &RiskAccepted { action, sentence: &risk.sentence() })?;
    }
    store_count(conn, action, &count_urn(&wording, &envelopes, &opened.into_iter().zip(weights).collect::<Vec<_>>()))?;
    diesel::delete(urn_shares::table.find(round)).execute(conn)?;
    diesel::update(votes::table.filter(votes::round_id.eq(round)))
        .set(votes::sealed.eq(None::<Vec<u8>>))
        .execute(conn)?;
    Ok(())
}

/// The counts, the sorted receipts and the hash of an urn.
struct CountedUrn {
    tally: UrnTally,
    receipts: Vec<String>,
    envelopes_hash: String,
}

fn count_urn(wording: &Wording, envelopes: &[CastEnvelope], ballots: &[(Option<OpenedBallot>, Decimal)]) -> CountedUrn {
    let mut receipts: Vec<String> = envelopes.iter().map(|cast| cast.envelope.receipt()).collect();
    receipts.sort_unstable();
    let envelopes_hash = envelopes_hash(envelopes.iter().map(|cast| &cast.envelope));
    CountedUrn { tally: UrnTally::count(wording, ballots), receipts, envelopes_hash }
}

fn store_count(conn: &mut PgConnection, action: &RoundAction<'_>, counted: &CountedUrn) -> QueryResult<()> {
    let CountedUrn { tally, receipts, envelopes_hash } = counted;
    let heads = |count: Count| i32::try_from(count.heads).map_err(|_| damaged("an urn has too many ballots"));
    let option_sums = tally.answers.is_none().then(|| write_sums(&tally.options));
    diesel::update(urns::table.find(action.round))
        .set((
            urns::opened_at.eq(action.at),
            urns::valid_heads.eq(heads(tally.valid)?),
            urns::valid_weight.eq(tally.valid.weight),
            urns::invalid_heads.eq(heads(tally.invalid)?),
            urns::invalid_weight.eq(tally.invalid.weight),
            urns::answers.eq(tally.answers.as_deref().map(write_answers)),
            urns::option_sums.eq(option_sums),
            urns::receipts.eq(receipts),
            urns::envelopes_hash.eq(envelopes_hash),
        ))
        .execute(conn)?;
    Ok(())
}

fn mark_void(conn: &mut PgConnection, step: &ResultStep) -> Result<(), Abort<ResultStepError>> {
    let locked = LockedMeeting::lock(conn, step.owner.as_uuid(), step.meeting.as_uuid())?;
    let locked = locked.ok_or(Abort::Refused(ResultStepError::MeetingNotFound))?;
    let round = step.round.as_uuid();
    let found: Option<(String, Uuid)> = rounds::table
        .find(round)
        .filter(rounds::meeting_id.eq(locked.id))
        .select((rounds::status, rounds::question_id))
        .first(conn)
        .optional()?;
    let (status, question) = found.ok_or(Abort::Refused(ResultStepError::RoundNotFound))?;
    if status != round_status_text(RoundStatus::Ended) {
        return Ok(());
    }
    let (now, by) = (locked.time(conn, step.now)?, account_name(conn, step.by.as_uuid())?);
    let is_open = urns::opened_at.is_null().and(urns::void_at.is_null());
    let voided = diesel::update(urns::table.find(round).filter(is_open)).set(urns::void_at.eq(now)).execute(conn)?;
    if voided > 0 {
        log_action(conn, &RoundAction { round, kind: LogKind::Voided, by: &by, at: now })?;
        // An empty screen shows the question, so that everybody learns that the vote is void.
        let shown = locked.current.or(locked.is_active.then_some(question));
        locked.take_step(conn, shown)?;
    }
    Ok(())
}
