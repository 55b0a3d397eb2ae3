use actix_web::put;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_clients::SessionRevocation;
use plenum_kernel::MeetingId;
use plenum_meetings::{
    CheckIn, Description, MeetingChanges, MeetingService, MeetingStatus, MeetingTitle, MeetingUpdate, RecurringPattern,
    check_time,
};
use plenum_result_format::MeetingQuorumFormat;
use plenum_voting::RoundService;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::check_in::CheckInName;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::cleared;
use crate::live::Revocations;
use crate::meetings::create::read_limit;
use crate::meetings::find::view_of;
use crate::meetings::steps::{ControlledMeeting, StepQuery};
use crate::meetings::views::MeetingView;
use crate::views::{MeetingStatusName, read_audience, read_weight_kind};

/// Changes to a meeting. Missing fields change nothing; `null` clears an optional field.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "status": "ACTIVE" }))]
pub(crate) struct UpdateMeetingBody {
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    title: Option<String>,
    /// At most 5,000 characters after trimming. It may have several lines. Empty clears it.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<String>, max_length = 5000)]
    description: Option<Option<String>>,
    scheduled_start_time: Option<DateTime<Utc>>,
    scheduled_end_time: Option<DateTime<Utc>>,
    /// Any status may follow any other. A change from ACTIVE ends the open round. A meeting that has ended becomes ACTIVE
    /// again only with `confirmRestart`.
    status: Option<MeetingStatusName>,
    /// Confirms that a meeting that has ended starts again. Its closing record stays, the restart is recorded as an
    /// amendment, and the next end writes a second closing record.
    confirm_restart: Option<bool>,
    /// The highest number of participants; no limit with `null`.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 2147483647)]
    max_participants: Option<Option<i64>>,
    is_recurring: Option<bool>,
    /// A text such as "Every Tuesday"; at most 200 characters after trimming. Empty clears it.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<String>, max_length = 200)]
    recurring_pattern: Option<Option<String>>,
    /// The quorum of every question without a quorum of its own; none with `null`. Only a quorum of `present` voters
    /// can prevent an opening. Existing rounds keep their quorum.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<MeetingQuorumFormat>)]
    quorum: Option<Option<MeetingQuorumFormat>>,
    /// Whether the meeting is called a second time: then the quorums for a second call apply to questions that are opened from
    /// now on.
    is_second_call: Option<bool>,
    /// Whether a round with votes and without a decision rule is counted when it ends. Otherwise an organizer counts it.
    counts_surveys_at_end: Option<bool>,
    /// Ids of the organization's groups, at most 50. Only their members take part; everybody if empty. Open questions keep their register.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    group_ids: Option<Vec<String>>,
    /// The id of a kind of weight that the meeting counts; the ordinary weight with `null`. Existing rounds keep theirs.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<uuid::Uuid>)]
    weight_kind_id: Option<Option<String>>,
    /// Whether people check in. Cannot be switched while a question is open (`check_in_in_use`).
    check_in: Option<CheckInName>,
    /// Whether voters can check themselves in with the code on the presentation.
    self_check_in: Option<bool>,
}

impl UpdateMeetingBody {
    fn check(&self) -> Result<MeetingChanges, ApiError> {
        let mut check = FieldCheck::default();
        let changes = MeetingChanges {
            title: self.title.as_deref().and_then(|title| check.keep("title", MeetingTitle::parse(title))),
            description: check.keep_change("description", self.description.as_ref(), Description::parse),
            status: self.status.map(MeetingStatus::from),
            confirms_restart: self.confirm_restart.unwrap_or(false),
            scheduled_start: self
                .scheduled_start_time
                .and_then(|time| check.keep("scheduledStartTime", check_time(time))),
            scheduled_end: self.scheduled_end_time.and_then(|time| check.keep("scheduledEndTime", check_time(time))),
            max_participants: self
                .max_participants
                .map(|limit| limit.and_then(|limit| check.keep("maxParticipants", read_limit(limit)))),
            is_recurring: self.is_recurring,
            recurring_pattern: check.keep_change(
                "recurringPattern",
                self.recurring_pattern.as_ref(),
                RecurringPattern::parse,
            ),
            is_second_call: self.is_second_call,
            quorum: self.quorum.map(|quorum| quorum.and_then(|quorum| check.keep_within("quorum", quorum.try_into()))),
            counts_surveys_at_end: self.counts_surveys_at_end,
            groups: self.group_ids.as_deref().and_then(|ids| read_audience(&mut check, ids)),
            weight_kind: self
                .weight_kind_id
                .as_ref()
                .map(|id| read_weight_kind(&mut check, "weightKindId", id.as_deref())),
            check_in: self.check_in.map(CheckIn::from),
            self_check_in: self.self_check_in,
        };
        check.finish(Some(changes))
    }
}

/// Changes a meeting.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    request_body = UpdateMeetingBody,
    responses(
        (status = 200, description = "The changed meeting", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The request changes the status, and the step was decided on an older state; or a meeting that has ended would start again without `confirmRestart`; or the title gains or loses TEST_ after a round was opened; or check-in is switched while a question is open",
         body = ApiErrorBody, example = json!({
             "code": "stale_step",
             "error": "Another organizer made a change first: the meeting has ended. Your change was not made.",
             "step": 13, "currentQuestion": null,
         })),
    ),
)]
#[put("/client/meetings/{meetingId}")]
pub(crate) async fn update_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<StepQuery>,
    Body(body): Body<UpdateMeetingBody>,
    meetings: Data<MeetingService>,
    (rounds, revocations): (Data<RoundService>, Data<Revocations>),
) -> Result<Json<MeetingView>, ApiError> {
    let is_for_others = body.group_ids.is_some();
    let update = MeetingUpdate { by: Some(admin.account_id), seen: query.read()?, changes: body.check()? };
    if let Err(error) = meetings.change(admin.client_id, id, update).await {
        let controlled = ControlledMeeting { admin: &admin, id, rounds: &rounds, meetings: &meetings };
        return Err(controlled.refused_step(error.into()).await);
    }
    if is_for_others {
        // People who are in none of the groups lose their streams.
        revocations.announce(SessionRevocation::Client(admin.client_id));
    }
    view_of(&admin, id, &meetings).await
}
