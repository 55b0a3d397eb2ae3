use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use chrono::{DateTime, Utc};
use plenum_kernel::MeetingId;
use plenum_meetings::{CopyPlan, MeetingService, MeetingTitle, Schedule, check_time};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::meetings::views::MeetingView;
use crate::middleware::created;

/// The title and the planned time of a copy.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "title": "General assembly 2027", "scheduledStartTime": "2027-11-21T18:00:00Z",
    "scheduledEndTime": "2027-11-21T20:00:00Z",
}))]
pub(crate) struct CopyMeetingBody {
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    scheduled_start_time: DateTime<Utc>,
    /// After the start.
    scheduled_end_time: DateTime<Utc>,
}

impl CopyMeetingBody {
    fn check(&self) -> Result<CopyPlan, ApiError> {
        let mut check = FieldCheck::default();
        let title = check.keep("title", MeetingTitle::parse(&self.title));
        let start = check.keep("scheduledStartTime", check_time(self.scheduled_start_time));
        let end = check.keep("scheduledEndTime", check_time(self.scheduled_end_time));
        let schedule =
            start.zip(end).and_then(|(start, end)| check.keep("scheduledEndTime", Schedule::new(start, end)));
        check.finish(title.zip(schedule).map(|(title, schedule)| CopyPlan { title, schedule }))
    }
}

/// Creates a draft with the description, limit, recurrence, quorum, groups, kind of weight, check-in, participant list and questions
/// of a meeting. Rounds, votes, remarks, invitations and the invitation link are not copied.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = CopyMeetingBody,
    responses(
        (status = 201, description = "The copy", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The organization was removed during the request", body = ApiErrorBody,
         example = json!({
             "code": "removed_meanwhile",
             "error": "Data for this request was removed a moment ago. Please reload.",
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/copy")]
pub(crate) async fn copy_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    Body(body): Body<CopyMeetingBody>,
    meetings: Data<MeetingService>,
) -> Result<HttpResponse, ApiError> {
    let overview = meetings.copy(admin.client_id, id, body.check()?).await?;
    Ok(created(format_args!("/client/meetings/{}", overview.meeting.id), MeetingView::from(&overview)))
}
