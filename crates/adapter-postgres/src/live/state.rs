use std::sync::Arc;

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, QuestionType, RoundId};
use plenum_meetings::Meeting;
use plenum_meetings::live::{
    Holders, LiveCheckIn, LiveFacts, LiveQuestion, LiveQuorum, LiveRehearsal, LiveRound, LiveSource, Weights,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::live::quorum::{live_holders, live_quorum, weight_cast};
use crate::meetings::rows::{MeetingRow, QuestionRow, natural, option_role, question_type};
use crate::rows::columns::{count, lower};
use crate::rows::terms::{election_of, secrecy};
use crate::schema::{clients, groups, meetings, options, questions, round_options, votes};
use crate::voting::absent::checked_in;
use crate::voting::curations::shown_version;
use crate::voting::eligible::{Eligibility, Eligible};
use crate::voting::rehearsals::running_rehearsal;
use crate::voting::rows::{RoundRow, last_round, votes_cast};
use crate::voting::urns::urns_of;

/// Live snapshots of meetings, from PostgreSQL.
#[derive(Clone)]
pub struct PostgresLive {
    db: Db,
}

impl PostgresLive {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl LiveSource for PostgresLive {
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure> {
        let loaded = self.db.platform().snapshot(move |conn| load(conn, meeting.as_uuid(), false)).await?;
        Ok(loaded.map(|(facts, _)| facts))
    }

    async fn load_with_weights(&self, meeting: MeetingId) -> Result<Option<(LiveFacts, Weights)>, PortFailure> {
        self.db.platform().snapshot(move |conn| load(conn, meeting.as_uuid(), true)).await
    }

    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure> {
        self.db.platform().run(move |conn| votes_cast(conn, round.as_uuid())).await
    }

    async fn weight_cast(&self, round: RoundId) -> Result<Decimal, PortFailure> {
        self.db.platform().run(move |conn| weight_cast(conn, round.as_uuid())).await
    }

    async fn checked_in(&self, meeting: MeetingId) -> Result<LiveCheckIn, PortFailure> {
        self.db
            .platform()
            .snapshot(move |conn| {
                let found: Option<(Option<Uuid>, bool)> = meetings::table
                    .find(meeting.as_uuid())
                    .select((meetings::current_question_id, meetings::self_check_in))
                    .first(conn)
                    .optional()?;
                let Some((question, is_self)) = found else { return Ok(LiveCheckIn::default()) };
                let now = Eligibility::load(conn, meeting.as_uuid(), question)?;
                let by_record = checked_in(conn, now)?;
                Ok(by_record.map(|by_record| live_check_in(&by_record, is_self)).unwrap_or_default())
            })
            .await
    }

    async fn has_voted(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let vote = votes::table
                    .filter(votes::round_id.eq(round.as_uuid()))
                    .filter(votes::end_user_id.eq(voter.as_uuid()));
                diesel::select(exists(vote)).get_result(conn)
            })
            .await
    }

    async fn who_voted(&self, round: RoundId) -> Result<Vec<EndUserId>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let voters: Vec<Uuid> = votes::table
                    .filter(votes::round_id.eq(round.as_uuid()))
                    .order(votes::end_user_id)
                    .select(votes::end_user_id)
                    .load(conn)?;
                Ok(voters.into_iter().map(EndUserId::from_uuid).collect())
            })
            .await
    }
}

fn load(conn: &mut PgConnection, meeting: Uuid, with_weights: bool) -> QueryResult<Option<(LiveFacts, Weights)>> {
    type Found = (MeetingRow, Option<Uuid>, Uuid, String, String);
    let found: Option<Found> = meetings::table
        .inner_join(clients::table)
        .filter(meetings::id.eq(meeting))
        // An inactive organization has no live screens, as its sessions have ended.
        .filter(clients::status.eq("ACTIVE"))
        .select((
            MeetingRow::as_select(),
            meetings::current_question_id,
            clients::id,
            clients::name,
            clients::client_code,
        ))
        .first(conn)
        .optional()?;
    let Some((row, current, client, client_name, client_code)) = found else { return Ok(None) };
    let question_count: i64 = questions::table
        .filter(questions::client_id.eq(client).and(questions::meeting_id.eq(meeting)))
        .count()
        .get_result(conn)?;
    let mut question = current.map(|question| live_question(conn, meeting, question)).transpose()?;
    let open_round = question.as_mut().and_then(|question| question.round.as_mut()).filter(|round| round.is_open);
    let now =
        Eligibility { meeting, question: current, open_round: open_round.as_ref().map(|round| round.id.as_uuid()) };
    let by_record = checked_in(conn, now)?;
    let (quorum, weights) = live_quorum(conn, now, with_weights, by_record.as_ref())?.unzip();
    if let Some(round) = open_round
        && quorum.as_ref().is_some_and(LiveQuorum::weighs_votes)
    {
        round.weight_cast = Some(weight_cast(conn, round.id.as_uuid())?);
    }
    let holders = if with_weights && quorum.is_some() { live_holders(conn, now)? } else { Holders::new() };
    let rehearsal = running_rehearsal(conn, row.id)?;
    let rehearsal = rehearsal.map(|running| LiveRehearsal { id: running.id, started_at: running.started_at });
    let meeting = Meeting::try_from(row)?;
    let check_in = by_record.map(|by_record| live_check_in(&by_record, meeting.self_check_in));
    let facts = LiveFacts {
        meeting_id: meeting.id,
        client_id: ClientId::from_uuid(client),
        client_name,
        client_code,
        title: meeting.title.as_str().to_owned(),
        description: meeting.description.map(|text| text.as_str().to_owned()),
        status: meeting.status,
        step: meeting.step,
        scheduled_start: meeting.schedule.start(),
        scheduled_end: meeting.schedule.end(),
        question_count: count(question_count)?,
        question,
        quorum,
        rehearsal,
        check_in,
        holders: Arc::new(holders),
    };
    Ok(Some((facts, weights.unwrap_or_default())))
}

fn live_check_in(by_record: &Eligible, is_self: bool) -> LiveCheckIn {
    let Eligible { present, represented, all: eligible } = *by_record;
    LiveCheckIn { present, represented, eligible, is_self }
}

/// The stored type of a text question.
const OPEN_TEXT: &str = "OPEN_TEXT";

/// The question in the wording of its open round, otherwise as on the agenda.
fn live_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<LiveQuestion> {
    let row = questions::table.find(question).select(QuestionRow::as_select()).first(conn)?;
    let last = last_round(conn, meeting, question)?;
    let mut round = last.as_ref().map(|last| live_round(conn, last)).transpose()?;
    if let Some(declared) = round.as_mut().filter(|round| round.is_declared)
        && row.question_type == OPEN_TEXT
    {
        declared.answer_wall = shown_version(conn, declared.id.as_uuid())?;
    }
    let (text, kind, rating_max, max_choices, terms, options, rule, groups) = match last.filter(RoundRow::is_open) {
        Some(open) => {
            let options = round_options::table
                .filter(round_options::round_id.eq(open.id))
                .order(round_options::position)
                .select((round_options::option_text, round_options::role))
                .load(conn)?;
            let terms = (open.secrecy()?, open.counts_heads);
            let (rule, groups) = (open.decision_rule, open.group_names.unwrap_or_default());
            (open.question_text, open.question_type, open.rating_max, open.max_choices, terms, options, rule, groups)
        }
        None => {
            let groups = audience_names(conn, &row)?;
            let options = options::table
                .filter(options::question_id.eq(question))
                .order(options::position)
                .select((options::option_text, options::role))
                .load(conn)?;
            let terms = (secrecy(&row.secrecy)?, row.counts_heads);
            let rule = row.decision_rule;
            (row.question_text, row.question_type, row.rating_max, row.max_choices, terms, options, rule, groups)
        }
    };
    let question_type = question_type(&kind)?;
    let abstention = abstention(question_type, &options)?;
    Ok(LiveQuestion {
        id: QuestionId::from_uuid(question),
        text,
        question_type,
        options: options.into_iter().map(|(text, _)| text).collect(),
        abstention,
        rating_max: rating_max.map(natural).transpose()?,
        max_choices: max_choices.map(natural).transpose()?,
        election: election_of(rule),
        secrecy: terms.0,
        counts_heads: terms.1,
        groups,
        position: natural(row.position)?,
        round,
    })
}

/// The text of the option that cannot be combined with others, among texts with roles.
fn abstention(question_type: QuestionType, options: &[(String, String)]) -> QueryResult<Option<String>> {
    for (text, role) in options {
        if option_role(role)?.stands_alone(question_type) {
            return Ok(Some(text.clone()));
        }
    }
    Ok(None)
}

/// The names of the groups that a question on the agenda is for, or else those of its meeting, as a round would keep them.
fn audience_names(conn: &mut PgConnection, row: &QuestionRow) -> QueryResult<Vec<String>> {
    let of_meeting = || meetings::table.find(row.meeting_id).select(meetings::group_ids);
    let ids: Vec<Uuid> = if row.group_ids.is_empty() { of_meeting().first(conn)? } else { row.group_ids.clone() };
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    groups::table.filter(groups::id.eq_any(ids)).order(lower(groups::name)).select(groups::name).load(conn)
}

fn live_round(conn: &mut PgConnection, row: &RoundRow) -> QueryResult<LiveRound> {
    let urn = if row.is_secret() { urns_of(conn, &[row.id])?.remove(&row.id) } else { None };
    Ok(LiveRound {
        is_void: urn.as_ref().is_some_and(|urn| urn.is_void),
        urn_key: urn.map(|urn| urn.public_key),
        id: RoundId::from_uuid(row.id),
        is_open: row.is_open(),
        is_declared: row.is_declared(),
        opened_at: row.opened_at,
        closes_at: row.closes_at,
        register_size: u64::from(natural(row.register_heads)?),
        votes_cast: votes_cast(conn, row.id)?,
        weight_cast: None,
        answer_wall: None,
    })
}
