use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, OptionId, Page, PortFailure, QuestionId, RoundId, Step};
use plenum_voting::{
    CountdownError, CurrentQuestion, ForecastScope, LastRound, LogKind, OpenRoundError, Opening, OpeningContext,
    OpeningRule, RegisterEntry, RegisterFilter, Round, RoundDeadline, RoundOpening, RoundOption, RoundOverview,
    RoundStatus, RoundStore, Screen, ScreenChange, ShowingContext, StoredVote, VoterAgenda, VoterQuestion, VoterRound,
    Weightless, Wording, check_secrecy, check_whole_groups, decide_closing, decide_opening, decide_revote,
    decide_showing, is_test_round,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::meetings::planning::people_of;
use crate::meetings::questions::has_waiting_ballot;
use crate::meetings::rows::{
    OptionRow, QuestionRow, natural, number, option_role, participant_limit, question_type, step_number,
};
use crate::pool::failure::Abort;
use crate::rows::terms::{RuleColumn, election_of, presence_rule, secrecy};
use crate::rows::weight_kinds::{kind_as_kept, kind_of};
use crate::schema::{clients, meetings, questions, register, rounds, votes};
use crate::voting::absent::{count_absent, present_by_record};
use crate::voting::eligible::counts_heads;
use crate::voting::forecasts::{eligible_weights, weightless};
use crate::voting::opening_quorum::require_quorum;
use crate::voting::prepared_registers::{end_preparation, prepared_round};
use crate::voting::proxies::load_settings;
use crate::voting::register_changes::leave_out_excluded;
use crate::voting::register_page::register_page;
use crate::voting::register_weight::require_countable;
use crate::voting::registration::{Registration, register_eligible, register_joining};
use crate::voting::rehearsals::end_running_rehearsal;
use crate::voting::reopening::{log_passwords_of_pause, require_unique_usernames};
use crate::voting::round_log::{RiskAccepted, RoundAction, account_name, log_action, log_risk};
use crate::voting::round_proxies::keep_proxies;
use crate::voting::rows::{
    RoundRow, VoteRow, end_running_round, has_votes, last_round, overviews, round_status, round_status_text,
    with_options,
};
use crate::voting::rule_groups::rule_groups_of;
use crate::voting::steps::{LockedMeeting, deadlines_until, end_due, running, set_closing};
use crate::voting::urns::{insert_urn, risk_in_register, urns_of};

/// Rounds in PostgreSQL.
#[derive(Clone)]
pub struct PostgresRounds {
    db: Db,
    /// For calls that may read very many rows.
    general: Db,
}

impl PostgresRounds {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { general: db.clone(), db }
    }

    /// Registers, which may have very many rows, use other connections than the rest.
    #[must_use]
    pub fn with_general(self, general: Db) -> Self {
        Self { general, ..self }
    }
}

#[async_trait]
impl RoundStore for PostgresRounds {
    async fn open(&self, opening: RoundOpening) -> Result<(), OpenRoundError> {
        self.db
            .of(opening.owner)
            .transaction(move |conn| {
                let locked = lock_meeting(conn, opening.owner, opening.meeting)?;
                let (meeting, question) = (locked.id, opening.question.as_uuid());
                require_question(conn, meeting, question)?;
                let last_round = load_last_round(conn, meeting, question)?;
                let is_stale = locked.step.has_passed(opening.seen);
                let waits_for_next_ballot = match last_round.filter(|_| opening.revote.is_some()) {
                    Some(last) => has_waiting_ballot(conn, meeting, last.id)?,
                    None => false,
                };
                let context =
                    OpeningContext { is_active: locked.is_active, is_stale, last_round, waits_for_next_ballot };
                let decide = if opening.revote.is_some() { decide_revote } else { decide_opening };
                let decided = decide(&context).map_err(|rule| Abort::Refused(rule.into()))?;
                let opening = RoundOpening { now: locked.time(conn, opening.now)?, ..opening };
                if !matches!(decided, Opening::AlreadyOpen(_)) {
                    require_room(conn, opening.owner, meeting)?;
                }
                match decided {
                    Opening::AlreadyOpen(_) => return Ok(()),
                    Opening::New { number, replaces } => {
                        let prepared = prepared_round(conn, meeting, question)?;
                        let new_round = prepared.map_or(opening.new_round, RoundId::from_uuid);
                        let opening = RoundOpening { new_round, ..opening };
                        freeze_round(conn, &opening, number, replaces)?;
                        end_preparation(conn, prepared)?;
                        add_urn(conn, &opening)?;
                        hand_over(conn, &opening, opening.new_round, LogKind::Opened)?;
                    }
                    Opening::Reopen(round) => hand_over(conn, &opening, round, LogKind::Reopened)?,
                }
                Ok(locked.take_step(conn, Some(question))?)
            })
            .await
    }

    async fn show(&self, change: ScreenChange) -> Result<(), OpenRoundError> {
        let ScreenChange { owner, meeting, question, by, now, seen } = change;
        self.db
            .of(owner)
            .transaction(move |conn| {
                let locked = lock_meeting(conn, owner, meeting)?;
                let question = question.map(QuestionId::as_uuid);
                if let Some(question) = question {
                    require_question(conn, locked.id, question)?;
                }
                let context = ShowingContext {
                    is_active: locked.is_active,
                    is_stale: locked.step.has_passed(seen),
                    is_question: question.is_some(),
                    is_shown: locked.current == question && locked.open_round(conn)?.is_none(),
                };
                if decide_showing(&context).map_err(|rule| Abort::Refused(rule.into()))? {
                    let by = account_name(conn, by.as_uuid())?;
                    let now = locked.time(conn, now)?;
                    end_running_round(conn, locked.id, Some(&by), now)?;
                    locked.take_step(conn, question)?;
                }
                Ok(())
            })
            .await
    }

    async fn set_closing(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        closes_at: Option<DateTime<Utc>>,
        seen: Option<Step>,
    ) -> Result<(), CountdownError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?;
                let locked = locked.ok_or(Abort::Refused(CountdownError::MeetingNotFound))?;
                let (running, open) = running(conn, &locked, seen)?;
                let is_new = decide_closing(&running, closes_at).map_err(|rule| Abort::Refused(rule.into()))?;
                if let Some(round) = open.filter(|_| is_new) {
                    set_closing(conn, round, closes_at)?;
                    locked.take_step(conn, locked.current)?;
                }
                Ok(())
            })
            .await
    }

    async fn deadlines_until(&self, until: DateTime<Utc>) -> Result<Vec<RoundDeadline>, PortFailure> {
        self.db.platform().run(move |conn| deadlines_until(conn, until)).await
    }

    async fn end_due(&self, owner: ClientId, meeting: MeetingId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        self.db.of(owner).transaction(move |conn| Ok(end_due(conn, owner.as_uuid(), meeting.as_uuid(), now)?)).await
    }

    async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let meeting = meeting.as_uuid();
                let found: Option<(i64, Option<Uuid>)> = meetings::table
                    .find(meeting)
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select((meetings::step, meetings::current_question_id))
                    .first(conn)
                    .optional()?;
                let Some((step, current)) = found else { return Ok(None) };
                let question = current.map(|question| current_question(conn, meeting, question)).transpose()?;
                Ok(Some(Screen { step: step_number(step)?, question }))
            })
            .await
    }

    async fn eligible_weights(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Vec<(Decimal, u64)>>, PortFailure> {
        let scope = scope.clone();
        self.db.of(owner).snapshot(move |conn| eligible_weights(conn, owner, meeting, scope)).await
    }

    async fn weightless(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Weightless>, PortFailure> {
        let scope = scope.clone();
        self.db.of(owner).snapshot(move |conn| weightless(conn, owner, meeting, scope)).await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let known: Option<Uuid> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::id)
                    .first(conn)
                    .optional()?;
                let Some(meeting) = known else { return Ok(None) };
                let rows = rounds::table
                    .filter(rounds::client_id.eq(owner.as_uuid()).and(rounds::meeting_id.eq(meeting)))
                    .order((rounds::opened_at, rounds::id))
                    .select(RoundRow::as_select())
                    .load(conn)?;
                overviews(conn, rows).map(Some)
            })
            .await
    }

    async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure> {
        let filter = filter.clone();
        self.general
            .of(owner)
            .snapshot(move |conn| {
                let known = rounds::table
                    .find(round.as_uuid())
                    .filter(rounds::client_id.eq(owner.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()));
                if !diesel::select(exists(known)).get_result(conn)? {
                    return Ok(None);
                }
                register_page(conn, round.as_uuid(), &filter).map(Some)
            })
            .await
    }

    async fn vote_in(&self, question: VoterQuestion, round: RoundId) -> Result<Option<StoredVote>, PortFailure> {
        let VoterQuestion { client, voter, meeting, question } = question;
        self.db
            .of(client)
            .run(move |conn| {
                let vote: Option<VoteRow> = votes::table
                    .inner_join(rounds::table.on(rounds::id.eq(votes::round_id)))
                    .filter(votes::round_id.eq(round.as_uuid()).and(votes::end_user_id.eq(voter.as_uuid())))
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .filter(rounds::question_id.eq(question.as_uuid()))
                    .select(VoteRow::as_select())
                    .first(conn)
                    .optional()?;
                vote.map(StoredVote::try_from).transpose()
            })
            .await
    }

    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure> {
        self.db
            .of(client)
            .snapshot(move |conn| {
                let row = rounds::table
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .filter(rounds::question_id.eq(question.as_uuid()))
                    .order(rounds::number.desc())
                    .select(RoundRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(with_options(conn, row.into_iter().collect())?.pop())
            })
            .await
    }

    async fn agenda_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<VoterAgenda, PortFailure> {
        self.db
            .of(client)
            .snapshot(move |conn| {
                let is_question = questions::id.eq(rounds::question_id);
                let last: Vec<(RoundRow, i32)> = rounds::table
                    .inner_join(questions::table.on(is_question))
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .distinct_on(rounds::question_id)
                    .order((rounds::question_id, rounds::number.desc()))
                    .select((RoundRow::as_select(), questions::position))
                    .load(conn)?;
                let rounds = voter_rounds(conn, last, voter.as_uuid())?;
                Ok(VoterAgenda { rounds, has_proxies: load_settings(conn, client, meeting)?.is_on })
            })
            .await
    }
}

fn lock_meeting(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
) -> Result<LockedMeeting, Abort<OpenRoundError>> {
    let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?;
    locked.ok_or(Abort::Refused(OpenRoundError::MeetingNotFound))
}

fn require_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> Result<(), Abort<OpenRoundError>> {
    let known = questions::table.find(question).filter(questions::meeting_id.eq(meeting));
    if diesel::select(exists(known)).get_result(conn)? {
        Ok(())
    } else {
        Err(Abort::Refused(OpenRoundError::QuestionNotFound))
    }
}

/// Refuses if the meeting is for more people than its limit. The meeting MUST be locked.
fn require_room(conn: &mut PgConnection, owner: ClientId, meeting: Uuid) -> Result<(), Abort<OpenRoundError>> {
    let (has_list, limit): (bool, Option<i32>) = meetings::table
        .find(meeting)
        .select((meetings::has_participant_list, meetings::max_participants))
        .first(conn)?;
    let Some(limit) = participant_limit(limit)?.map(u32::from) else { return Ok(()) };
    let people = people_of(conn, owner.as_uuid(), meeting, has_list)?;
    if people <= u64::from(limit) {
        return Ok(());
    }
    Err(Abort::Refused(OpeningRule::TooManyParticipants { people, limit }.into()))
}

/// The last round of a question. While the meeting is locked, only its votes can change, if it is open.
fn load_last_round(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<Option<LastRound>> {
    let row: Option<(Uuid, i32, String, Option<DateTime<Utc>>)> = rounds::table
        .filter(rounds::meeting_id.eq(meeting).and(rounds::question_id.eq(question)))
        .order(rounds::number.desc())
        .select((rounds::id, rounds::number, rounds::status, rounds::counted_at))
        .first(conn)
        .optional()?;
    row.map(|(id, number, status, counted_at)| {
        Ok(LastRound {
            id: RoundId::from_uuid(id),
            number: natural(number)?,
            status: round_status(&status)?,
            has_votes: has_votes(conn, id)?,
            is_counted: counted_at.is_some(),
            is_void: urns_of(conn, &[id])?.values().any(|urn| urn.is_void),
        })
    })
    .transpose()
}

/// Opens a round, and ends the open one and a rehearsal. Fills its register first: ballots of the old round wait from
/// its end until this transaction commits, and must not wait for thousands of rows.
fn hand_over(
    conn: &mut PgConnection,
    opening: &RoundOpening,
    round: RoundId,
    kind: LogKind,
) -> Result<(), Abort<OpenRoundError>> {
    let (meeting, round, now) = (opening.meeting.as_uuid(), round.as_uuid(), opening.now);
    let connected = match present_by_record(conn, round)? {
        Some(present) => present,
        None => opening.connected.iter().map(|voter| voter.as_uuid()).collect(),
    };
    let question = opening.question.as_uuid();
    let registration = Registration { meeting, question, round, connected: &connected, now };
    let by = account_name(conn, opening.by.as_uuid())?;
    let action = RoundAction { round, kind, by: &by, at: now };
    if kind == LogKind::Reopened {
        log_passwords_of_pause(conn, round)?;
        log_action(conn, &action)?;
        if register_joining(conn, &registration, &by)? {
            require_unique_usernames(conn, round)?;
        }
    } else {
        register_eligible(conn, &registration)?;
        log_action(conn, &action)?;
    }
    leave_out_excluded(conn, round)?;
    keep_proxies(conn, round, &connected, (kind == LogKind::Reopened).then_some(now))?;
    count_absent(conn, round)?;
    require_countable(conn, round)?;
    require_known_groups(conn, round)?;
    require_secrecy(conn, opening.accepts_risk, &action)?;
    require_quorum(conn, meeting, round, &connected)?;
    end_running_round(conn, meeting, Some(&by), now)?;
    end_running_rehearsal(conn, meeting, Some(now))?;
    diesel::update(rounds::table.find(round))
        .set((
            rounds::status.eq(round_status_text(RoundStatus::Open)),
            rounds::ended_at.eq(None::<DateTime<Utc>>),
            rounds::closes_at.eq(None::<DateTime<Utc>>),
        ))
        .execute(conn)?;
    Ok(())
}

fn is_secret(conn: &mut PgConnection, round: Uuid) -> QueryResult<bool> {
    let stored: String = rounds::table.find(round).select(rounds::secrecy).first(conn)?;
    Ok(secrecy(&stored)?.is_secret())
}

/// Gives a new secret round its urn, with the key of the opening.
fn add_urn(conn: &mut PgConnection, opening: &RoundOpening) -> Result<(), Abort<OpenRoundError>> {
    if !is_secret(conn, opening.new_round.as_uuid())? {
        return Ok(());
    }
    let key = opening.key.as_ref().ok_or(Abort::Refused(OpeningRule::KeyNeeded.into()))?;
    Ok(insert_urn(conn, opening.owner, key)?)
}

/// Refuses a rule whose groups cannot be measured in a meeting with check-in.
fn require_known_groups(conn: &mut PgConnection, round: Uuid) -> Result<(), Abort<OpenRoundError>> {
    let (rule, presence): (Option<RuleColumn>, String) =
        rounds::table.find(round).select((rounds::decision_rule, rounds::presence)).first(conn)?;
    let rule = rule.map(|RuleColumn(rule)| rule);
    check_whole_groups(rule.as_ref(), presence_rule(&presence)?).map_err(|rule| Abort::Refused(rule.into()))
}

/// Refuses to open a secret round from whose totals votes could be inferred, or logs that the organizer accepts it. The register
/// MUST be filled.
fn require_secrecy(
    conn: &mut PgConnection,
    accepts_risk: bool,
    action: &RoundAction<'_>,
) -> Result<(), Abort<OpenRoundError>> {
    if !is_secret(conn, action.round)? {
        return Ok(());
    }
    let risk = risk_in_register(conn, action.round)?;
    let accepted = check_secrecy(risk, accepts_risk).map_err(|rule| Abort::Refused(rule.into()))?;
    match accepted {
        Some(risk) => Ok(log_risk(conn, &RiskAccepted { action, sentence: &risk.sentence() })?),
        None => Ok(()),
    }
}

/// Whether a round that opens in this meeting now is a test round.
fn is_test_meeting(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<bool> {
    let (client, title): (String, String) = meetings::table
        .inner_join(clients::table)
        .filter(meetings::id.eq(meeting))
        .select((clients::name, meetings::title))
        .first(conn)?;
    Ok(is_test_round(&client, &title))
}

/// Removes a round that another one replaces, and returns the reason for which it was opened.
fn remove_replaced(conn: &mut PgConnection, replaced: RoundId) -> QueryResult<Option<String>> {
    diesel::delete(rounds::table.find(replaced.as_uuid())).returning(rounds::reason).get_result(conn)
}

/// Creates a round with a copy of the question, its options and its terms, and an empty register. It is not open yet.
fn freeze_round(
    conn: &mut PgConnection,
    opening: &RoundOpening,
    round_number: u32,
    replaces: Option<RoundId>,
) -> QueryResult<()> {
    let (round, question) = (opening.new_round.as_uuid(), opening.question.as_uuid());
    let replaced = replaces.map(|replaced| remove_replaced(conn, replaced)).transpose()?.flatten();
    let reason = opening.revote.as_ref().map(|reason| reason.as_str().to_owned()).or(replaced);
    let is_test = is_test_meeting(conn, opening.meeting.as_uuid())?;
    let rule_groups = rule_groups_of(conn, question)?;
    diesel::sql_query(concat!(
        "INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, \
                             rating_max, max_choices, opened_at, ended_at, register_heads, register_weight, is_test, \
                             decision_rule, quorum, secrecy, counts_heads, presence, reason, group_names, rule_groups, weight_kind, \
                             second_weight_kind) \
         SELECT $1, questions.client_id, meeting_id, questions.id, $2, 'ENDED', question_text, question_type, \
                rating_max, max_choices, $3, $3, 0, 0, $5, \
                decision_rule, \
                CASE WHEN meetings.is_second_call AND planned.quorum ? 'secondCall' THEN planned.quorum -> 'secondCall' \
                     ELSE planned.quorum - 'secondCall' END, secrecy, ",
        counts_heads!(),
        ", CASE meetings.check_in WHEN 'ON' THEN 'CHECKED_IN' ELSE 'CONNECTED_OR_VOTED' END, $6, \
         (SELECT array_agg(groups.name ORDER BY lower(groups.name)) FROM groups \
          WHERE groups.id = ANY (CASE questions.group_ids WHEN '{}' THEN meetings.group_ids ELSE questions.group_ids END)), \
         $7, CASE WHEN ",
        counts_heads!(),
        " THEN NULL ELSE (SELECT ",
        kind_as_kept!(),
        " FROM weight_kinds WHERE weight_kinds.id = ",
        kind_of!(),
        ") END, \
         (SELECT ",
        kind_as_kept!(),
        " FROM weight_kinds WHERE weight_kinds.id = questions.second_weight_kind_id) \
         FROM questions JOIN meetings ON meetings.id = questions.meeting_id \
         CROSS JOIN LATERAL (SELECT coalesce(questions.quorum, meetings.quorum) AS quorum) AS planned \
         WHERE questions.id = $4",
    ))
    .bind::<SqlUuid, _>(round)
    .bind::<Integer, _>(number(round_number))
    .bind::<Timestamptz, _>(opening.now)
    .bind::<SqlUuid, _>(question)
    .bind::<Bool, _>(is_test)
    .bind::<Nullable<Text>, _>(reason)
    .bind::<Nullable<Jsonb>, _>(rule_groups)
    .execute(conn)?;
    diesel::sql_query(
        "INSERT INTO round_options (round_id, option_id, position, option_text, role) \
         SELECT $1, id, position, option_text, role FROM options WHERE question_id = $2",
    )
    .bind::<SqlUuid, _>(round)
    .bind::<SqlUuid, _>(question)
    .execute(conn)?;
    Ok(())
}

fn current_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<CurrentQuestion> {
    let row = questions::table.find(question).select(QuestionRow::as_select()).first(conn)?;
    let position = natural(row.position)?;
    let last = last_round(conn, meeting, question)?;
    let last_round = overviews(conn, last.into_iter().collect())?.pop();
    let frozen = last_round.as_ref().filter(|last| last.round.status == RoundStatus::Open);
    let wording = match frozen {
        Some(open) => open.round.wording.clone(),
        None => agenda_wording(conn, row)?,
    };
    Ok(CurrentQuestion { question_id: QuestionId::from_uuid(question), position, wording, last_round })
}

/// The question as it is on the agenda.
fn agenda_wording(conn: &mut PgConnection, row: QuestionRow) -> QueryResult<Wording> {
    let option = |option: OptionRow| {
        Ok(RoundOption {
            id: OptionId::from_uuid(option.id),
            text: option.option_text,
            position: natural(option.position)?,
            role: option_role(&option.role)?,
        })
    };
    let options = OptionRow::load(conn, &[row.id])?;
    Ok(Wording {
        text: row.question_text,
        question_type: question_type(&row.question_type)?,
        options: options.into_iter().map(option).collect::<QueryResult<_>>()?,
        rating_max: row.rating_max.map(natural).transpose()?,
        max_choices: row.max_choices.map(natural).transpose()?,
        election: election_of(row.decision_rule),
    })
}

/// Adds options, register and vote, by one statement each for all rounds.
fn voter_rounds(conn: &mut PgConnection, last: Vec<(RoundRow, i32)>, voter: Uuid) -> QueryResult<Vec<VoterRound>> {
    let ids: Vec<Uuid> = last.iter().map(|(row, _)| row.id).collect();
    let registered: HashSet<Uuid> = register::table
        .filter(register::round_id.eq_any(&ids).and(register::end_user_id.eq(voter)))
        .select(register::round_id)
        .load(conn)?
        .into_iter()
        .collect();
    let vote_rows: Vec<VoteRow> = votes::table
        .filter(votes::round_id.eq_any(&ids).and(votes::end_user_id.eq(voter)))
        .select(VoteRow::as_select())
        .load(conn)?;
    let mut cast: HashMap<Uuid, StoredVote> = HashMap::new();
    for row in vote_rows {
        cast.insert(row.round_id, row.try_into()?);
    }
    let (rows, positions): (Vec<RoundRow>, Vec<i32>) = last.into_iter().unzip();
    let mut rounds: Vec<VoterRound> = with_options(conn, rows)?
        .into_iter()
        .zip(positions)
        .map(|(round, position)| {
            let id = round.id.as_uuid();
            Ok(VoterRound {
                round,
                position: natural(position)?,
                is_in_register: registered.contains(&id),
                vote: cast.remove(&id),
            })
        })
        .collect::<QueryResult<_>>()?;
    rounds.sort_by_key(|round| round.position);
    Ok(rounds)
}
