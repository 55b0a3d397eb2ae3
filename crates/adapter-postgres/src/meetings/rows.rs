//! Stored meetings and their agendas, for all stores that read them.

use std::num::NonZeroU32;

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error;
use plenum_kernel::{ClientId, GroupId, MeetingId, OptionId, OptionRole, QuestionId, QuestionType, Step, WeightKindId};
use plenum_meetings::{
    CheckIn, Description, Meeting, MeetingStatus, MeetingTitle, OptionText, Question, QuestionOption, QuestionText,
    QuestionWeights, RecurringPattern, Schedule,
};
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::rows::columns::count;
use crate::rows::terms::{PlannedQuorumColumn, RuleColumn, at_opening_text, meeting_quorum, secrecy, secrecy_text};
use crate::schema::{meetings, options, questions};

/// All columns of a meeting except its current question, which only the opening and end of rounds and the deletion of that
/// question change.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = meetings, check_for_backend(Pg), treat_none_as_null = true)]
pub(crate) struct MeetingRow {
    pub(crate) id: Uuid,
    client_id: Uuid,
    title: String,
    description: Option<String>,
    status: String,
    scheduled_start_time: DateTime<Utc>,
    scheduled_end_time: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    max_participants: Option<i32>,
    is_recurring: bool,
    recurring_pattern: Option<String>,
    pub(crate) has_participant_list: bool,
    invitation_link: Option<String>,
    created_at: DateTime<Utc>,
    step: i64,
    quorum: Option<PlannedQuorumColumn>,
    quorum_at_opening: Option<String>,
    counts_surveys_at_end: bool,
    closing_hash: Option<String>,
    is_second_call: bool,
    pub(crate) group_ids: Vec<Uuid>,
    check_in: String,
    self_check_in: bool,
    weight_kind_id: Option<Uuid>,
}

impl From<&Meeting> for MeetingRow {
    fn from(meeting: &Meeting) -> Self {
        Self {
            id: meeting.id.as_uuid(),
            client_id: meeting.client_id.as_uuid(),
            title: meeting.title.as_str().to_owned(),
            description: meeting.description.as_ref().map(|text| text.as_str().to_owned()),
            status: meeting_status_text(meeting.status).to_owned(),
            scheduled_start_time: meeting.schedule.start(),
            scheduled_end_time: meeting.schedule.end(),
            started_at: meeting.started_at,
            ended_at: meeting.ended_at,
            max_participants: meeting.max_participants.map(|limit| number(limit.get())),
            is_recurring: meeting.is_recurring,
            recurring_pattern: meeting.recurring_pattern.as_ref().map(|text| text.as_str().to_owned()),
            has_participant_list: meeting.has_participant_list,
            invitation_link: meeting.invitation_link.clone(),
            created_at: meeting.created_at,
            // More than any meeting has.
            step: i64::try_from(meeting.step.0).unwrap_or(i64::MAX),
            quorum: meeting.quorum.map(|known| PlannedQuorumColumn(known.planned)),
            quorum_at_opening: meeting.quorum.map(|known| at_opening_text(known.at_opening).to_owned()),
            counts_surveys_at_end: meeting.counts_surveys_at_end,
            closing_hash: meeting.closing_hash.clone(),
            is_second_call: meeting.is_second_call,
            group_ids: group_ids(&meeting.groups),
            check_in: check_in_text(meeting.check_in).to_owned(),
            self_check_in: meeting.self_check_in,
            weight_kind_id: meeting.weight_kind.map(WeightKindId::as_uuid),
        }
    }
}

impl TryFrom<MeetingRow> for Meeting {
    type Error = Error;

    fn try_from(row: MeetingRow) -> Result<Self, Error> {
        Ok(Self {
            id: MeetingId::from_uuid(row.id),
            client_id: ClientId::from_uuid(row.client_id),
            title: MeetingTitle::from_stored(row.title),
            description: row.description.map(Description::from_stored),
            status: meeting_status(&row.status)?,
            step: step_number(row.step)?,
            schedule: Schedule::new(row.scheduled_start_time, row.scheduled_end_time).map_err(damaged)?,
            started_at: row.started_at,
            ended_at: row.ended_at,
            max_participants: participant_limit(row.max_participants)?,
            is_recurring: row.is_recurring,
            recurring_pattern: row.recurring_pattern.map(RecurringPattern::from_stored),
            quorum: meeting_quorum(row.quorum, row.quorum_at_opening.as_deref())?,
            is_second_call: row.is_second_call,
            counts_surveys_at_end: row.counts_surveys_at_end,
            has_participant_list: row.has_participant_list,
            groups: row.group_ids.into_iter().map(GroupId::from_uuid).collect(),
            invitation_link: row.invitation_link,
            closing_hash: row.closing_hash,
            check_in: check_in(&row.check_in)?,
            self_check_in: row.self_check_in,
            weight_kind: row.weight_kind_id.map(WeightKindId::from_uuid),
            created_at: row.created_at,
        })
    }
}

/// The stored form of the groups that a meeting or a question is for.
fn group_ids(groups: &[GroupId]) -> Vec<Uuid> {
    groups.iter().map(|group| group.as_uuid()).collect()
}

/// A stored number of steps.
pub(crate) fn step_number(stored: i64) -> QueryResult<Step> {
    count(stored).map(Step)
}

/// A question without its options.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = questions, check_for_backend(Pg), treat_none_as_null = true)]
pub(crate) struct QuestionRow {
    pub(crate) id: Uuid,
    client_id: Uuid,
    pub(crate) meeting_id: Uuid,
    pub(crate) position: i32,
    pub(crate) question_text: String,
    pub(crate) question_type: String,
    is_required: bool,
    pub(crate) rating_max: Option<i32>,
    pub(crate) max_choices: Option<i32>,
    created_at: DateTime<Utc>,
    pub(crate) decision_rule: Option<RuleColumn>,
    quorum: Option<PlannedQuorumColumn>,
    pub(crate) secrecy: String,
    pub(crate) counts_heads: bool,
    pub(crate) group_ids: Vec<Uuid>,
    weight_kind_id: Option<Uuid>,
    second_weight_kind_id: Option<Uuid>,
}

impl From<&Question> for QuestionRow {
    fn from(question: &Question) -> Self {
        Self {
            id: question.id.as_uuid(),
            client_id: question.client_id.as_uuid(),
            meeting_id: question.meeting_id.as_uuid(),
            position: number(question.position),
            question_text: question.text.as_str().to_owned(),
            question_type: question_type_text(question.question_type).to_owned(),
            is_required: question.is_required,
            rating_max: question.rating_max.map(number),
            max_choices: question.max_choices.map(number),
            created_at: question.created_at,
            decision_rule: question.decision_rule.clone().map(RuleColumn),
            quorum: question.quorum.map(PlannedQuorumColumn),
            secrecy: secrecy_text(question.secrecy).to_owned(),
            counts_heads: question.counts_heads,
            group_ids: group_ids(&question.groups),
            weight_kind_id: question.weights.weight.map(WeightKindId::as_uuid),
            second_weight_kind_id: question.weights.second.map(WeightKindId::as_uuid),
        }
    }
}

impl QuestionRow {
    /// The question with these options, which must be sorted.
    pub(crate) fn with_options(self, options: Vec<OptionRow>) -> QueryResult<Question> {
        Ok(Question {
            id: QuestionId::from_uuid(self.id),
            client_id: ClientId::from_uuid(self.client_id),
            meeting_id: MeetingId::from_uuid(self.meeting_id),
            position: natural(self.position)?,
            text: QuestionText::from_stored(self.question_text),
            question_type: question_type(&self.question_type)?,
            is_required: self.is_required,
            options: options.into_iter().map(QuestionOption::try_from).collect::<QueryResult<_>>()?,
            rating_max: self.rating_max.map(natural).transpose()?,
            max_choices: self.max_choices.map(natural).transpose()?,
            decision_rule: self.decision_rule.map(|RuleColumn(rule)| rule),
            quorum: self.quorum.map(|PlannedQuorumColumn(planned)| planned),
            secrecy: secrecy(&self.secrecy)?,
            counts_heads: self.counts_heads,
            groups: self.group_ids.into_iter().map(GroupId::from_uuid).collect(),
            weights: QuestionWeights {
                weight: self.weight_kind_id.map(WeightKindId::from_uuid),
                second: self.second_weight_kind_id.map(WeightKindId::from_uuid),
            },
            created_at: self.created_at,
        })
    }
}

/// An option of a question.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = options, check_for_backend(Pg))]
pub(crate) struct OptionRow {
    pub(crate) id: Uuid,
    client_id: Uuid,
    pub(crate) question_id: Uuid,
    pub(crate) position: i32,
    pub(crate) option_text: String,
    pub(crate) role: String,
}

impl OptionRow {
    /// The options of a question, as rows.
    pub(crate) fn of(question: &Question) -> Vec<Self> {
        let row = |option: &QuestionOption| Self {
            id: option.id.as_uuid(),
            client_id: question.client_id.as_uuid(),
            question_id: question.id.as_uuid(),
            position: number(option.position),
            option_text: option.text.as_str().to_owned(),
            role: option_role_text(option.role).to_owned(),
        };
        question.options.iter().map(row).collect()
    }

    /// The options of these questions, sorted.
    pub(crate) fn load(conn: &mut PgConnection, questions: &[Uuid]) -> QueryResult<Vec<Self>> {
        options::table
            .filter(options::question_id.eq_any(questions))
            .order((options::question_id, options::position))
            .select(Self::as_select())
            .load(conn)
    }
}

impl TryFrom<OptionRow> for QuestionOption {
    type Error = Error;

    fn try_from(row: OptionRow) -> Result<Self, Error> {
        Ok(Self {
            id: OptionId::from_uuid(row.id),
            text: OptionText::from_stored(row.option_text),
            position: natural(row.position)?,
            role: option_role(&row.role)?,
        })
    }
}

/// The stored form of a number. Values beyond the column's range are limits that no meeting reaches.
pub(crate) fn number(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A stored number that is never negative.
pub(crate) fn natural(number: i32) -> QueryResult<u32> {
    u32::try_from(number).map_err(damaged)
}

/// The stored limit of a participant list.
pub(crate) fn participant_limit(stored: Option<i32>) -> QueryResult<Option<NonZeroU32>> {
    let limit =
        |stored: i32| NonZeroU32::new(natural(stored)?).ok_or_else(|| damaged("meetings.max_participants is 0"));
    stored.map(limit).transpose()
}

pub(crate) fn meeting_status_text(status: MeetingStatus) -> &'static str {
    match status {
        MeetingStatus::Draft => "DRAFT",
        MeetingStatus::Scheduled => "SCHEDULED",
        MeetingStatus::Active => "ACTIVE",
        MeetingStatus::Completed => "COMPLETED",
        MeetingStatus::Cancelled => "CANCELLED",
    }
}

pub(crate) fn meeting_status(text: &str) -> QueryResult<MeetingStatus> {
    match text {
        "DRAFT" => Ok(MeetingStatus::Draft),
        "SCHEDULED" => Ok(MeetingStatus::Scheduled),
        "ACTIVE" => Ok(MeetingStatus::Active),
        "COMPLETED" => Ok(MeetingStatus::Completed),
        "CANCELLED" => Ok(MeetingStatus::Cancelled),
        other => Err(damaged(format!("meetings.status is {other}"))),
    }
}

fn check_in_text(setting: CheckIn) -> &'static str {
    match setting {
        CheckIn::Off => "OFF",
        CheckIn::On => "ON",
    }
}

pub(crate) fn check_in(text: &str) -> QueryResult<CheckIn> {
    match text {
        "OFF" => Ok(CheckIn::Off),
        "ON" => Ok(CheckIn::On),
        other => Err(damaged(format!("meetings.check_in is {other}"))),
    }
}

fn question_type_text(question_type: QuestionType) -> &'static str {
    match question_type {
        QuestionType::YesNo => "YES_NO",
        QuestionType::MultipleChoice => "MULTIPLE_CHOICE",
        QuestionType::Election => "ELECTION",
        QuestionType::OpenText => "OPEN_TEXT",
        QuestionType::Rating => "RATING",
        QuestionType::Percentage => "PERCENTAGE",
    }
}

pub(crate) fn question_type(text: &str) -> QueryResult<QuestionType> {
    match text {
        "YES_NO" => Ok(QuestionType::YesNo),
        "MULTIPLE_CHOICE" => Ok(QuestionType::MultipleChoice),
        "ELECTION" => Ok(QuestionType::Election),
        "OPEN_TEXT" => Ok(QuestionType::OpenText),
        "RATING" => Ok(QuestionType::Rating),
        "PERCENTAGE" => Ok(QuestionType::Percentage),
        other => Err(damaged(format!("question_type is {other}"))),
    }
}

fn option_role_text(role: OptionRole) -> &'static str {
    match role {
        OptionRole::Yes => "yes",
        OptionRole::No => "no",
        OptionRole::Abstain => "abstain",
        OptionRole::Choice => "choice",
    }
}

pub(crate) fn option_role(text: &str) -> QueryResult<OptionRole> {
    match text {
        "yes" => Ok(OptionRole::Yes),
        "no" => Ok(OptionRole::No),
        "abstain" => Ok(OptionRole::Abstain),
        "choice" => Ok(OptionRole::Choice),
        other => Err(damaged(format!("role is {other}"))),
    }
}
