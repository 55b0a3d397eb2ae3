use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{AsSelect, exists};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, MeetingId, NamedGroup, PortFailure, QuestionId, RoundId};
use plenum_voting::{
    Answer, CastOn, CastingVoteError, Count, CountTaking, CountableRound, CountedVote, Counting, DecideTieError,
    DeclaredOnScreen, DeclaredToVoter, LogEntry, LogKind, NewCastingVote, NewSeatAnswer, NewTieDecision,
    NotedSeatAnswer, PaperProxy, RecordWriter, RegisterPaper, RegisteredGroup, Represented, ResultStep,
    ResultStepContext, ResultStepError, ResultStore, RoundStatus, SeatAnswerError, SecondTerms, StoredVote, Terms,
    UrnKeys, check_declarable, decide_counting, decide_declaring,
};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::natural;
use crate::pool::failure::Abort;
use crate::rows::columns::{count, lower};
use crate::rows::meeting_owner::is_meeting_of;
use crate::rows::terms::{QuorumColumn, RuleColumn, presence_rule, secrecy};
use crate::schema::{clients, meetings, questions, register, result_records, rounds, votes};
use crate::voting::casting_votes::{CastingVoteColumn, store_casting_vote};
use crate::voting::records::{NewRecord, count_papers, write_record};
use crate::voting::register_weight::{RegisterWeight, second_registers};
use crate::voting::round_log::{RoundAction, account_name, log_action, logs_of};
use crate::voting::round_proxies::{proxies_of_register, represented_in};
use crate::voting::rows::{
    AnswerRow, RoundRow, VoteRow, has_waiting_batch, last_round, load_votes, round_status, round_status_text,
    with_options,
};
use crate::voting::rule_groups::{Members, count_members, group_places, read_rule_groups};
use crate::voting::seat_answers::{load_seat_answers, store_seat_answer};
use crate::voting::steps::LockedMeeting;
use crate::voting::tie_decisions::{TieDecisionsColumn, store_tie_decision};
use crate::voting::urns::{closed_urn, open_urn, opened_urns_of};
use crate::voting::visible_round::of_visible_round;

/// Results in PostgreSQL.
#[derive(Clone)]
pub struct PostgresResults {
    db: Db,
    writer: Arc<dyn RecordWriter>,
    /// Without keys the urns of secret rounds stay closed.
    urn_keys: Option<Arc<dyn UrnKeys>>,
}

impl PostgresResults {
    /// The store on this database. `writer` writes the records of declared results.
    pub fn new(db: Db, writer: Arc<dyn RecordWriter>) -> Self {
        Self { db, writer, urn_keys: None }
    }

    /// Opens the urns of secret rounds with these keys.
    #[must_use]
    pub fn with_urn_keys(self, keys: Arc<dyn UrnKeys>) -> Self {
        Self { urn_keys: Some(keys), ..self }
    }
}

#[async_trait]
impl ResultStore for PostgresResults {
    async fn find(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<CountableRound>, PortFailure> {
        self.db.of(owner).snapshot(move |conn| load_countable(conn, owner, meeting, round)).await
    }

    async fn ended(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        except: Vec<RoundId>,
    ) -> Result<Option<Vec<CountableRound>>, PortFailure> {
        let except: Vec<Uuid> = except.into_iter().map(RoundId::as_uuid).collect();
        self.db
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                let open = round_status_text(RoundStatus::Open);
                let ended = of_meeting(owner, meeting).filter(rounds::status.ne(open));
                let rows = ended.filter(rounds::id.ne_all(except)).load(conn)?;
                countable(conn, rows).map(Some)
            })
            .await
    }

    async fn mark_counted(&self, step: ResultStep) -> Result<Counting, ResultStepError> {
        let keys = self.urn_keys.clone();
        self.db.of(step.owner).transaction(move |conn| mark_counted(conn, keys.as_deref(), &step)).await
    }

    async fn take_count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<Vec<CountedVote>>, PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                if !lock_ended_round(conn, owner, meeting, taking)? {
                    return Ok::<_, Abort<_>>(None);
                }
                Ok(Some(load_votes(conn, taking.round.as_uuid())?))
            })
            .await
    }

    async fn take_papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<Vec<RegisterPaper>>, PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                if !lock_ended_round(conn, owner, meeting, taking)? {
                    return Ok::<_, Abort<_>>(None);
                }
                Ok(Some(load_papers(conn, taking.round.as_uuid())?))
            })
            .await
    }

    async fn decide_tie(&self, new: NewTieDecision) -> Result<(), DecideTieError> {
        self.db.of(new.owner).transaction(move |conn| store_tie_decision(conn, new)).await
    }

    async fn note_casting_vote(&self, new: NewCastingVote) -> Result<(), CastingVoteError> {
        self.db.of(new.request.owner).transaction(move |conn| store_casting_vote(conn, new)).await
    }

    async fn note_seat_answer(&self, new: NewSeatAnswer) -> Result<bool, SeatAnswerError> {
        self.db.of(new.request.owner).transaction(move |conn| store_seat_answer(conn, new)).await
    }

    async fn seat_answers(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<NotedSeatAnswer>, PortFailure> {
        self.db.of(owner).run(move |conn| load_seat_answers(conn, owner, meeting)).await
    }

    async fn declare(&self, step: ResultStep) -> Result<Option<QuestionId>, ResultStepError> {
        let writer = Arc::clone(&self.writer);
        self.db.of(step.owner).transaction(move |conn| declare(conn, &*writer, &step)).await
    }

    async fn declared_to_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<DeclaredToVoter>, PortFailure> {
        self.db
            .of(client)
            .run(move |conn| {
                let is_declared = rounds::status.eq(round_status_text(RoundStatus::Declared));
                let is_own = votes::round_id.eq(rounds::id).and(votes::end_user_id.eq(voter.as_uuid()));
                let rows: Vec<(Uuid, i32, Option<VoteRow>)> = rounds::table
                    .inner_join(questions::table.on(questions::id.eq(rounds::question_id)))
                    .left_join(votes::table.on(is_own))
                    // The record wins over the status of the row.
                    .left_join(result_records::table.on(result_records::round_id.eq(rounds::id)))
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .filter(is_declared.or(result_records::round_id.is_not_null()))
                    .order((questions::position, rounds::number))
                    .select((rounds::id, questions::position, Option::<VoteRow>::as_select()))
                    .load(conn)?;
                rows.into_iter()
                    .map(|(round, position, vote)| {
                        let vote = vote.map(StoredVote::try_from).transpose()?;
                        Ok(DeclaredToVoter { round: RoundId::from_uuid(round), position: natural(position)?, vote })
                    })
                    .collect()
            })
            .await
    }

    async fn declared_on_screen(&self, meeting: MeetingId) -> Result<Option<DeclaredOnScreen>, PortFailure> {
        self.db
            .platform()
            .snapshot(move |conn| {
                let shown: Option<(Uuid, Uuid, i32)> = meetings::table
                    .inner_join(clients::table)
                    .inner_join(questions::table.on(meetings::current_question_id.eq(questions::id.nullable())))
                    .filter(meetings::id.eq(meeting.as_uuid()))
                    // An inactive organization has no live screens, as its sessions have ended.
                    .filter(clients::status.eq("ACTIVE"))
                    .select((clients::id, questions::id, questions::position))
                    .first(conn)
                    .optional()?;
                let Some((client, question, position)) = shown else { return Ok(None) };
                let Some(last) = last_round(conn, meeting.as_uuid(), question)? else { return Ok(None) };
                // The record wins over the status of the row.
                let recorded = exists(result_records::table.find(last.id));
                if !last.is_declared() && !diesel::select(recorded).get_result(conn)? {
                    return Ok(None);
                }
                let (client, round) = (ClientId::from_uuid(client), RoundId::from_uuid(last.id));
                Ok(Some(DeclaredOnScreen { client, round, position: natural(position)? }))
            })
            .await
    }
}

/// The terms by which a round is decided.
#[derive(Queryable, Selectable)]
#[diesel(table_name = rounds, check_for_backend(Pg))]
pub(crate) struct TermsRow {
    decision_rule: Option<RuleColumn>,
    quorum: Option<QuorumColumn>,
    presence: String,
    connected_heads: i32,
    connected_weight: Decimal,
    absent_heads: i32,
    absent_weight: Decimal,
    tie_decisions: TieDecisionsColumn,
    casting_vote: Option<CastingVoteColumn>,
    rule_groups: Option<Value>,
    absent_second_weight: Decimal,
}

impl TryFrom<TermsRow> for Terms {
    type Error = diesel::result::Error;

    fn try_from(row: TermsRow) -> QueryResult<Self> {
        Ok(Self {
            rule: row.decision_rule.map(|RuleColumn(rule)| rule),
            quorum: row.quorum.map(|QuorumColumn(quorum)| quorum),
            presence: presence_rule(&row.presence)?,
            connected_at_opening: Count {
                heads: count(i64::from(row.connected_heads))?,
                weight: row.connected_weight.normalize(),
            },
            absent: Count { heads: count(i64::from(row.absent_heads))?, weight: row.absent_weight.normalize() },
            tie_decisions: row.tie_decisions.0,
            groups: read_rule_groups(row.rule_groups)?.into_iter().map(not_counted).collect(),
            casting_vote: row.casting_vote.map(|CastingVoteColumn(cast)| cast),
            represented: Represented::default(),
            second: None,
        })
    }
}

/// A group before its members are counted.
fn not_counted(group: NamedGroup) -> RegisteredGroup {
    RegisteredGroup {
        name: group.name,
        register: Count::default(),
        connected: Count::default(),
        represented: Count::default(),
    }
}

pub(crate) type Found = (RoundRow, TermsRow, i32);

/// The rounds of a meeting in the order of the agenda, and of each question in their own order.
#[diesel::dsl::auto_type(no_type_alias)]
pub(crate) fn of_meeting(owner: ClientId, meeting: MeetingId) -> _ {
    let owner: Uuid = owner.as_uuid();
    let meeting: Uuid = meeting.as_uuid();
    let round: AsSelect<RoundRow, Pg> = RoundRow::as_select();
    let terms: AsSelect<TermsRow, Pg> = TermsRow::as_select();
    rounds::table
        .inner_join(questions::table.on(questions::id.eq(rounds::question_id)))
        .filter(rounds::client_id.eq(owner))
        .filter(rounds::meeting_id.eq(meeting))
        .order((questions::position, rounds::number))
        .select((round, terms, questions::position))
}

/// Adds options, logs and opened urns, by one statement each for all rounds.
pub(crate) fn countable(conn: &mut PgConnection, found: Vec<Found>) -> QueryResult<Vec<CountableRound>> {
    let ids: Vec<Uuid> = found.iter().map(|(row, ..)| row.id).collect();
    let mut logs: HashMap<Uuid, Vec<LogEntry>> = logs_of(conn, &ids)?;
    let is_any_secret = found.iter().any(|(row, ..)| row.is_secret());
    let mut represented = represented_in(conn, &ids, RegisterWeight::First)?;
    let mut urns = if is_any_secret { opened_urns_of(conn, &ids)? } else { HashMap::new() };
    let with_groups = found.iter().filter(|(_, terms, _)| terms.rule_groups.is_some()).map(|(row, ..)| row.id);
    let members = count_members(conn, with_groups.collect(), RegisterWeight::First)?;
    let mut seconds = second_terms(conn, &found)?;
    let (mut rows, mut rest) = (Vec::with_capacity(found.len()), Vec::with_capacity(found.len()));
    for (row, terms, position) in found {
        rows.push(row);
        rest.push((terms, position));
    }
    with_options(conn, rows)?
        .into_iter()
        .zip(rest)
        .map(|(round, (terms, position))| {
            let log = logs.remove(&round.id.as_uuid()).unwrap_or_default();
            let urn = urns.remove(&round.id.as_uuid());
            let mut terms = Terms::try_from(terms)?;
            terms.groups = counted_groups(terms.groups, round.id.as_uuid(), &members);
            terms.second = seconds.remove(&round.id.as_uuid());
            terms.represented = represented.remove(&round.id.as_uuid()).unwrap_or_default();
            Ok(CountableRound { round, position: natural(position)?, terms, log, urn })
        })
        .collect()
}

/// The registers of those of these rounds that have a second weight, counted by it.
fn second_terms(conn: &mut PgConnection, found: &[Found]) -> QueryResult<HashMap<Uuid, SecondTerms>> {
    let with_second: Vec<&Found> = found.iter().filter(|(row, ..)| row.second_weight_kind.is_some()).collect();
    let ids: Vec<Uuid> = with_second.iter().map(|(row, ..)| row.id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut seconds = second_registers(conn, &ids)?;
    let mut represented = represented_in(conn, &ids, RegisterWeight::Second)?;
    let members = count_members(conn, ids, RegisterWeight::Second)?;
    with_second
        .into_iter()
        .map(|(row, terms, _)| {
            let groups = read_rule_groups(terms.rule_groups.clone())?.into_iter().map(not_counted).collect();
            let absent =
                Count { heads: count(i64::from(terms.absent_heads))?, weight: terms.absent_second_weight.normalize() };
            let second = SecondTerms {
                absent,
                groups: counted_groups(groups, row.id, &members),
                represented: represented.remove(&row.id).unwrap_or_default(),
                ..seconds.remove(&row.id).unwrap_or_default()
            };
            Ok((row.id, second))
        })
        .collect()
}

/// The groups of a round's rule with their counted members.
fn counted_groups(
    groups: Vec<RegisteredGroup>,
    round: Uuid,
    members: &HashMap<(Uuid, usize), Members>,
) -> Vec<RegisteredGroup> {
    let counted = |(place, group): (usize, RegisteredGroup)| {
        let Members { register, connected, represented } = members.get(&(round, place)).copied().unwrap_or_default();
        RegisteredGroup { name: group.name, register, connected, represented }
    };
    groups.into_iter().enumerate().map(counted).collect()
}

/// Locks an ended round, so that it cannot be opened until the transaction ends. Returns whether it is in its found
/// state.
fn lock_ended_round(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    taking: CountTaking,
) -> QueryResult<bool> {
    let held: Option<Uuid> = rounds::table
        .find(taking.round.as_uuid())
        .filter(rounds::client_id.eq(owner.as_uuid()).and(rounds::meeting_id.eq(meeting.as_uuid())))
        .filter(rounds::status.ne(round_status_text(RoundStatus::Open)).and(rounds::ended_at.eq(taking.ended_at)))
        .select(rounds::id)
        .for_share()
        .first(conn)
        .optional()?;
    Ok(held.is_some())
}

/// The register of a round, by name, with the votes. The two are joined here, as in [`load_votes`].
pub(crate) fn load_papers(conn: &mut PgConnection, round: Uuid) -> QueryResult<Vec<RegisterPaper>> {
    type Entry = (Uuid, String, String, (Decimal, Option<Decimal>), DateTime<Utc>, bool, Option<Vec<i16>>);
    let opened_at: Option<DateTime<Utc>> =
        rounds::table.find(round).select(rounds::opened_at).first(conn).optional()?;
    let (cast, entries, mut proxies): (Vec<AnswerRow>, Vec<Entry>, HashMap<Uuid, PaperProxy>) =
        of_visible_round(conn, round, |conn| {
            let cast = votes::table.filter(votes::round_id.eq(round)).select(AnswerRow::as_select()).load(conn)?;
            let entries = register::table
                .filter(register::round_id.eq(round))
                .order((lower(register::name), register::end_user_id))
                .select((
                    register::end_user_id,
                    register::name,
                    register::username,
                    (register::weight, register::second_weight),
                    register::added_at,
                    register::was_connected,
                    register::groups,
                ))
                .load(conn)?;
            Ok((cast, entries, proxies_of_register(conn, round)?))
        })?;
    let mut answers: HashMap<Uuid, (Answer, Option<CastOn>)> = HashMap::with_capacity(cast.len());
    for row in cast {
        answers.insert(row.end_user_id, row.read()?);
    }
    let paper = |(id, name, username, (weight, second_weight), added_at, was_connected, groups): Entry| {
        let (answer, cast_on) = answers.remove(&id).map_or((None, None), |(answer, place)| (Some(answer), place));
        let (weight, groups, proxy) = (weight.normalize(), group_places(groups), proxies.remove(&id));
        RegisterPaper {
            name,
            username,
            weight,
            second_weight: second_weight.map(|second| second.normalize()),
            // An entry that was prepared before the opening is older than the round.
            added_at: opened_at.map_or(added_at, |opened_at| added_at.max(opened_at)),
            was_connected,
            groups,
            answer,
            cast_on,
            proxy,
        }
    };
    Ok(entries.into_iter().map(paper).collect())
}

/// A round in its locked meeting, before a step to its result.
struct LockedRound {
    meeting: LockedMeeting,
    question: Uuid,
    is_secret: bool,
    /// The facts that decide the step.
    context: ResultStepContext,
}

/// Locks the meeting of a step, which every other action on an ended round locks, too.
fn lock_for(conn: &mut PgConnection, step: &ResultStep) -> Result<LockedRound, Abort<ResultStepError>> {
    let locked = LockedMeeting::lock(conn, step.owner.as_uuid(), step.meeting.as_uuid())?;
    let locked = locked.ok_or(Abort::Refused(ResultStepError::MeetingNotFound))?;
    let found: Option<(Uuid, String, Option<DateTime<Utc>>, String)> = rounds::table
        .find(step.round.as_uuid())
        .filter(rounds::meeting_id.eq(locked.id))
        .select((rounds::question_id, rounds::status, rounds::counted_at, rounds::secrecy))
        .first(conn)
        .optional()?;
    let (question, status, counted_at, level) = found.ok_or(Abort::Refused(ResultStepError::RoundNotFound))?;
    let is_secret = secrecy(&level)?.is_secret();
    let context = ResultStepContext {
        is_stale: locked.step.has_passed(step.seen),
        status: round_status(&status)?,
        is_counted: counted_at.is_some(),
        urn: if is_secret { closed_urn(conn, step.round.as_uuid())? } else { None },
        accepts_risk: step.accepts_risk,
        has_waiting_batches: locked.is_active && has_waiting_batch(conn, step.round.as_uuid())?,
    };
    Ok(LockedRound { meeting: locked, question, is_secret, context })
}

fn mark_counted(
    conn: &mut PgConnection,
    keys: Option<&dyn UrnKeys>,
    step: &ResultStep,
) -> Result<Counting, Abort<ResultStepError>> {
    let LockedRound { meeting: locked, is_secret, context, .. } = lock_for(conn, step)?;
    if !decide_counting(&context).map_err(|rule| Abort::Refused(rule.into()))? {
        return Ok(Counting::CountedBefore);
    }
    let round = step.round.as_uuid();
    let now = locked.time(conn, step.now)?;
    let by = account_name(conn, step.by.as_uuid())?;
    let action = RoundAction { round, kind: LogKind::Counted, by: &by, at: now };
    if is_secret {
        open_urn(conn, keys, &action, context.urn.and_then(|urn| urn.risk).as_ref())?;
    }
    diesel::update(rounds::table.find(round)).set(rounds::counted_at.eq(now)).execute(conn)?;
    log_action(conn, &action)?;
    locked.take_step(conn, locked.current)?;
    Ok(if is_secret { Counting::UrnOpened } else { Counting::Counted })
}

fn declare(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    step: &ResultStep,
) -> Result<Option<QuestionId>, Abort<ResultStepError>> {
    let LockedRound { meeting: locked, question, context, .. } = lock_for(conn, step)?;
    if !decide_declaring(&context).map_err(|rule| Abort::Refused(rule.into()))? {
        return Ok(None);
    }
    let round = step.round.as_uuid();
    let now = locked.time(conn, step.now)?;
    let by = account_name(conn, step.by.as_uuid())?;
    let counted_at: Option<DateTime<Utc>> = rounds::table.find(round).select(rounds::counted_at).first(conn)?;
    // Before the declaration: no statement changes a declared round.
    log_action(conn, &RoundAction { round, kind: LogKind::Declared, by: &by, at: now })?;
    let declared = load_countable(conn, step.owner, step.meeting, step.round)?;
    let declared = declared.ok_or(Abort::Refused(ResultStepError::RoundNotFound))?.declared(by.clone(), now);
    let papers = count_papers(conn, declared)?;
    check_declarable(&papers).map_err(|rule| Abort::Refused(rule.into()))?;
    let record = write_record(conn, writer, NewRecord { papers, at: now, is_later: false })?;
    // One statement, because it is one entry in the audit log.
    diesel::update(rounds::table.find(round))
        .set((
            rounds::status.eq(round_status_text(RoundStatus::Declared)),
            rounds::counted_at.eq(counted_at.unwrap_or(now)),
            rounds::declared_at.eq(now),
            rounds::declared_by.eq(&by),
            rounds::record_hash.eq(record),
        ))
        .execute(conn)?;
    locked.take_step(conn, locked.current)?;
    Ok(Some(QuestionId::from_uuid(question)))
}

/// One round of a meeting, in any status.
pub(crate) fn load_countable(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    round: RoundId,
) -> QueryResult<Option<CountableRound>> {
    let rows = of_meeting(owner, meeting).filter(rounds::id.eq(round.as_uuid())).load(conn)?;
    Ok(countable(conn, rows)?.pop())
}
