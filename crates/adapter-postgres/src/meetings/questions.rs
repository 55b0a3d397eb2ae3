use std::collections::HashMap;

use async_trait::async_trait;
use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{Array, Uuid as SqlUuid};
use plenum_kernel::{ClientId, MeetingId, PortFailure, QuestionId, RoundId};
use plenum_meetings::{
    AddQuestionError, AgendaOrder, AgendaRule, ChangeQuestionError, MAX_QUESTIONS, Question, QuestionCopy,
    QuestionDecision, QuestionStore, ReorderError,
};
use serde_json::json;
use uuid::Uuid;

use crate::Db;
use crate::clients::groups::lock_audience;
use crate::meetings::rows::{OptionRow, QuestionRow, natural, number};
use crate::meetings::weight_kinds::unknown_kind_of;
use crate::pool::failure::Abort;
use crate::rows::columns::count;
use crate::schema::{exclusions, meetings, options, questions, rounds};
use crate::voting::rows::{has_declared_round, last_declared_round, question_use};

/// Agendas in PostgreSQL.
#[derive(Clone)]
pub struct PostgresQuestions {
    db: Db,
}

impl PostgresQuestions {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl QuestionStore for PostgresQuestions {
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError> {
        let (owner, meeting) = (question.client_id, question.meeting_id);
        let added = self.add_all(owner, meeting, vec![question]).await?.pop();
        added.ok_or(AddQuestionError::MeetingNotFound)
    }

    async fn add_all(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        questions: Vec<Question>,
    ) -> Result<Vec<Question>, AddQuestionError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let locked = lock_meeting(conn, owner, meeting)?;
                let meeting = locked.ok_or(Abort::Refused(AddQuestionError::MeetingNotFound))?;
                check_room(conn, meeting, questions.len())?;
                if !lock_audience(conn, owner, questions.iter().flat_map(|question| question.groups.iter().copied()))? {
                    return Err(Abort::Refused(AddQuestionError::UnknownGroups));
                }
                if !lock_audience(conn, owner, questions.iter().flat_map(Question::rule_groups))? {
                    return Err(Abort::Refused(Question::unknown_rule_group().into()));
                }
                if let Some(unknown) = unknown_kind_of(conn, owner, &questions)? {
                    return Err(Abort::Refused(unknown.into()));
                }
                let last: Option<i32> = questions::table
                    .filter(questions::meeting_id.eq(meeting))
                    .select(max(questions::position))
                    .first(conn)?;
                let next = natural(last.unwrap_or(0))? + 1;
                let added: Vec<Question> =
                    (next..).zip(questions).map(|(position, question)| Question { position, ..question }).collect();
                insert(conn, &added)?;
                Ok(added)
            })
            .await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure> {
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
                load_agenda(conn, meeting).map(Some)
            })
            .await
    }

    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let row = questions::table
                    .find(id.as_uuid())
                    .filter(questions::client_id.eq(owner.as_uuid()))
                    .select(QuestionRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(with_options(conn, row.into_iter().collect())?.pop())
            })
            .await
    }

    async fn update(
        &self,
        owner: ClientId,
        id: QuestionId,
        decide: QuestionDecision,
    ) -> Result<Question, ChangeQuestionError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let before = lock(conn, owner, id)?;
                let used = question_use(conn, id.as_uuid())?;
                let mut after = before.clone();
                decide(&mut after, used).map_err(Abort::Refused)?;
                if after.groups != before.groups && !lock_audience(conn, owner, after.groups.iter().copied())? {
                    return Err(Abort::Refused(ChangeQuestionError::UnknownGroups));
                }
                if after.decision_rule != before.decision_rule && !lock_audience(conn, owner, after.rule_groups())? {
                    return Err(Abort::Refused(Question::unknown_rule_group().into()));
                }
                if after.weights != before.weights
                    && let Some(unknown) = unknown_kind_of(conn, owner, std::slice::from_ref(&after))?
                {
                    return Err(Abort::Refused(unknown.into()));
                }
                let Question { id, client_id, meeting_id, position, .. } = before;
                let after = Question { id, client_id, meeting_id, position, ..after };
                diesel::update(questions::table.find(id.as_uuid())).set(QuestionRow::from(&after)).execute(conn)?;
                if after.options != before.options {
                    replace_options(conn, &after)?;
                }
                Ok(after)
            })
            .await
    }

    async fn remove(&self, owner: ClientId, id: QuestionId) -> Result<MeetingId, ChangeQuestionError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let question = lock(conn, owner, id)?;
                let used = question_use(conn, id.as_uuid())?;
                let is_declared = has_declared_round(conn, id.as_uuid())?;
                Question::check_removal(used, is_declared).map_err(|rule| Abort::Refused(rule.into()))?;
                let meeting = question.meeting_id.as_uuid();
                let on_screen = meetings::table.find(meeting).filter(meetings::current_question_id.eq(id.as_uuid()));
                let cleared = (meetings::current_question_id.eq(None::<Uuid>), meetings::step.eq(meetings::step + 1));
                diesel::update(on_screen).set(cleared).execute(conn)?;
                diesel::delete(questions::table.find(id.as_uuid())).execute(conn)?;
                move_those_behind(conn, &question, -1)?;
                Ok(question.meeting_id)
            })
            .await
    }

    async fn duplicate(
        &self,
        owner: ClientId,
        id: QuestionId,
        copy: QuestionCopy,
    ) -> Result<Question, ChangeQuestionError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let original = lock(conn, owner, id)?;
                check_room(conn, original.meeting_id.as_uuid(), 1)?;
                let copy = copy(&original);
                let Question { client_id, meeting_id, position, .. } = original;
                let copy = Question { client_id, meeting_id, position: position + 1, ..copy };
                if let Some(follows) = copy.followed_ballot() {
                    check_continuation(conn, &original, follows.round)?;
                }
                move_those_behind(conn, &original, 1)?;
                insert(conn, std::slice::from_ref(&copy))?;
                if copy.followed_ballot().is_some() {
                    copy_exclusions(conn, &original, &copy)?;
                }
                Ok(copy)
            })
            .await
    }

    async fn reorder(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: AgendaOrder,
    ) -> Result<Vec<Question>, ReorderError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let meeting = lock_meeting(conn, owner, meeting)?;
                let meeting = meeting.ok_or(Abort::Refused(ReorderError::MeetingNotFound))?;
                let ids: Vec<Uuid> =
                    questions::table.filter(questions::meeting_id.eq(meeting)).select(questions::id).load(conn)?;
                let agenda: Vec<QuestionId> = ids.into_iter().map(QuestionId::from_uuid).collect();
                if !order.fits(&agenda) {
                    return Err(Abort::Refused(ReorderError::NotTheAgenda));
                }
                arrange(conn, &order)?;
                Ok(load_agenda(conn, meeting)?)
            })
            .await
    }
}

/// Locks the client's meeting. All changes of its agenda wait here, so that positions stay unique and without gaps.
fn lock_meeting(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<Option<Uuid>> {
    meetings::table
        .find(meeting.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select(meetings::id)
        .for_update()
        .first(conn)
        .optional()
}

/// Locks the meeting of the client's question, and then reads the question.
fn lock(conn: &mut PgConnection, owner: ClientId, id: QuestionId) -> Result<Question, Abort<ChangeQuestionError>> {
    let missing = || Abort::Refused(ChangeQuestionError::NotFound);
    let known = questions::table.find(id.as_uuid()).filter(questions::client_id.eq(owner.as_uuid()));
    let meeting: Option<Uuid> = known.select(questions::meeting_id).first(conn).optional()?;
    lock_meeting(conn, owner, MeetingId::from_uuid(meeting.ok_or_else(missing)?))?.ok_or_else(missing)?;
    // The question may have been changed or deleted before the lock.
    let row = known.select(QuestionRow::as_select()).first(conn).optional()?;
    with_options(conn, row.into_iter().collect())?.pop().ok_or_else(missing)
}

/// Refuses when the agenda has no room for so many questions.
fn check_room<E: From<AgendaRule>>(conn: &mut PgConnection, meeting: Uuid, added: usize) -> Result<(), Abort<E>> {
    let number = questions::table.filter(questions::meeting_id.eq(meeting)).count().get_result(conn)?;
    let has_room = count(number)? + added as u64 <= MAX_QUESTIONS as u64;
    if has_room { Ok(()) } else { Err(Abort::Refused(AgendaRule::Full.into())) }
}

/// Whether a question of the meeting continues the ballot of this round.
pub(crate) fn has_next_ballot(conn: &mut PgConnection, meeting: Uuid, round: RoundId) -> QueryResult<bool> {
    Ok(next_ballot(conn, meeting, round)?.is_some())
}

/// Refuses a second next ballot, and one after a round that a later one of the question may replace.
fn check_continuation(
    conn: &mut PgConnection,
    original: &Question,
    round: RoundId,
) -> Result<(), Abort<ChangeQuestionError>> {
    if has_next_ballot(conn, original.meeting_id.as_uuid(), round)? {
        return Err(Abort::Refused(AgendaRule::HasNextBallot.into()));
    }
    let of_question = rounds::table.filter(rounds::question_id.eq(original.id.as_uuid()));
    let last: Option<Uuid> = of_question.order(rounds::number.desc()).select(rounds::id).first(conn).optional()?;
    if last.is_some_and(|last| last != round.as_uuid()) {
        return Err(Abort::Refused(AgendaRule::RoundSuperseded.into()));
    }
    Ok(())
}

/// Whether a ballot on the agenda continues the ballot of this round, or one that continues it, and its result is not declared.
pub(crate) fn has_waiting_ballot(conn: &mut PgConnection, meeting: Uuid, round: RoundId) -> QueryResult<bool> {
    let mut round = round;
    // An election has a few ballots, each of which continues an earlier round.
    while let Some(question) = next_ballot(conn, meeting, round)? {
        match last_declared_round(conn, question)? {
            Some(declared) => round = RoundId::from_uuid(declared),
            None => return Ok(true),
        }
    }
    Ok(false)
}

/// The question that continues the ballot of this round. There is at most one.
fn next_ballot(conn: &mut PgConnection, meeting: Uuid, round: RoundId) -> QueryResult<Option<Uuid>> {
    let continuing = json!({ "election": { "follows": { "round": round.as_uuid() } } });
    questions::table
        .filter(questions::meeting_id.eq(meeting))
        .filter(questions::decision_rule.contains(continuing))
        .select(questions::id)
        .first(conn)
        .optional()
}

/// Excludes from a ballot whoever is excluded from the one before it.
fn copy_exclusions(conn: &mut PgConnection, from: &Question, to: &Question) -> QueryResult<()> {
    let excluded = exclusions::table.filter(exclusions::question_id.eq(from.id.as_uuid())).select((
        to.id.as_uuid().into_sql::<SqlUuid>(),
        exclusions::end_user_id,
        exclusions::reason,
        exclusions::excluded_at,
        exclusions::excluded_by,
    ));
    diesel::insert_into(exclusions::table)
        .values(excluded)
        .into_columns((
            exclusions::question_id,
            exclusions::end_user_id,
            exclusions::reason,
            exclusions::excluded_at,
            exclusions::excluded_by,
        ))
        .execute(conn)?;
    Ok(())
}

/// Inserts questions with their options.
pub(crate) fn insert(conn: &mut PgConnection, agenda: &[Question]) -> QueryResult<()> {
    let rows: Vec<QuestionRow> = agenda.iter().map(QuestionRow::from).collect();
    diesel::insert_into(questions::table).values(rows).execute(conn)?;
    let rows: Vec<OptionRow> = agenda.iter().flat_map(OptionRow::of).collect();
    // An insert has at most 65,535 parameters, and each row six.
    for some in rows.chunks(10_000) {
        diesel::insert_into(options::table).values(some).execute(conn)?;
    }
    Ok(())
}

/// Texts and positions are unique within a question at every moment, so options that swap them cannot be updated.
fn replace_options(conn: &mut PgConnection, question: &Question) -> QueryResult<()> {
    diesel::delete(options::table.filter(options::question_id.eq(question.id.as_uuid()))).execute(conn)?;
    diesel::insert_into(options::table).values(OptionRow::of(question)).execute(conn)?;
    Ok(())
}

fn move_those_behind(conn: &mut PgConnection, question: &Question, places: i32) -> QueryResult<()> {
    let behind = questions::table
        .filter(questions::meeting_id.eq(question.meeting_id.as_uuid()))
        .filter(questions::position.gt(number(question.position)));
    diesel::update(behind).set(questions::position.eq(questions::position + places)).execute(conn)?;
    Ok(())
}

fn arrange(conn: &mut PgConnection, order: &AgendaOrder) -> QueryResult<()> {
    let ids: Vec<Uuid> = order.questions().iter().map(|question| question.as_uuid()).collect();
    diesel::sql_query(
        "UPDATE questions SET position = place \
         FROM unnest($1) WITH ORDINALITY AS arranged (id, place) \
         WHERE questions.id = arranged.id AND questions.position <> place",
    )
    .bind::<Array<SqlUuid>, _>(ids)
    .execute(conn)?;
    Ok(())
}

pub(crate) fn load_agenda(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Vec<Question>> {
    let rows = questions::table
        .filter(questions::meeting_id.eq(meeting))
        .order(questions::position)
        .select(QuestionRow::as_select())
        .load(conn)?;
    with_options(conn, rows)
}

/// Adds the options, by one statement for all questions.
fn with_options(conn: &mut PgConnection, rows: Vec<QuestionRow>) -> QueryResult<Vec<Question>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut options: HashMap<Uuid, Vec<OptionRow>> = HashMap::new();
    for option in OptionRow::load(conn, &ids)? {
        options.entry(option.question_id).or_default().push(option);
    }
    rows.into_iter()
        .map(|row| {
            let options = options.remove(&row.id).unwrap_or_default();
            row.with_options(options)
        })
        .collect()
}
