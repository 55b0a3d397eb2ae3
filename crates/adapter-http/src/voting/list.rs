use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_meetings::{MeetingService, VoterMeeting};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::extract::Voter;
use crate::views::MeetingStatusName;

/// A meeting in a voter's list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000002", "title": "General assembly", "description": "The yearly one.",
    "startTime": "2026-11-21T18:00:00Z", "endTime": "2026-11-21T20:00:00Z", "status": "ACTIVE",
    "isRehearsing": false,
}))]
pub(crate) struct VoterMeetingSummary {
    id: Uuid,
    title: String,
    #[schema(required)]
    description: Option<String>,
    /// The planned start.
    start_time: DateTime<Utc>,
    /// The planned end.
    end_time: DateTime<Utc>,
    status: MeetingStatusName,
    /// Whether a rehearsal runs. The voter's screen then opens the meeting, even before its start.
    is_rehearsing: bool,
}

impl From<&VoterMeeting> for VoterMeetingSummary {
    fn from(VoterMeeting { meeting, is_rehearsing }: &VoterMeeting) -> Self {
        Self {
            id: meeting.id.as_uuid(),
            title: meeting.title.to_string(),
            description: meeting.description.as_ref().map(ToString::to_string),
            start_time: meeting.schedule.start(),
            end_time: meeting.schedule.end(),
            status: meeting.status.into(),
            is_rehearsing: *is_rehearsing,
        }
    }
}

/// A voter's meetings.
#[derive(Serialize, ToSchema)]
pub(crate) struct VoterMeetingListAnswer {
    success: bool,
    meetings: Vec<VoterMeetingSummary>,
}

/// Lists the meetings to which the voter is invited, without drafts.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    responses((status = 200, description = "The meetings", body = VoterMeetingListAnswer)),
)]
#[get("/voting/meetings")]
pub(crate) async fn list_voter_meetings(
    voter: Voter,
    meetings: Data<MeetingService>,
) -> Result<Json<VoterMeetingListAnswer>, ApiError> {
    let meetings = meetings.list_for_voter(voter.client_id, voter.id).await?;
    let meetings = meetings.iter().map(VoterMeetingSummary::from).collect();
    Ok(Json(VoterMeetingListAnswer { success: true, meetings }))
}
