use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use chrono::{DateTime, Utc};
use plenum_kernel::Invalid;
use plenum_meetings::{
    CheckIn, Description, MeetingService, MeetingStatus, MeetingTitle, NewMeeting, ParticipantLimit, RecurringPattern,
    Schedule, check_time,
};
use plenum_result_format::MeetingQuorumFormat;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::check_in::CheckInName;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::meetings::views::MeetingView;
use crate::middleware::created;
use crate::questions::{NewQuestionBody, read_questions};
use crate::views::{MeetingStatusName, read_audience, read_weight_kind};

/// A new meeting.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "title": "General assembly", "scheduledStartTime": "2026-11-21T18:00:00Z",
    "scheduledEndTime": "2026-11-21T20:00:00Z", "status": "SCHEDULED",
    "quorum": {
        "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
        "atOpening": "warn",
    },
}))]
pub(crate) struct CreateMeetingBody {
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// At most 5,000 characters after trimming. It may have several lines.
    #[schema(max_length = 5000)]
    description: Option<String>,
    scheduled_start_time: DateTime<Utc>,
    /// After the start.
    scheduled_end_time: DateTime<Utc>,
    /// DRAFT if missing.
    status: Option<MeetingStatusName>,
    /// The highest number of participants; no limit if missing.
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 2147483647)]
    max_participants: Option<i64>,
    is_recurring: Option<bool>,
    /// A text such as "Every Tuesday"; at most 200 characters after trimming.
    #[schema(max_length = 200)]
    recurring_pattern: Option<String>,
    /// The quorum of every question without a quorum of its own; none if missing. Only a quorum of `present` voters can
    /// prevent an opening.
    quorum: Option<MeetingQuorumFormat>,
    /// Whether a round with votes and without a decision rule is counted when it ends; true if missing. Otherwise an
    /// organizer counts it. A counted round never reopens.
    counts_surveys_at_end: Option<bool>,
    /// Ids of the organization's groups, at most 50. Only their members take part. Everybody if missing or empty.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    group_ids: Option<Vec<String>>,
    /// The id of a kind of weight that the meeting counts: its quorum, its attendance, its proxies' limits, and its questions without
    /// a kind of their own. The ordinary weight if missing.
    #[schema(value_type = Option<uuid::Uuid>)]
    weight_kind_id: Option<String>,
    /// Whether people check in: with `ON`, the present people are those in the attendance log, and only they enter the register of a
    /// round. OFF if missing.
    check_in: Option<CheckInName>,
    /// Whether voters can check themselves in with the code on the presentation; false if missing.
    self_check_in: Option<bool>,
    /// The first questions of the agenda, in order; at most 100. They are created with the meeting, or neither is.
    #[schema(max_items = 100)]
    questions: Option<Vec<NewQuestionBody>>,
}

/// Checks a limit on participants: 1 to 2^31 - 1.
pub(super) fn read_limit(limit: i64) -> Result<ParticipantLimit, Invalid> {
    i32::try_from(limit)
        .ok()
        .and_then(|limit| u32::try_from(limit).ok())
        .and_then(ParticipantLimit::new)
        .ok_or_else(|| Invalid::new("Must be a whole number of at least 1, or empty for no limit."))
}

impl CreateMeetingBody {
    fn check(self) -> Result<NewMeeting, ApiError> {
        let mut check = FieldCheck::default();
        let title = check.keep("title", MeetingTitle::parse(&self.title));
        let description = check.keep_text("description", self.description.as_deref(), Description::parse);
        let start = check.keep("scheduledStartTime", check_time(self.scheduled_start_time));
        let end = check.keep("scheduledEndTime", check_time(self.scheduled_end_time));
        let schedule =
            start.zip(end).and_then(|(start, end)| check.keep("scheduledEndTime", Schedule::new(start, end)));
        let max_participants = self.max_participants.and_then(|limit| check.keep("maxParticipants", read_limit(limit)));
        let recurring_pattern =
            check.keep_text("recurringPattern", self.recurring_pattern.as_deref(), RecurringPattern::parse);
        let quorum = self.quorum.and_then(|quorum| check.keep_within("quorum", quorum.try_into()));
        let groups = read_audience(&mut check, self.group_ids.as_deref().unwrap_or_default());
        let weight_kind = read_weight_kind(&mut check, "weightKindId", self.weight_kind_id.as_deref());
        let agenda = read_questions(&mut check, self.questions.unwrap_or_default());
        let new = title.zip(schedule).map(|(title, schedule)| NewMeeting {
            title,
            description,
            schedule,
            status: self.status.map_or(MeetingStatus::Draft, MeetingStatus::from),
            max_participants,
            is_recurring: self.is_recurring.unwrap_or(false),
            recurring_pattern,
            quorum,
            counts_surveys_at_end: self.counts_surveys_at_end.unwrap_or(true),
            groups: groups.unwrap_or_default(),
            weight_kind,
            check_in: self.check_in.map_or(CheckIn::Off, CheckIn::from),
            self_check_in: self.self_check_in.unwrap_or(false),
            agenda,
        });
        check.finish(new)
    }
}

/// Creates a meeting. It is for every active end user until participants are added.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    request_body = CreateMeetingBody,
    responses(
        (status = 201, description = "Created", body = MeetingView),
        (status = 409, description = "The organization was removed during the request", body = ApiErrorBody,
         example = json!({
             "code": "removed_meanwhile",
             "error": "Data for this request was removed a moment ago. Please reload.",
         })),
    ),
)]
#[post("/client/meetings")]
pub(crate) async fn create_meeting(
    admin: ClientAdmin,
    Body(body): Body<CreateMeetingBody>,
    meetings: Data<MeetingService>,
) -> Result<HttpResponse, ApiError> {
    let overview = meetings.add(admin.client_id, body.check()?).await?;
    Ok(created(format_args!("/client/meetings/{}", overview.meeting.id), MeetingView::from(&overview)))
}
